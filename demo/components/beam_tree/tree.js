// The beam tree: columns are steps, the winner is bold, pruned nodes are faint or folded away. All text is set as text.

import { make } from "../elements.js";
import { decimals } from "../numbers.js";
import { Shape, placeRows, placeRest } from "./layout.js";

const PITCH = { numbers: 50, plain: 36 };
const GUTTER = 30;
const HEAD = 46;
const LEFT = 24;
const SMALLEST = 0.62; // of a tree that is fitted: 11 pixels
const SHORT = { "another token was forced": "not forced", "search stopped": "stopped", "length limit": "limit" };
const NUMBERS = { score: "score", logprob: "log p", total: "total" };

export class Tree {
  constructor(root) {
    this.root = root;
    this.mode = "nearest";
    this.numbers = "score";
    this.zoom = 1;
    this.opened = new Set();
    this.measure = document.createElement("canvas").getContext("2d");
    this.build();
  }

  build() {
    this.scroll = make("div", "tree-scroll", null, { tabindex: "0", role: "group", "aria-label": "Beam tree: arrow keys move, Enter plays the node" });
    this.sheet = make("div", "tree-sheet");
    this.frame = make("div", "tree-frame");
    this.frame.append(this.sheet);
    this.scroll.append(this.frame);
    this.said = make("p", "tree-said", null, { role: "status" });
    this.root.append(this.tools(), this.scroll, this.said);
    this.scroll.onkeydown = (event) => this.key(event);
    this.scroll.onwheel = (event) => this.wheel(event);
    this.sheet.onclick = (event) => this.click(event);
    this.sheet.onpointerover = (event) => this.over(event);
    this.sheet.onpointerleave = () => this.hover(null);
    this.sheet.onfocusin = (event) => this.hover(event.target.closest(".tree-node"));
    this.dragToPan();
  }

  tools() {
    const bar = make("div", "tree-tools");
    const pruned = this.select("Pruned", { none: "folded", nearest: "the nearest", all: "all" }, this.mode, (value) => {
      this.mode = value;
      this.opened.clear();
    });
    this.numbersMenu = this.select("Numbers", { ...NUMBERS, none: "none" }, this.numbers, (value) => { this.numbers = value; });
    const zoom = make("span", "tree-zoom", null, { role: "group", "aria-label": "Zoom" });
    for (const [name, label, act] of [["\u2212", "Zoom out", () => this.setZoom(this.zoom / 1.2)], ["+", "Zoom in", () => this.setZoom(this.zoom * 1.2)], ["fit", "Fit the width", () => this.fit()]]) {
      const button = make("button", "", name, { type: "button", "aria-label": label, title: label });
      button.onclick = act;
      zoom.append(button);
    }
    this.legend = make("span", "tree-legend");
    bar.append(pruned, this.numbersMenu, zoom, this.legend);
    return bar;
  }

  select(label, options, value, act) {
    const box = make("label", "", label);
    const list = make("select");
    for (const [key, name] of Object.entries(options)) list.append(make("option", "", name, { value: key }));
    list.value = value;
    list.onchange = () => {
      act(list.value);
      this.draw();
    };
    box.append(list);
    return box;
  }

  // Simple: words, and no numbers.
  spare(plain) {
    if (Boolean(plain) === Boolean(this.plain)) return;
    this.plain = plain;
    this.numbersMenu.hidden = plain;
    this.numbers = plain ? "none" : "score";
    this.numbersMenu.querySelector("select").value = this.numbers;
    if (this.tree) this.draw();
  }

  update(tree, height, choose) {
    this.choose = choose;
    this.scroll.style.maxHeight = `${height}px`;
    const fresh = tree.id !== this.tree?.id;
    const moved = tree.chosen !== this.tree?.chosen;
    if (!fresh && !moved) return;
    this.tree = tree;
    if (fresh) {
      this.shape = new Shape(tree);
      this.opened.clear();
    }
    this.chosen = tree.chosen;
    this.draw();
    if (fresh) {
      this.fitIfLegible();
      this.scroll.scrollTo({ left: 0, top: 0 });
    }
    if (this.chosen !== null && moved && this.chosen !== this.clicked) this.reveal(this.chosen);
    this.clicked = null;
  }

  draw() {
    const { shape } = this;
    const focused = this.root.getRootNode().activeElement?.dataset?.at;
    this.shown = shape.visible(this.mode, this.opened, this.chosen);
    const placed = placeRows(shape, this.shown);
    this.rows = placed.rows;
    this.rest = placeRest(shape, placed);
    this.pitch = this.numbers === "none" ? PITCH.plain : PITCH.numbers;
    this.placeColumns();
    this.width = this.lefts.at(-1) + 20;
    this.height = HEAD + placed.height() * this.pitch + 8;
    this.sheet.style.width = `${this.width}px`;
    this.sheet.style.height = `${this.height}px`;
    this.buttons = new Map();
    const nodes = [...this.shown].map((at) => this.button(at));
    const ghosts = this.rest ? this.tree.greedy.rest.map((token, i) => this.ghost(token, this.rest.from + i)) : [];
    this.sheet.replaceChildren(this.edges(), this.heads(), ...nodes, ...ghosts, make("span", "tree-start", null, { style: `top:${HEAD + this.pitch / 2}px` }));
    this.tabStop(focused !== undefined && this.buttons.has(Number(focused)) ? Number(focused) : (this.chosen ?? this.tree.best[0]));
    if (focused !== undefined) this.buttons.get(Number(focused))?.focus();
    this.setZoom(this.zoom);
    this.drawLegend();
    this.hover(null);
  }

  // A column is as wide as its widest token.
  placeColumns() {
    this.measure.font = `600 20px ${getComputedStyle(this.scroll).fontFamily}`;
    const steps = Math.max(this.shape.steps, this.rest ? this.rest.from + this.tree.greedy.rest.length : 0);
    const widths = new Array(steps).fill(56);
    const fit = (step, token) => { widths[step] = Math.max(widths[step], Math.min(190, Math.ceil(this.measure.measureText(token).width) + 22)); };
    for (const at of this.shown) fit(this.tree.step[at], this.tree.token[at] + (this.shape.output.has(at) ? " 00" : ""));
    if (this.rest) this.tree.greedy.rest.forEach((token, i) => fit(this.rest.from + i, token));
    this.widths = widths;
    this.lefts = [LEFT + 14];
    for (const width of widths) this.lefts.push(this.lefts.at(-1) + width + GUTTER);
  }

  spot(step, row) {
    return { left: this.lefts[step], top: HEAD + row * this.pitch, width: this.widths[step], middle: HEAD + row * this.pitch + this.pitch / 2 };
  }

  kind(at) {
    const { shape } = this;
    if (shape.best.has(at)) return "best";
    return shape.isPruned(at) ? "pruned" : "kept";
  }

  button(at) {
    const { tree, shape } = this;
    const { left, top, width } = this.spot(tree.step[at], this.rows.get(at));
    const button = make("button", `tree-node ${this.kind(at)}`, null, { type: "button", tabindex: "-1", "aria-label": this.sentence(at) });
    button.dataset.at = at;
    Object.assign(button.style, { left: `${left}px`, top: `${top + 3}px`, width: `${width}px`, height: `${this.pitch - 6}px` });
    const line = make("span", "tree-token", tree.token[at]);
    if (tree.token[at] === "end") line.classList.add("special");
    button.append(line);
    if (shape.output.has(at)) button.append(make("span", "tree-place", String(shape.output.get(at))));
    if (this.numbers !== "none") {
      const value = this.kind(at) === "pruned" && this.numbers === "score" ? `${this.short(at)}` : decimals(tree[this.numbers][at]);
      button.append(make("span", "tree-number", value));
    }
    if (shape.forced.has(at)) button.classList.add("forced");
    if (at === this.chosen) {
      button.classList.add("chosen");
      button.setAttribute("aria-current", "true");
    }
    this.buttons.set(at, button);
    return button;
  }

  // Why it was pruned, in the room of a number: the gap to the last one kept, or a word.
  short(at) {
    return SHORT[this.tree.why[at]] ?? `gap ${decimals(-this.tree.gap[at])}`;
  }

  ghost(token, step) {
    const { left, top, width } = this.spot(step, this.rest.row);
    const node = make("span", "tree-ghost", null, { title: "Only greedy search went here" });
    node.append(make("span", "tree-token", token));
    Object.assign(node.style, { left: `${left}px`, top: `${top + 3}px`, width: `${width}px`, height: `${this.pitch - 6}px` });
    return node;
  }

  heads() {
    const head = make("div", "tree-heads");
    for (let step = 0; step < this.widths.length; step++) {
      const cell = make("div", "tree-head", String(step + 1));
      Object.assign(cell.style, { left: `${this.lefts[step]}px`, width: `${this.widths[step] + GUTTER - 8}px` });
      const pruned = step < this.shape.steps ? this.shape.prunedAt(step) : 0;
      if (pruned && this.mode !== "all") {
        const open = this.opened.has(step);
        const more = make("button", "tree-more", open ? "fold" : `+${pruned}`, {
          type: "button", "aria-expanded": String(open), "aria-label": `${open ? "Fold" : "Show"} the ${pruned} pruned at step ${step + 1}`, title: `${pruned} pruned at this step`,
        });
        more.dataset.step = step;
        cell.append(more);
      }
      head.append(cell);
    }
    return head;
  }

  edges() {
    const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    for (const [name, value] of [["width", this.width], ["height", this.height], ["aria-hidden", "true"], ["class", "tree-edges"]]) svg.setAttribute(name, value);
    const { tree, shape } = this;
    const drawn = [...this.shown].sort((a, b) => (shape.best.has(a) ? 1 : 0) - (shape.best.has(b) ? 1 : 0));
    for (const at of drawn) svg.append(this.edge(this.exit(tree.parent[at]), this.spot(tree.step[at], this.rows.get(at)), this.kind(at)));
    const walked = tree.greedy ? tree.greedy.path : [];
    for (const at of walked) svg.append(this.edge(this.exit(tree.parent[at]), this.spot(tree.step[at], this.rows.get(at)), "greedy"));
    if (this.rest) {
      let from = this.exit(this.rest.last ?? -1);
      tree.greedy.rest.forEach((_, i) => {
        const to = this.spot(this.rest.from + i, this.rest.row);
        svg.append(this.edge(from, to, "greedy"));
        from = { x: to.left + to.width, y: to.middle };
      });
    }
    return svg;
  }

  exit(at) {
    if (at < 0) return { x: LEFT, y: HEAD + this.pitch / 2 };
    const { left, width, middle } = this.spot(this.tree.step[at], this.rows.get(at));
    return { x: left + width, y: middle };
  }

  edge(from, to, kind) {
    const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
    const shift = kind === "greedy" ? 5 : 0;
    const bend = Math.min(26, (to.left - from.x) / 2);
    const [y, end] = [from.y + shift, to.middle + shift];
    path.setAttribute("d", `M${from.x} ${y} C${from.x + bend} ${y} ${to.left - bend} ${end} ${to.left} ${end}`);
    path.setAttribute("class", `edge ${kind}`);
    return path;
  }

  drawLegend() {
    const entry = (kind, name) => {
      const item = make("span", "tree-key");
      item.append(make("span", `swatch ${kind}`), name);
      return item;
    };
    const items = [entry("best", "best"), entry("kept", "kept"), entry("pruned", "pruned")];
    if (this.tree.greedy) items.push(entry("greedy", "greedy"));
    if (this.tree.forced.length) items.push(entry("forced", "forced"));
    this.legend.replaceChildren(...items);
  }

  // What is said of a node, below the tree and to a screen reader.
  sentence(at) {
    const { tree, shape } = this;
    const numbers = `log p ${decimals(tree.logprob[at])}, total ${decimals(tree.total[at])}, score ${decimals(tree.score[at])}`;
    const greedy = shape.greedy.has(at) ? " Greedy takes it too." : "";
    if (this.plain) return `${tree.unit} ${tree.step[at] + 1}, ${tree.token[at]}. ${this.fate(at)}${greedy}`;
    return `${tree.unit} ${tree.step[at] + 1}, ${tree.token[at]}: ${numbers}. ${this.fate(at)}${greedy}`;
  }

  fate(at) {
    const { tree, shape } = this;
    if (shape.output.has(at)) return `Output ${shape.output.get(at)}.`;
    if (shape.best.has(at)) return shape.forced.has(at) ? "Forced; on the way to the best output." : "On the way to the best output.";
    if (!shape.isPruned(at)) return shape.forced.has(at) ? "Forced." : "Kept.";
    if (this.plain && tree.why[at] === "outside the beam") return `Pruned: outside the beam of ${tree.kept}.`;
    if (tree.why[at] !== "outside the beam") return `Pruned: ${tree.why[at]}.`;
    return `Pruned: outside the beam of ${tree.kept}, ${decimals(-tree.gap[at])} behind the last one kept.`;
  }

  rule() {
    const { greedy } = this.tree;
    if (!greedy) return "Click a node to play it.";
    if (greedy.parts === null) return "Greedy finds the same output. Click a node to play it.";
    if (greedy.pruned !== null) return `Greedy goes another way at step ${greedy.parts + 1}, and the beam drops its path at step ${greedy.pruned + 1}. Click a node to play it.`;
    return `Greedy goes another way at step ${greedy.parts + 1}; the beam kept its path to the end and found a better one. Click a node to play it.`;
  }

  // A node that moves under a pointer at rest is not what the person points at.
  over(event) {
    const { x, y } = this.pointer ?? { x: -1, y: -1 };
    this.pointer = { x: event.clientX, y: event.clientY };
    const moved = Math.max(Math.abs(x - event.clientX), Math.abs(y - event.clientY)); // a click tells whole pixels, the pointer parts of them
    if (moved >= 1) this.hover(event.target.closest(".tree-node"));
  }

  hover(button) {
    const at = button ? Number(button.dataset.at) : this.chosen;
    const text = at === null || at === undefined ? this.rule() : this.sentence(at);
    if (this.said.textContent !== text) this.said.textContent = text;
    for (const lit of this.sheet.querySelectorAll(".lit")) lit.classList.remove("lit");
    if (button) for (let up = at; up >= 0; up = this.tree.parent[up]) this.buttons.get(up)?.classList.add("lit");
  }

  click(event) {
    const more = event.target.closest(".tree-more");
    if (more) {
      const step = Number(more.dataset.step);
      if (!this.opened.delete(step)) this.opened.add(step);
      this.draw();
      this.sheet.querySelector(`.tree-more[data-step="${step}"]`)?.focus();
      return;
    }
    const button = event.target.closest(".tree-node");
    if (!button || this.dragged) return;
    const at = Number(button.dataset.at);
    for (const other of this.buttons.values()) other.classList.toggle("chosen", other === button);
    this.tabStop(at);
    this.clicked = at;
    this.pointer = { x: event.clientX, y: event.clientY };
    this.choose(this.tree.node[at]);
  }

  tabStop(at) {
    for (const [other, button] of this.buttons) button.tabIndex = other === at ? 0 : -1;
  }

  key(event) {
    if (event.key === "+" || event.key === "-") return this.setZoom(this.zoom * (event.key === "+" ? 1.2 : 1 / 1.2));
    const target = event.target.closest?.(".tree-node");
    if (!target || !event.key.startsWith("Arrow")) return undefined;
    event.preventDefault();
    const next = this.neighbour(Number(target.dataset.at), event.key);
    if (next === undefined || next < 0) return undefined;
    this.tabStop(next);
    this.buttons.get(next).focus();
    return undefined;
  }

  neighbour(at, key) {
    const { tree, shape } = this;
    if (key === "ArrowLeft") return tree.parent[at];
    if (key === "ArrowRight") return shape.children[at].filter((child) => this.shown.has(child)).sort((a, b) => this.rows.get(a) - this.rows.get(b))[0];
    const column = [...this.shown].filter((other) => tree.step[other] === tree.step[at]).sort((a, b) => this.rows.get(a) - this.rows.get(b));
    return column[column.indexOf(at) + (key === "ArrowDown" ? 1 : -1)];
  }

  wheel(event) {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    this.setZoom(this.zoom * Math.exp(-event.deltaY / 400), event);
  }

  fit() {
    this.setZoom((this.scroll.clientWidth - 2) / this.width);
    this.scroll.scrollTo({ left: 0, top: 0 });
  }

  // A tree that is cut is worse than one that is small, as long as it can be read.
  fitIfLegible() {
    if (this.scroll.clientWidth === 0) return requestAnimationFrame(() => this.root.isConnected && this.fitIfLegible());
    return this.setZoom(Math.max(SMALLEST, Math.min(1, (this.scroll.clientWidth - 2) / this.width)));
  }

  setZoom(zoom, around = null) {
    const box = this.scroll.getBoundingClientRect();
    const [x, y] = around ? [around.clientX - box.left, around.clientY - box.top] : [box.width / 2, box.height / 2];
    const before = this.zoom;
    this.zoom = Math.min(2, Math.max(0.3, zoom));
    const [left, top] = [this.scroll.scrollLeft, this.scroll.scrollTop];
    this.sheet.style.transform = `scale(${this.zoom})`;
    this.frame.style.width = `${this.width * this.zoom}px`;
    this.frame.style.height = `${this.height * this.zoom}px`;
    if (before !== this.zoom) this.scroll.scrollTo({ left: ((left + x) * this.zoom) / before - x, top: ((top + y) * this.zoom) / before - y });
  }

  dragToPan() {
    let from = null;
    this.scroll.onpointerdown = (event) => {
      this.dragged = false;
      if (event.pointerType !== "mouse" || event.button !== 0 || event.target.closest(".tree-more")) return;
      from = { x: event.clientX, y: event.clientY, left: this.scroll.scrollLeft, top: this.scroll.scrollTop };
    };
    this.scroll.onpointermove = (event) => {
      if (!from) return;
      if (!this.dragged && Math.hypot(event.clientX - from.x, event.clientY - from.y) < 6) return;
      this.dragged = true;
      this.scroll.classList.add("panning");
      this.scroll.scrollTo({ left: from.left - (event.clientX - from.x), top: from.top - (event.clientY - from.y) });
    };
    const stop = () => {
      from = null;
      this.scroll.classList.remove("panning");
    };
    this.scroll.onpointerup = stop;
    this.scroll.onpointerleave = stop;
  }

  reveal(at) {
    const { left, top, width } = this.spot(this.tree.step[at], this.rows.get(at));
    const [x, y, w] = [left * this.zoom, top * this.zoom, width * this.zoom];
    const { scrollLeft, scrollTop, clientWidth, clientHeight } = this.scroll;
    if (x < scrollLeft + 20 || x + w > scrollLeft + clientWidth - 20) this.scroll.scrollLeft = Math.max(0, x - clientWidth / 2);
    if (y < scrollTop + HEAD || y + this.pitch > scrollTop + clientHeight) this.scroll.scrollTop = Math.max(0, y - clientHeight / 2);
  }
}
