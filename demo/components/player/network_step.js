// The step in focus: what comes in, where it looks, with lines as wide as the weights, and what goes out.

import { clamp, decimals, range } from "../numbers.js";
import { indexOf } from "./network_layout.js";
import { arcPath, arrowPath, draw, lookPath, saidPath } from "./network_lines.js";

const MOST_LINES = 12; // from a photo, whose cells are many: those that are looked at most
const FAINTEST = 0.004; // a weight below it is no line
const RADIUS = 18; // of c_t

export function drawStep(view, row) {
  const { player, y, size } = view;
  const span = view.target.find(({ from, to }) => from <= row + 1 && row + 1 < to);
  const place = view.target.indexOf(span);
  const width = view.targetBoxes[place].width;
  if (!player.data.map) {
    view.flow(arrowPath(span.x, y.state + size.box / 2, span.x, y.out), true, 1, "output");
    return;
  }
  drawContext(view, span, row);
  const c = { x: span.x, y: y.context };
  if (view.wires.body === "transformer") {
    drawEarlier(view, place);
    view.flow(arrowPath(c.x - 6, y.state - size.box / 2 - 2, c.x - 6, c.y + RADIUS), true, 0, "asks", "asks");
    view.flow(arrowPath(c.x + 6, c.y + RADIUS, c.x + 6, y.state - size.box / 2 - 2), true, 2, "context");
    view.flow(arrowPath(span.x, y.state + size.box / 2, span.x, y.out), true, 2, "output");
  } else if (view.wires.wiring === "input") {
    const before = view.target[place - 1];
    view.flow(arrowPath(before.x + 8, y.state - size.box / 2 - 2, c.x - RADIUS * 0.8, c.y + RADIUS * 0.75), true, 0, "asks", "asks");
    view.flow(arrowPath(c.x, c.y + RADIUS + 1, c.x, y.state - size.box / 2 - 2), true, 2, "context");
    view.flow(arrowPath(span.x, y.state + size.box / 2, span.x, y.out), true, 2, "output");
    view.flow(saidPath(c, RADIUS, width, y), true, 2, "context");
  } else {
    view.flow(arrowPath(c.x, y.state - size.box / 2 - 2, c.x, c.y + RADIUS + 1), true, 0, "asks", "asks");
    if (view.wires.wiring !== "state") view.flow(arrowPath(span.x, y.state + size.box / 2, span.x, y.out), true, 2, "output");
    view.flow(saidPath(c, RADIUS, width, y), true, 2, "context");
  }
}

// A Transformer's step looks at the steps before it.
function drawEarlier(view, place) {
  const { y, size } = view;
  const now = view.target[place];
  for (const [apart, span] of view.target.slice(1, place).reverse().entries()) {
    view.flow(arcPath(span.x, now.x - 12, y.state - size.box / 2 - 2, 16 + Math.min(20, 5 * apart)), true, 0, "asks", "asks");
  }
}

// c_t, and the lines into it.
function drawContext(view, span, row) {
  const { player, y } = view;
  const c = { x: span.x, y: y.context };
  const { start, end } = player.units.target[row];
  for (const line of linesOf(view, row)) {
    const from = lineStart(view, line);
    const shade = player.palette.fill(0.25 + 0.75 * clamp(line.shade, 0, 1));
    const node = draw(view.alive, "path", { d: lookPath(from.x + line.off, from.y, c.x + line.off / 2, c.y - RADIUS + 3), class: "look", pathLength: 1, stroke: shade, "data-lives": "looks", ...placed(view, line), "stroke-width": Math.max(1, line.weight * line.scale).toFixed(2) });
    view.moving.push({ node, stage: 1, grows: true });
  }
  const group = draw(view.front, "g", { class: "box now", "data-lives": "context" });
  draw(group, "circle", { cx: c.x, cy: c.y, r: RADIUS });
  draw(group, "text", { x: c.x, y: c.y + 6, class: "letter" }, `${player.letter("c")}${indexOf(start, end)}`);
  drawWeights(view, row);
}

// The positions a line comes from, for who asks where a weight lives.
function placed(view, { place, column }) {
  if (column !== undefined) return { "data-from": view.player.units.source[column].start, "data-to": view.player.units.source[column].end };
  const { from, to } = view.source[place];
  return { "data-from": view.chain[from].start, "data-to": view.chain[to - 1].end };
}

function lineStart(view, line) {
  if (line.column !== undefined) return view.cell(line.column);
  return { x: view.source[line.place].x, y: view.y.read + view.size.box / 2 };
}

// Lines of a step: a column's, or of what is folded into one the sum; of several heads as many as there are; of a photo the strongest.
function linesOf(view, row) {
  const { player } = view;
  const { units, data, options } = player;
  const hard = view.wires.attention === "hard" ? data.marks.find((mark) => mark.position) : null;
  const only = hard ? units.columnOf(units.mark(hard, row)) : null;
  const lines = [];
  const heads = shownHeads(view, row);
  heads.forEach((weights, k) => {
    const off = heads.length > 1 ? (k - (heads.length - 1) / 2) * Math.min(5, 24 / heads.length) : 0;
    const scale = heads.length > 1 ? 24 / heads.length + 2 : 15;
    view.source.forEach((span, place) => {
      const columnsOf = range(span.to - span.from).map((i) => view.chain[span.from + i].column);
      const weight = columnsOf.reduce((sum, column) => sum + weights[column], 0);
      if (only === null ? weight >= FAINTEST : columnsOf.includes(only)) lines.push({ place, weight: only === null ? weight : 1, off, scale, shade: options.relative ? weight / (Math.max(...weights) || 1) : weight });
    });
  });
  if (view.grid >= 0) lines.push(...photoLooks(view, row, only));
  return lines;
}

function photoLooks(view, row, only) {
  const { units } = view.player;
  const most = units.most(row, view.grid) || 1;
  if (only !== null) return [{ column: only, weight: 1, off: 0, scale: 5, shade: 1 }];
  const strongest = units.strongest(row, view.grid).slice(0, MOST_LINES).filter((column) => units.weight(row, column) > most / 12);
  return strongest.map((column) => ({ column, weight: units.weight(row, column) / most, off: 0, scale: 4, shade: units.weight(row, column) / most }));
}

// The weights of each head that is shown, by column; a word's, as everywhere, the mean over its pieces.
function shownHeads(view, row) {
  const { units, data } = view.player;
  const shown = range(data.heads.length).filter((k) => units.head === null || units.head === k);
  if (shown.length === 1 || view.wires.attention === "hard") return [units.row(row)];
  const { start, end } = units.target[row];
  return shown.map((k) => {
    const own = new Float32Array(units.columns);
    for (let t = start; t < end; t++) units.addRow(own, data.attention[t][k], 1 / (end - start));
    return own;
  });
}

// The weights as numbers under their states, where they count.
function drawWeights(view, row) {
  const { player, y, size } = view;
  const { units } = player;
  view.source.forEach((span) => {
    const columnsOf = range(span.to - span.from).map((i) => view.chain[span.from + i].column);
    const weight = columnsOf.reduce((sum, column) => sum + units.weight(row, column), 0);
    if (weight < 0.045) return;
    draw(view.front, "text", { x: span.x, y: y.read + size.box / 2 + 19, class: "weight", "data-lives": "looks", "data-from": view.chain[span.from].start, "data-to": view.chain[span.to - 1].end }, decimals(weight));
  });
}

// The encoder at a position.
export function drawReading(view, column) {
  const { y, size, wires } = view;
  const place = view.source.findIndex(({ from, to }) => view.chain[from].column <= column && column <= view.chain[to - 1].column);
  if (place < 0) return;
  const span = view.source[place];
  view.flow(arrowPath(span.x, y.source + size.token, span.x, y.read - size.box / 2 - 2 - 4 * (wires.encoder_layers - 1)), true, 0);
  if (wires.body === "transformer") return;
  const off = wires.bidirectional ? 7 : 0;
  const between = (other, up) => {
    if (other < 0 || other >= view.source.length || view.chain[view.source[other].from].part !== view.chain[span.from].part) return;
    const way = Math.sign(span.x - view.source[other].x);
    view.flow(arrowPath(view.source[other].x + way * (view.sourceBoxes[other].width / 2 + 2), y.read + up, span.x - way * (view.sourceBoxes[place].width / 2 + 2), y.read + up), true, 0);
  };
  between(place - 1, -off);
  if (wires.bidirectional) between(place + 1, off);
}
