// The curves: source tokens above, target tokens below, bands between them as wide as the weights.

import { sizeCanvas } from "../canvas.js";
import { mix, css } from "../colours.js";
import { make } from "../elements.js";
import { clamp, range } from "../numbers.js";
import { isRightToLeft } from "../text.js";
import { vectorLabel } from "./cells.js";
import { tokenButton, oneTabStop, fade } from "./tokens.js";

const FAINT_LIMIT = 2500;
const SIZES = [24, 22, 20, 18, 16]; // of words, in pixels: the largest at which each strip is one line
const WIDEST = { line: 30, lines: 10 }; // of a band, in pixels: words on several lines would be hidden by wide ones

export class CurvesView {
  constructor(player) {
    this.player = player;
    this.node = make("div", "curves-scroll", null, { tabindex: "0", role: "group", "aria-label": "Attention as curves" });
    this.sheet = make("div", "curves");
    this.canvas = make("canvas", "", null, { "aria-hidden": "true" });
    this.sources = make("div", "flow", null, { role: "group", "aria-label": "Source" });
    this.gap = make("div", "curves-gap");
    this.targets = make("div", "flow", null, { role: "group", "aria-label": "Target" });
    this.sheet.append(this.canvas, this.sources, this.gap, this.targets);
    this.node.append(this.sheet);
    this.node.onpointerleave = () => player.hoverAt(null);
    this.node.onkeydown = (event) => {
      if (event.key === "Enter" && event.target === this.node) player.choose(player.focusRow, player.cursorColumn());
    };
    this.fill();
  }

  fill() {
    const { units, data } = this.player;
    this.sourceTokens = units.source.map((unit, column) => tokenButton(this.player, unit, null, column));
    this.targetTokens = units.target.map((unit, row) => tokenButton(this.player, unit, row, null));
    this.sources.dir = data.parts.every((part) => isRightToLeft(part.text ?? "")) ? "rtl" : "ltr";
    this.targets.dir = isRightToLeft(data.target.text ?? "") ? "rtl" : "ltr";
    const strips = units.parts.map(({ name, first, end }) => [make("span", "part-name", name), ...this.sourceTokens.slice(first, end)]);
    this.sources.replaceChildren(...(strips.length > 1 ? strips.flat() : this.sourceTokens));
    this.targets.replaceChildren(...this.targetTokens);
    oneTabStop(this.sourceTokens);
    oneTabStop(this.targetTokens);
  }

  layout(width, height) {
    const many = Math.max(this.sourceTokens.length, this.targetTokens.length);
    this.node.style.maxHeight = `${height}px`;
    const sizes = this.player.alone ? [36, 32, 28, 24] : width < 480 ? [17] : many > 30 ? [18] : SIZES;
    for (const size of sizes) {
      this.sheet.style.setProperty("--token", `${size}px`);
      this.wrapped = [this.sources, this.targets].some((strip) => strip.offsetHeight > 2.4 * size);
      if (!this.wrapped) break;
    }
    this.gap.style.height = `${clamp(height - this.sources.offsetHeight - this.targets.offsetHeight - 20, 130, 240)}px`;
    this.player.tools.offerFit(false);
    const origin = this.sheet.getBoundingClientRect();
    const boxes = (tokens) => tokens.map((token) => token.getBoundingClientRect());
    this.from = boxes(this.sourceTokens).map((box) => ({ x: (box.left + box.right) / 2 - origin.left, y: box.bottom - origin.top }));
    this.to = boxes(this.targetTokens).map((box) => ({ x: (box.left + box.right) / 2 - origin.left, y: box.top - origin.top }));
    this.size = { width: this.sheet.offsetWidth, height: this.sheet.offsetHeight, middle: this.gap.offsetTop + this.gap.offsetHeight * 0.42 };
    this.context = sizeCanvas(this.canvas, this.size.width, this.size.height);
    this.paint(true);
  }

  paint(full = false) {
    const { player, context } = this;
    const moment = player.moment();
    if (!context || (!full && moment === this.moment)) return;
    this.moment = moment;
    const { clock, units, focusRow, hover } = player;
    context.clearRect(0, 0, this.size.width, this.size.height);
    this.showTokens();
    if (!player.data.map) this.drawVector();
    else {
      const column = hover && hover.row === null ? hover.column : null;
      if (units.weights.length <= FAINT_LIMIT) range(clock.shown).forEach((row) => row !== focusRow && this.drawRow(row, 0.1, null));
      if (column !== null) range(clock.shown).forEach((row) => this.drawRow(row, 1, column));
      else if (focusRow >= 0) this.drawRow(focusRow, focusRow === player.current ? clock.progress : 1, null);
    }
  }

  showTokens() {
    const { player } = this;
    const { clock, units, palette, focusRow, hover } = player;
    const column = hover && hover.row === null ? hover.column : null;
    this.targetTokens.forEach((token, row) => {
      token.classList.toggle("unseen", row >= clock.shown);
      token.classList.toggle("current", row === player.current);
      const lit = column !== null && player.data.map && row < clock.shown ? units.shade(row, column, player.options.relative) : 0;
      paintToken(token, lit, palette);
      fade(token, row === player.current ? clock.progress : 1);
    });
    this.sourceTokens.forEach((token, c) => {
      const weight = player.data.map && column === null && focusRow >= 0 ? units.shade(focusRow, c, player.options.relative) : 0;
      paintToken(token, weight * (focusRow === player.current ? clock.progress : 1), palette);
    });
  }

  drawRow(row, strength, only) {
    const { units, palette, options } = this.player;
    const { context } = this;
    for (let column = 0; column < units.columns; column++) {
      const weight = units.weight(row, column);
      if (weight < 0.01 || (only !== null && column !== only)) continue;
      context.globalAlpha = strength;
      context.strokeStyle = palette.fill(0.25 + 0.75 * units.shade(row, column, options.relative));
      context.lineWidth = Math.max(0.75, weight * WIDEST[this.wrapped ? "lines" : "line"]);
      this.curve(this.from[column], this.to[row]);
    }
    context.globalAlpha = 1;
  }

  curve(from, to) {
    const bend = Math.max(30, (to.y - from.y) * 0.45);
    this.context.beginPath();
    this.context.moveTo(from.x, from.y + 1);
    this.context.bezierCurveTo(from.x, from.y + bend, to.x, to.y - bend, to.x, to.y - 1);
    this.context.stroke();
  }

  // Without a map: every source token runs into one bar; the bar reaches the first target token, or each of them.
  drawVector() {
    const { context, player } = this;
    const solid = css(mix(player.palette.paper, player.palette.ink, 0.72));
    const bar = { x: this.size.width / 2, y: this.size.middle, height: 40 };
    Object.assign(context, { strokeStyle: solid, fillStyle: solid, lineWidth: 1.5 });
    for (const from of this.from) this.curve(from, { x: bar.x + (from.x - bar.x) * 0.25, y: bar.y });
    const width = Math.min(360, this.size.width - 20);
    context.beginPath();
    context.roundRect(bar.x - width / 2, bar.y, width, bar.height, 8);
    context.fill();
    vectorLabel(context, player.palette, bar.x, bar.y + bar.height / 2, 20, width > 330);
    this.drawVectorLinks({ x: bar.x, y: bar.y + bar.height });
  }

  drawVectorLinks(bar) {
    const { context, player } = this;
    for (let row = 0; row < player.clock.shown; row++) {
      const direct = row === 0 || player.data.link === "every-step";
      const alpha = row === player.focusRow ? 1 : 0.3;
      context.globalAlpha = alpha * (row === player.current ? player.clock.progress : 1);
      context.lineWidth = direct ? 4 : 2;
      context.setLineDash(direct ? [] : [3, 5]);
      if (direct) this.curve(bar, this.to[row]);
      else this.hop(this.to[row - 1], this.to[row]);
    }
    context.setLineDash([]);
    context.globalAlpha = 1;
  }

  hop(from, to) {
    if (from.y !== to.y) return;
    this.context.beginPath();
    this.context.moveTo(from.x, from.y - 2);
    this.context.quadraticCurveTo((from.x + to.x) / 2, from.y - 26, to.x, to.y - 2);
    this.context.stroke();
  }
}

function paintToken(token, weight, palette) {
  const fill = weight < 0.02 ? "" : palette.fill(weight);
  if (token.fill === fill) return;
  token.fill = fill;
  token.style.backgroundColor = fill;
  token.style.color = fill ? palette.inkOn(weight) : "";
}
