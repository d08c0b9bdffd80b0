// The network: encoder and decoder as boxes, arrows where values flow, attention as lines from h_j into c_t. It follows the clock.

import { measureText } from "../canvas.js";
import { css } from "../colours.js";
import { make, setText } from "../elements.js";
import { clamp, range } from "../numbers.js";
import { inWords, isRightToLeft } from "../text.js";
import { drawDecoder, drawEncoder, drawGrid, drawNames, drawSummary } from "./network_chains.js";
import { columns, indexOf, leastHeight, rows } from "./network_layout.js";
import { canvasOf, draw } from "./network_lines.js";
import { drawReading, drawStep } from "./network_step.js";
import { describe, foldTitle, saysRead, saysStep } from "./network_words.js";
import { tokenButton, oneTabStop, fade } from "./tokens.js";


export class NetworkView {
  constructor(player) {
    this.player = player;
    this.node = make("div", "network", null, { tabindex: "0", role: "group" });
    this.sheet = make("div", "network-sheet");
    this.photo = make("img", "network-photo", null, { alt: "The photo that is described", draggable: "false" });
    this.svg = canvasOf("chains");
    this.sources = make("div", "strip", null, { role: "group", "aria-label": "Source" });
    this.targets = make("div", "strip", null, { role: "group", "aria-label": "Target" });
    this.says = make("p", "network-says");
    this.sheet.append(this.photo, this.svg, this.sources, this.targets);
    this.node.append(this.sheet, this.says);
    this.node.onpointerleave = () => player.hoverAt(null);
    this.svg.onpointermove = (event) => player.hoverAt(this.hit(event)?.over ?? null);
    this.svg.onclick = (event) => this.hit(event)?.choose();
    this.node.onkeydown = (event) => {
      if (event.key === "Enter" && event.target === this.node) player.choose(player.focusRow, player.cursorColumn());
    };
    this.fill();
  }

  // The box under the pointer: by its place, for the shapes are drawn anew at every step.
  hit(event) {
    const box = this.svg.getBoundingClientRect();
    const [x, y] = [event.clientX - box.left, event.clientY - box.top];
    return this.hits?.find((one) => Math.abs(x - one.x) <= one.width / 2 && Math.abs(y - one.y) <= one.height / 2);
  }

  fill() {
    const { player } = this;
    const { units, data } = player;
    this.wires = data.network;
    this.grid = data.parts.findIndex((part) => part.kind === "grid");
    this.chain = units.source.map((unit, column) => ({ ...unit, column })).filter((unit) => unit.part !== this.grid);
    this.sourceTokens = this.chain.map((unit) => tokenButton(player, unit, null, unit.column));
    this.begins = { label: player.layout.plain ? inWords("<s>") : "<s>", special: true };
    this.start = make("span", "token special", this.begins.label, { title: "The start sign" });
    this.targetTokens = units.target.map((unit, row) => tokenButton(player, unit, row, null));
    this.folds = range(4).map(() => make("span", "token special", "\u2026")); // two a strip
    this.sources.replaceChildren(...this.sourceTokens, ...this.folds.slice(0, 2));
    this.targets.replaceChildren(this.start, ...this.targetTokens, ...this.folds.slice(2));
    for (const strip of [this.sourceTokens, this.targetTokens]) oneTabStop(strip);
    const url = this.grid < 0 ? null : data.parts[this.grid].url;
    this.photo.hidden = !url;
    if (url) this.photo.src = url;
    this.node.setAttribute("aria-label", describe(player));
    this.drawn = null;
  }

  layout(width, height) {
    const small = width < 480;
    const size = small ? 16 : width < 640 ? 18 : 22;
    const transformer = this.wires.body === "transformer";
    const sheet = { token: small ? 28 : 34, lift: transformer ? 44 : 20, box: small ? 32 : 38, bars: 10, chain: this.chain.length > 0, middle: this.player.data.map || Boolean(this.player.data.link) };
    const grid = this.player.data.parts[this.grid];
    sheet.photo = grid ? clamp(height * 0.42, 110, 220) : 0;
    const least = leastHeight(sheet);
    const room = clamp(height - 64, least, this.player.data.map ? 520 : least + 50); // without lines there is little to be seen in between
    this.size = { ...sheet, width, height: room, font: size, letter: small ? 15 : 18, least: small ? 42 : 62 };
    this.y = rows(room, this.size);
    this.margin = width >= 620 ? 92 : 0; // for the names of the rows
    this.sheet.style.height = `${room}px`;
    this.sheet.style.setProperty("--token", `${size}px`);
    this.sheet.style.setProperty("--letter", `${this.size.letter}px`);
    for (const [name, value] of [["width", width], ["height", room], ["viewBox", `0 0 ${width} ${room}`]]) this.svg.setAttribute(name, String(value));
    this.placeSource(true);
    this.player.tools.offerFit(false);
    this.drawn = null;
    this.paint(true);
  }

  measured(labels) {
    return measureText(labels, this.size.font, this.player.palette.font, 650);
  }

  // What must not be folded: the word that is read, or the one that is looked at most.
  watched() {
    const { player } = this;
    const column = player.focusRow < 0 ? player.reading : player.cursorColumn();
    const place = this.chain.findIndex((unit) => unit.column === column);
    return place < 0 ? null : place;
  }

  placeSource(full) {
    const { size, margin, y } = this;
    const grid = this.player.data.parts[this.grid];
    if (grid) {
      const most = (size.width - margin) * (this.chain.length ? 0.4 : 1); // beside a text the photo is smaller
      const scale = Math.min(size.photo / grid.height, most / grid.width);
      const [across, high] = [grid.width * scale, grid.height * scale];
      this.frame = { x: margin + (this.chain.length ? 0 : (size.width - margin - across) / 2), y: y.above - high, width: across, height: high };
      Object.assign(this.photo.style, { left: `${this.frame.x}px`, top: `${this.frame.y}px`, width: `${this.frame.width}px`, height: `${this.frame.height}px` });
    }
    const left = grid && this.chain.length ? this.frame.x + this.frame.width + 20 : margin;
    const near = this.watched();
    const hides = (span) => span.to - span.from > 1 && span.from <= near && near < span.to;
    if (!full && (near === null || !this.source.some(hides))) return;
    this.source = this.chain.length ? columns(this.measured(this.chain.map(({ label }) => label)), size.least, size.width - left, left, near) : [];
    if (this.chain.every(({ part }) => isRightToLeft(this.player.data.parts[part].text ?? ""))) for (const one of this.source) one.x = size.width + left - one.x;
    this.place(this.sourceTokens, this.source, y.source, this.folds.slice(0, 2), this.chain);
  }

  // Buttons where their columns are; in place of those that are folded stands a sign that tells what it hides.
  place(tokens, spans, top, folds, list) {
    const at = (node, span) => Object.assign(node.style, { left: `${span.x - span.width / 2}px`, width: `${span.width}px`, top: `${top}px`, height: `${this.size.token}px`, display: "" });
    for (const token of [...tokens, ...folds]) token.style.display = "none";
    let used = 0;
    for (const span of spans) {
      if (span.to - span.from === 1) at(tokens[span.from], span);
      else {
        at(folds[used], span);
        folds[used++].title = foldTitle(list, span);
      }
    }
  }

  // The columns of the output: what was just said is never folded.
  placeTarget(row) {
    const { size, margin, y } = this;
    const { units } = this.player;
    const labels = [this.begins.label, ...units.target.map(({ label }) => label)];
    this.target = columns(this.measured(labels), size.least, size.width - margin, margin, row + 1);
    this.place([this.start, ...this.targetTokens], this.target, y.out, this.folds.slice(2), [this.begins, ...units.target]);
  }

  paint(full = false) {
    if (!this.size) return;
    const { player } = this;
    const moment = player.moment();
    if (!full && moment === this.moment) return;
    this.moment = moment;
    const { clock, focusRow, hover } = player;
    const key = [clock.at, focusRow, player.version, player.reading].join();
    if (key !== this.drawn) {
      this.drawn = key;
      this.rebuild();
    }
    this.sourceBoxes.forEach(({ group }, place) => group.classList.toggle("hot", hover?.row === null && hover.column === this.columnOf(this.source[place])));
    this.move();
  }

  // All that changes from step to step.
  rebuild() {
    const { player } = this;
    const { clock, units } = player;
    this.placeSource(false);
    this.placeTarget(Math.max(0, player.focusRow));
    this.svg.replaceChildren();
    [this.base, this.alive, this.front] = ["base", "alive", "front"].map((name) => draw(this.svg, "g", { class: name }));
    this.moving = [];
    this.hits = [];
    drawNames(this);
    if (this.grid >= 0) drawGrid(this);
    drawEncoder(this);
    drawSummary(this);
    drawDecoder(this);
    if (player.focusRow >= 0) drawStep(this, player.focusRow);
    else if (player.reading !== null) drawReading(this, player.reading);
    this.targetTokens.forEach((token, row) => {
      token.classList.toggle("unseen", row >= clock.shown);
      token.classList.toggle("current", row === player.focusRow);
      if (row !== player.current) token.style.opacity = "";
    });
    this.shadeTokens();
    this.light(player.lives);
    const said = player.focusRow >= 0 ? saysStep(player, player.focusRow) : player.reading !== null ? saysRead(player, player.reading) : clock.at < 0 ? "Nothing is read yet." : units.source.length ? "The source is read; nothing is written yet." : "Nothing is written yet.";
    setText(this.says, said);
  }

  // Where a letter of the equations lives: `at` is a position of the source or a step, counted in tokens; null: wherever there is one.
  light(where) {
    const here = (start, end) => where.at === null || (start <= where.at && where.at < end);
    for (const node of this.svg.querySelectorAll("[data-lives]")) {
      const { lives, from, to } = node.dataset;
      node.classList.toggle("lit", Boolean(where) && lives === where.role && (from === undefined || here(Number(from), Number(to))));
    }
    this.chain.forEach(({ start, end }, i) => this.sourceTokens[i].classList.toggle("lit", where?.role === "source" && here(start, end)));
    const now = this.player.focusRow;
    const shown = { input: now - 1, output: now }[where?.role] ?? null;
    this.targetTokens.forEach((token, row) => token.classList.toggle("lit", row === shown));
    this.start.classList.toggle("lit", where?.role === "input" && now === 0);
  }

  // Between two steps: lines grow, arrows and the new token come in.
  move() {
    const { player } = this;
    const progress = player.focusRow === player.current ? player.clock.progress : 1;
    for (const { node, stage, grows } of this.moving) {
      const share = clamp(progress * 3 - stage, 0, 1);
      if (grows) node.style.strokeDashoffset = String(1 - share);
      else node.style.opacity = share < 1 ? String(share) : "";
    }
    if (player.current >= 0) fade(this.targetTokens[player.current], player.clock.progress);
  }

  box(span, y, letter, start, end, className, act, layers = 1) {
    const { box } = this.size;
    const lives = { "data-lives": letter === "h" ? "read" : "state", "data-from": start, "data-to": end };
    const width = Math.min(span.width - 10, span.to - span.from > 1 ? 70 : Math.max(box + 8, end - start > 1 ? 64 : 0));
    const group = draw(this.base, "g", { class: `box ${className}`, ...lives });
    for (const back of range(layers - 1).reverse()) draw(group, "rect", { x: span.x - width / 2 + 4 * (back + 1), y: y - box / 2 - 4 * (back + 1), width, height: box, rx: 7, class: "behind" });
    draw(group, "rect", { x: span.x - width / 2, y: y - box / 2, width, height: box, rx: 7 });
    const text = span.to - span.from > 1 ? "\u2026" : `${this.player.letter(letter)}${indexOf(start, end)}`;
    draw(group, "text", { x: span.x, y: y + 6, class: "letter" }, text);
    if (act) this.hits.push({ x: span.x, y, width, height: box, ...act });
    return { group, width };
  }

  columnOf(span) {
    return this.chain[span.from].column;
  }

  unitOf(span) {
    return span.from === 0 ? null : this.player.units.target[span.from - 1];
  }

  // `lives`: of the step in focus, what of the equations an arrow is.
  flow(path, now, stage, lives = "", className = "") {
    const node = draw(now ? this.alive : this.base, "path", { d: path, class: `flow ${now ? "alive" : ""} ${className}`, ...(now && lives && { "data-lives": lives }) });
    if (now) this.moving.push({ node, stage, grows: false });
    return node;
  }

  // Source tokens carry the colour of the step, as in the map.
  shadeTokens() {
    const { player } = this;
    const { units, palette, focusRow, options } = player;
    this.chain.forEach(({ column }, i) => {
      const weight = player.data.map && focusRow >= 0 ? units.shade(focusRow, column, options.relative) : 0;
      const fill = weight < 0.02 ? "" : palette.fill(weight);
      const token = this.sourceTokens[i];
      if (token.fill !== fill) {
        token.fill = fill;
        Object.assign(token.style, { backgroundColor: fill, color: fill ? palette.inkOn(weight) : "" });
      }
      token.classList.toggle("current", player.reading === column && focusRow < 0);
    });
    this.svg.style.setProperty("--looked", css(palette.table[230]));
  }
}
