// What stands in the network at every step: the names of its rows, the encoder, h_T, and the decoder as far as it has come.

import { range } from "../numbers.js";
import { indexOf } from "./network_layout.js";
import { arcPath, arrowPath, bendPath, draw, elbowPath, saidPath } from "./network_lines.js";

export function drawNames(view) {
  if (!view.margin) return;
  const { y, wires } = view;
  const name = (text, at, more = "") => {
    draw(view.base, "text", { x: 2, y: at + (more ? -3 : 5), class: "row-name" }, text);
    if (more) draw(view.base, "text", { x: 2, y: at + 15, class: "row-more" }, more);
  };
  const cell = wires.body === "transformer" ? "Transformer" : wires.cell.toUpperCase();
  const layers = (count) => `${cell}${count > 1 ? `, ${count} layers` : ""}`;
  if (view.chain.length) name("encoder", y.read, layers(wires.encoder_layers));
  else if (view.grid >= 0) name("encoder", y.read, "CNN");
  if (view.player.data.map) name("attention", y.context - 4, wires.attention);
  name("decoder", y.state, layers(wires.decoder_layers));
}

// Cells of the photo, as bright as they are looked at.
export function drawGrid(view) {
  const { frame, player, grid } = view;
  const { rows: count, columns: across } = player.data.parts[grid];
  const { first } = player.units.parts[grid];
  const [width, height] = [frame.width / across, frame.height / count];
  view.cell = (column) => ({ x: frame.x + ((column - first) % across + 0.5) * width, y: frame.y + (Math.floor((column - first) / across) + 0.5) * height });
  const row = player.focusRow;
  const most = row >= 0 && player.data.map ? player.units.most(row, grid) || 1 : 1;
  for (const cell of range(count * across)) {
    const { x, y } = view.cell(first + cell);
    const looked = row >= 0 && player.data.map ? player.units.weight(row, first + cell) / most : 0;
    view.hits.push({ x, y, width, height, over: null, choose: () => player.choose(player.current, first + cell) });
    draw(view.base, "rect", { x: x - width / 2, y: y - height / 2, width, height, class: "cell", "data-lives": "read", "data-from": player.units.source[first + cell].start, "data-to": player.units.source[first + cell].end, "fill-opacity": (0.75 * looked).toFixed(2) });
  }
}

export function drawEncoder(view) {
  const { player, y, size, wires } = view;
  const { reading } = player;
  const { clock } = player;
  const read = (span) => (reading === null ? clock.at >= 0 || player.focusRow >= 0 : view.columnOf(span) <= reading);
  view.sourceBoxes = view.source.map((span) => {
    const unit = view.chain[span.from];
    const act = { over: { row: null, column: unit.column }, choose: () => player.choose(null, unit.column) };
    const state = !read(span) ? "coming" : reading === unit.column ? "now" : "done";
    draw(view.base, "path", { d: arrowPath(span.x, y.source + size.token, span.x, y.read - size.box / 2 - 2 - 4 * (wires.encoder_layers - 1)), class: read(span) ? "flow" : "flow coming" });
    return view.box(span, y.read, "h", unit.start, unit.end, state, act, wires.encoder_layers);
  });
  view.source.slice(1).forEach((span, i) => {
    const before = view.source[i];
    if (view.chain[before.from].part !== view.chain[span.from].part) return;
    if (wires.body === "transformer") return;
    const way = Math.sign(span.x - before.x);
    const [from, to] = [before.x + (way * view.sourceBoxes[i].width) / 2, span.x - (way * view.sourceBoxes[i + 1].width) / 2];
    const off = wires.bidirectional ? 7 : 0;
    draw(view.base, "path", { d: arrowPath(from + 2 * way, y.read - off, to - 2 * way, y.read - off), class: read(span) ? "flow" : "flow coming" });
    if (wires.bidirectional) draw(view.base, "path", { d: arrowPath(to - 2 * way, y.read + off, from + 2 * way, y.read + off), class: read(before) ? "flow" : "flow coming" });
  });
  if (wires.body === "transformer") drawAmong(view, view.source, y.read - size.box / 2 - 4 * (wires.encoder_layers - 1));
}

// Self-attention: each looks at each other.
function drawAmong(view, spans, y) {
  spans.forEach((one, i) => spans.slice(i + 1).forEach((other, apart) => {
    draw(view.base, "path", { d: arcPath(one.x, other.x, y, 18 + Math.min(22, 5 * apart)), class: "among" });
  }));
}

// h_T, from the last states of both directions; with a map it is where the decoder starts from, and no more.
export function drawSummary(view) {
  const { player, y, size, wires } = view;
  if (!player.data.parts.length || wires.body === "transformer") return;
  const home = view.target[0].x;
  const half = Math.min(24, view.target[0].width / 2 - 2);
  const className = `flow${player.data.map ? " coming" : ""}`;
  const top = y.above + 12;
  if (view.source.length) {
    const [first, last] = [view.source[0], view.source.at(-1)];
    draw(view.base, "path", { d: elbowPath([last.x, y.read + size.box / 2], [last.x, top], [home, top], [home, y.context - 17]), class: className });
    if (wires.bidirectional) draw(view.base, "path", { d: elbowPath([first.x, y.read + size.box / 2], [first.x, top], [home, top], [home, y.context - 17]), class: className });
  } else draw(view.base, "path", { d: elbowPath([Math.max(home, view.frame.x + 12), y.above], [Math.max(home, view.frame.x + 12), top], [home, top], [home, y.context - 17]), class: className });
  const label = draw(view.base, "g", { class: `box summary ${player.data.map ? "" : "now"}`, "data-lives": "summary" });
  draw(label, "rect", { x: home - half, y: y.context - 16, width: 2 * half, height: 32, rx: 16 });
  const text = draw(label, "text", { x: home, y: y.context + 5, class: "letter" }, player.letter("h"));
  draw(text, "tspan", { dy: 5, "font-size": "70%" }, "T");
  if (!player.data.map) {
    const option = player.data.link === "every-step" ? "Option 2: one vector, again at every step" : "Option 1: one vector for the whole source, once";
    draw(view.base, "text", { x: home + 14, y: (top + y.context - 17) / 2 + 7, class: "option" }, option);
  }
  draw(view.base, "path", { d: arrowPath(home, y.context + 17, home, y.state - size.box / 2 - 2), class: player.focusRow === 0 && !player.data.map ? "flow alive" : className });
}

export function drawDecoder(view) {
  const { player, y, size, wires } = view;
  const { clock, focusRow } = player;
  const transformer = wires.body === "transformer";
  view.targetBoxes = view.target.map((span) => {
    const row = span.from - 1;
    const unit = view.unitOf(span);
    if (!unit) return transformer ? { width: 0 } : view.box(span, y.state, "s", -1, 0, "done", null, wires.decoder_layers);
    const state = row === focusRow ? "now" : row < clock.shown ? "done" : "coming";
    const act = { over: row < clock.shown && span.to - span.from === 1 ? { row, column: null } : null, choose: () => player.choose(row, null) };
    const made = view.box(span, y.state, "s", unit.start, unit.end, state, act, wires.decoder_layers);
    if (row < clock.shown && span.to - span.from === 1) drawOutput(view, span, row, made.width);
    if (carries(view) && row !== focusRow) drawOtherContext(view, span, state);
    return made;
  });
  view.target.slice(1).forEach((span, i) => {
    const [before, row] = [view.target[i], span.from - 1];
    const seen = row < clock.shown;
    if (!transformer) {
      const [from, to] = [before.x + view.targetBoxes[i].width / 2 + 2, span.x - view.targetBoxes[i + 1].width / 2 - 2];
      const top = y.state - size.box / 2 - 2;
      const fromContext = carries(view) && i > 0; // what was found has taken the state's place
      const path = fromContext ? bendPath(before.x + 11, y.context + 13, before.x + 16, top - 22, span.x - 12, top - 26, span.x - 12, top) : arrowPath(from, y.state, to, y.state);
      draw(row === focusRow ? view.alive : view.base, "path", { d: path, class: row === focusRow ? "flow alive" : seen ? "flow" : "flow coming", ...(row === focusRow && { "data-lives": "carry" }) });
    }
    if (seen) drawFeed(view, before, span, row);
    if (seen && player.data.link === "every-step") drawAgain(view, span, row === focusRow);
  });
  if (view.target[0].from === 0) view.start.classList.toggle("current", focusRow === 0);
  if (size.font) view.start.style.opacity = clock.shown ? "" : "0.6";
}

// Where the context of a step takes the place of its state: no arrow leads from state to state.
function carries({ wires, player }) {
  return wires.wiring === "state" && Boolean(player.data.map);
}

// The context of a step that is not in focus, which the next begins with: c_{t-1} for the one that is.
function drawOtherContext(view, span, state) {
  const { y, size } = view;
  const { start, end } = view.unitOf(span);
  const group = draw(view.front, "g", { class: `box ${state}`, ...(span.to - 1 === view.player.focusRow && { "data-lives": "carry" }) });
  draw(group, "circle", { cx: span.x, cy: y.context, r: 16 });
  draw(group, "text", { x: span.x, y: y.context + 6, class: "letter" }, `${view.player.letter("c")}${indexOf(start, end)}`);
  draw(view.base, "path", { d: arrowPath(span.x, y.state - size.box / 2 - 2, span.x, y.context + 17), class: state === "done" ? "flow" : "flow coming" });
}

// The token and its probability; the arrow of the focused step comes with the step.
function drawOutput(view, span, row, boxWidth) {
  const { player, y, size } = view;
  const p = Math.exp(player.units.step(row).logprob);
  const width = Math.min(span.width - 14, 70);
  draw(view.base, "rect", { x: span.x - width / 2, y: y.bars, width, height: 5, class: "chance" });
  draw(view.base, "rect", { x: span.x - width / 2, y: y.bars, width: width * p, height: 5, class: "chance full", ...(row === player.focusRow && { "data-lives": "output" }) });
  if (row === player.focusRow) return;
  const path = carries(view) ? saidPath({ x: span.x, y: y.context }, 16, boxWidth, y) : arrowPath(span.x, y.state + size.box / 2, span.x, y.out);
  draw(view.base, "path", { d: path, class: "flow" });
}

// The word just said goes into the next state.
function drawFeed(view, before, span, row) {
  const { player, y, size } = view;
  const now = row === player.focusRow;
  const [x0, x1] = [before.x + Math.min(before.width / 2 - 4, 30), span.x - view.targetBoxes[view.target.indexOf(span)].width / 2 + 9];
  const path = bendPath(x0, y.out + 6, x0 + 14, y.out - 12, x1, y.state + size.box / 2 + 22, x1, y.state + size.box / 2 + 2);
  view.flow(path, now, 0, "input");
}

// h_T once more.
function drawAgain(view, span, now) {
  const { y, size, target } = view;
  view.flow(elbowPath([target[0].x + Math.min(24, target[0].width / 2 - 2), y.context], [span.x, y.context], [span.x, y.state - size.box / 2 - 2]), now, 0, "summary");
}
