// The map: source tokens across the top, target tokens down the side, one row of weights per target token.

import { sizeCanvas } from "../canvas.js";
import { make } from "../elements.js";
import { clamp, decimals, range } from "../numbers.js";
import { isRightToLeft } from "../text.js";
import { drawRow, drawVector } from "./cells.js";
import { layoutMap } from "./layout.js";
import { Tip } from "./tip.js";
import { tokenButton, oneTabStop } from "./tokens.js";

const EDGE = 5; // room for the outline of the last row
const MOST_ZOOM = 6;
const ZOOM_SPEED = 0.002; // per pixel of the wheel

export class MapView {
  constructor(player) {
    this.player = player;
    this.node = make("div", "map-scroll", null, { tabindex: "0", role: "group" });
    this.sheet = make("div", "sheet");
    this.corner = make("div", "corner");
    this.sources = make("div", "sources", null, { role: "group", "aria-label": "Source" });
    this.targets = make("div", "targets", null, { role: "group", "aria-label": "Target" });
    this.body = make("div", "body");
    this.canvas = make("canvas", "", null, { "aria-hidden": "true" });
    this.rowMark = make("div", "row-mark");
    this.cross = make("div", "cross");
    this.columnCross = make("div", "cross");
    this.tip = new Tip(player);
    this.body.append(this.canvas, this.cross, this.columnCross, this.rowMark, this.tip.node);
    this.sheet.append(this.corner, this.sources, this.targets, this.body);
    this.node.append(this.sheet);
    this.node.onscroll = () => this.scrolled();
    this.listen();
    this.fill();
  }

  // Sizes and the scroll position are kept: asking the browser for them while it plays would make it lay out the page anew.
  scrolled() {
    const { scrollLeft, scrollTop, clientWidth, clientHeight } = this.node;
    this.seen = { left: scrollLeft, top: scrollTop, width: clientWidth, height: clientHeight };
    this.paint(true);
  }

  listen() {
    const { player } = this;
    this.body.onpointermove = (event) => player.hoverAt(this.cellAt(event));
    this.body.onclick = (event) => {
      const cell = this.cellAt(event, true);
      if (cell) player.choose(cell.row, cell.column);
    };
    this.node.onpointerleave = () => player.hoverAt(null);
    this.node.addEventListener("wheel", (event) => this.zoomBy(event), { passive: false });
    this.node.onkeydown = (event) => {
      if (event.key === "Enter" && event.target === this.node) player.choose(player.focusRow, player.cursorColumn());
    };
  }

  fill() {
    const { units, data } = this.player;
    const read = this.player.part ? [this.player.part] : data.parts;
    this.mirrored = read.every((part) => isRightToLeft(part.text ?? ""));
    this.sourceTokens = units.source.map((unit, column) => tokenButton(this.player, unit, null, column));
    this.targetTokens = units.target.map((unit, row) => tokenButton(this.player, unit, row, null));
    for (const border of this.borders ?? []) border.remove();
    this.sources.replaceChildren(...this.sourceTokens);
    this.targets.replaceChildren(...this.targetTokens);
    this.marks = data.map ? data.marks.filter((mark) => !mark.position) : []; // a position is marked in its cell
    this.heads = [...(units.parts.length > 1 ? units.parts : []), ...this.marks].map(({ name }) => make("span", "part-name", name));
    this.borders = units.parts.slice(1).map(() => make("div", "part-border"));
    this.sources.append(...this.heads);
    this.body.append(...this.borders);
    oneTabStop(this.sourceTokens);
    oneTabStop(this.targetTokens);
    this.shades = [];
    this.shownTokens = null;
    this.zoom = null;
  }

  layout(width, height) {
    const { player } = this;
    const { units, options, data } = player;
    const extra = { fit: options.fit, alone: player.alone, mirrored: this.mirrored, bar: Boolean(data.link), marks: this.marks.map((mark) => mark.name) };
    const plain = layoutMap(units, width, height, extra, player.palette.font);
    if (this.fitted !== options.fit) [this.fitted, this.zoom] = [options.fit, null];
    const place = this.zoom === null ? plain : layoutMap(units, width * this.zoom, height * this.zoom, { ...extra, fit: true }, player.palette.font);
    this.place = place;
    this.whole = { width, height };
    player.tools.offerFit(plain.overflows || options.fit);
    this.node.style.maxHeight = `${height}px`;
    this.node.classList.toggle("crowded", place.crowded);
    this.sheet.style.gridTemplate = `${place.header}px ${place.height + EDGE}px / ${place.left}px ${place.width + Math.max(EDGE, place.overhang)}px`;
    this.corner.style.height = `${place.header + place.bar}px`; // no word stands beside the one vector
    this.sheet.style.setProperty("--token", `${place.size}px`);
    this.sheet.style.setProperty("--row-token", `${place.rowSize}px`);
    this.placeTokens();
    this.placeParts();
    this.fresh = true;
    this.scrolled();
  }

  // The wheel with Ctrl: from the whole map, however small, up to six times that; what is under the mouse stays there.
  zoomBy(event) {
    if (!event.ctrlKey) return;
    event.preventDefault();
    const { place, whole, seen } = this;
    const now = this.zoom ?? Math.max(1, (place.left + place.width) / whole.width, (place.header + place.height) / whole.height);
    const zoom = clamp(now * Math.exp(-event.deltaY * ZOOM_SPEED), 1, MOST_ZOOM);
    if (zoom === this.zoom) return;
    const box = this.node.getBoundingClientRect();
    const [x, y] = [event.clientX - box.left - place.left, event.clientY - box.top - place.header];
    const at = [(seen.left + x) / place.width, (seen.top + y) / place.height];
    this.zoom = zoom;
    this.player.arrange();
    this.scrollTo("left", at[0] * this.place.width - x);
    this.scrollTo("top", at[1] * this.place.height - y);
    this.paint(true);
  }

  placeTokens() {
    const { starts, widths, pitch, header, names, lean, upright, longest, bar } = this.place;
    this.sources.classList.toggle("lean", lean);
    this.sources.classList.toggle("upright", upright);
    this.sourceTokens.forEach((token, i) => {
      token.style.left = `${starts[i] + (lean ? widths[i] / 2 - (upright ? 0 : 8) : 0)}px`;
      token.style.width = lean ? "" : `${widths[i]}px`;
      token.style.maxWidth = lean ? `${longest + 16}px` : "";
      token.style.height = lean ? "" : `${header - names - 6}px`;
    });
    this.targetTokens.forEach((token, i) => {
      token.style.top = `${bar + i * pitch}px`;
      token.style.height = `${pitch}px`;
    });
  }

  // Names above the columns of each part and of each mark, and a line between two parts.
  placeParts() {
    const { place } = this;
    const { parts } = this.player.units;
    const spans = parts.map(({ first, end }) => {
      const [from, to] = [Math.min(place.starts[first], place.starts[end - 1]), Math.max(...[first, end - 1].map((c) => place.starts[c] + place.widths[c]))];
      return { start: from, width: to - from };
    });
    const names = parts.length > 1 ? spans : [];
    this.heads.forEach((head, i) => {
      const mark = i >= names.length;
      const { start, width } = mark ? place.marks[i - names.length] : names[i];
      head.style.left = `${start}px`;
      head.style.width = `${width}px`;
      head.classList.toggle("of-mark", mark);
    });
    this.borders.forEach((border, i) => {
      const [one, other] = [spans[i], spans[i + 1]].sort((a, b) => a.start - b.start);
      border.style.left = `${(one.start + one.width + other.start) / 2 - 1}px`;
      border.style.height = `${place.height}px`;
    });
  }

  // `unseen`: rows that have not been written yet are cells too.
  cellAt(event, unseen = false) {
    const box = this.body.getBoundingClientRect();
    const [x, y] = [event.clientX - box.left, event.clientY - box.top - this.place.bar];
    const { starts, widths, pitch } = this.place;
    const row = Math.floor(y / pitch);
    const column = starts.findIndex((start, i) => start <= x && x < start + widths[i]);
    if (row < 0 || row >= (unseen ? this.player.units.target.length : this.player.clock.shown)) return null;
    if (!this.player.data.map) return { row, column: null };
    return column < 0 ? null : { row, column };
  }

  paint(full = false) {
    if (!this.place) return;
    const { player } = this;
    const moment = player.moment();
    if (!full && moment === this.moment) return;
    this.moment = moment;
    this.showTokens();
    this.keepInSight(full);
    this.paintCells(full);
    this.placeMarks();
    this.sayWeight();
    this.shadeSources();
    if (!player.clock.playing) this.describe();
  }

  showTokens() {
    const { shown } = this.player.clock;
    const { progress } = this.player.clock;
    if (this.shownTokens !== shown) {
      const [from, to] = this.shownTokens === null ? [0, this.targetTokens.length] : [Math.min(shown, this.shownTokens) - 1, Math.max(shown, this.shownTokens)];
      for (let i = Math.max(0, from); i < to; i++) {
        const token = this.targetTokens[i];
        token.classList.toggle("unseen", i >= shown);
        token.classList.toggle("current", i === shown - 1);
        if (i < shown) token.style.opacity = "";
      }
      this.shownTokens = shown;
    }
    if (shown > 0) this.targetTokens[shown - 1].style.opacity = progress < 1 ? String(progress) : "";
  }

  // While time moves the current row, and the source it looks at, stay in sight.
  keepInSight(full) {
    const { seen, place, player } = this;
    if (player.current < 0 || !(this.fresh || (!full && (player.moved || player.clock.playing)))) return;
    this.fresh = false;
    const top = place.bar + player.current * place.pitch;
    const room = seen.height - place.header;
    if (top - place.bar < seen.top) this.scrollTo("top", top - place.bar - place.pitch);
    else if (top + 2 * place.pitch > seen.top + room) this.scrollTo("top", top + 2 * place.pitch - room);
    if (!player.data.map || place.width <= seen.width - place.left) return;
    const column = player.units.strongest(player.current)[0];
    const [x, view] = [place.starts[column], seen.width - place.left];
    const wanted = clamp(seen.left, x + place.widths[column] * 3 - view, Math.max(0, x - place.widths[column] * 2));
    if (Math.abs(wanted - seen.left) > 1) this.scrollTo("left", seen.left + (wanted - seen.left) * (player.clock.playing ? 0.25 : 1));
  }

  scrollTo(side, to) {
    const { place, seen } = this;
    const longest = side === "top" ? place.header + place.height + EDGE - seen.height : place.left + place.width + Math.max(EDGE, place.overhang) - seen.width;
    const rounded = Math.round(clamp(to, 0, Math.max(0, longest)));
    if (rounded === Math.round(seen[side])) return;
    this.node[side === "top" ? "scrollTop" : "scrollLeft"] = rounded;
    seen[side] = rounded;
  }

  // The canvas covers what is in sight only; between two steps it redraws just the rows that changed.
  paintCells(full) {
    const { seen, place, player } = this;
    const width = Math.min(place.width + place.overhang, Math.max(50, seen.width - place.left));
    const height = Math.min(place.height, Math.max(50, seen.height - place.header));
    const key = [width, height, seen.left, seen.top, player.version].join();
    const redraw = full || key !== this.key;
    this.key = key;
    if (redraw || !this.context) {
      this.canvas.style.top = `${place.header}px`;
      this.canvas.style.left = `${place.left}px`;
      this.context = sizeCanvas(this.canvas, width, height);
      this.context.clearRect(0, 0, width, height);
    }
    this.context.save();
    this.context.translate(-seen.left, -seen.top);
    if (!player.data.map) drawVector(this.context, this);
    else this.paintRows(redraw, width, height);
    this.context.restore();
    this.painted = player.current;
  }

  paintRows(redraw, width, height) {
    const { seen, place, player } = this;
    const first = Math.max(0, Math.floor((seen.top - place.bar) / place.pitch));
    const last = Math.min(player.units.target.length - 1, Math.floor((seen.top + height) / place.pitch));
    const [low, high] = redraw ? [first, last] : [Math.min(this.painted, player.current), Math.max(this.painted, player.current)];
    const columns = range(player.units.columns).filter((c) => {
      return place.starts[c] + place.widths[c] >= seen.left && place.starts[c] <= seen.left + width;
    });
    for (let row = Math.max(low, first); row <= Math.min(high, last); row++) drawRow(this.context, player, place, row, columns, this.marks);
  }

  // What the cell under the mouse, or the one that was tapped, weighs.
  sayWeight() {
    const { place, player, seen } = this;
    const { row = null, column = null } = player.hover ?? {};
    if (row === null || row >= player.clock.shown || (column === null && !this.tip.offers())) return this.tip.hide();
    const top = place.bar + row * place.pitch;
    const [left, width] = column === null ? [0, 0] : [place.starts[column], place.widths[column]];
    const cell = { left, right: left + width, top, bottom: top + place.pitch };
    const room = { left: seen.left, right: seen.left + seen.width - place.left, top: seen.top, bottom: seen.top + seen.height - place.header };
    const word = player.units.target[row].label;
    const looks = column === null ? "" : ` \u2192 ${player.units.source[column].label} ${decimals(player.units.weight(row, column))}`;
    return this.tip.show(word + looks, cell, room);
  }

  placeMarks() {
    const { place, player } = this;
    const { hover, current } = player;
    moveBox(this.rowMark, current >= 0 && player.data.map, 0, place.bar + current * place.pitch, place.cells, place.pitch);
    const row = hover?.row ?? null;
    const column = hover?.column ?? null;
    const height = place.bar + player.clock.shown * place.pitch;
    moveBox(this.cross, row !== null && row !== current, 0, place.bar + row * place.pitch, place.cells, place.pitch);
    moveBox(this.columnCross, column !== null && player.data.map, place.starts[column], 0, place.widths[column], height);
  }

  // Source tokens carry the colour of the focused row; target tokens that of a hovered column.
  shadeSources() {
    const { player } = this;
    const { units, palette, focusRow, hover } = player;
    const partly = focusRow === player.current ? player.clock.progress : 1;
    this.sourceTokens.forEach((token, c) => token.classList.toggle("current", player.reading === c));
    if (player.data.map) {
      this.sourceTokens.forEach((token, c) => {
        const weight = focusRow >= 0 && hover?.row !== null ? units.shade(focusRow, c, player.options.relative) * partly : 0;
        this.shade(token, c, hover && hover.row === null ? (hover.column === c ? 1 : 0) : weight, palette);
        if (this.place.crowded) token.classList.toggle("lit", hover?.column === c || (focusRow >= 0 && units.weight(focusRow, c) === units.most(focusRow, units.source[c].part)));
      });
    }
    const column = hover && hover.row === null ? hover.column : null;
    this.targetTokens.forEach((token, r) => {
      const lit = column !== null && player.data.map && r < player.clock.shown;
      if (this.place.crowded) token.classList.toggle("lit", hover?.row === r);
      this.shade(token, this.sourceTokens.length + r, lit ? units.shade(r, column, player.options.relative) : 0, palette);
    });
  }

  shade(token, slot, weight, palette) {
    const index = weight < 0.02 ? -1 : palette.index(weight) + (palette.dark ? 1000 : 0);
    if (this.shades[slot] === index) return;
    this.shades[slot] = index;
    token.style.backgroundColor = index < 0 ? "" : palette.fill(weight);
    token.style.color = index < 0 ? "" : palette.inkOn(weight);
  }

  describe() {
    const { units, current } = this.player;
    const text = `Attention map, ${units.target.length} target tokens by ${units.source.length} source tokens. ${current >= 0 ? this.player.sentence(current) : ""}`;
    if (this.described !== text) this.node.setAttribute("aria-label", (this.described = text));
  }
}

function moveBox(node, shown, x, y, width, height) {
  const key = shown ? [x, y, width, height].join() : "";
  if (node.key === key) return;
  node.key = key;
  node.style.display = shown ? "" : "none";
  if (!shown) return;
  node.style.transform = `translate(${x}px, ${y}px)`;
  node.style.width = `${width}px`;
  node.style.height = `${height}px`;
}
