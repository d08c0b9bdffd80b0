// On demand, under any view: how much attention each source word, or each cell of a photo, has received so far, and what was never looked at.

import { sizeCanvas } from "../canvas.js";
import { make } from "../elements.js";
import { decimals, range } from "../numbers.js";

const NEVER = 0.05; // in all: a row that looks elsewhere leaves a little everywhere
const GRID = 240;

// Of each column, over the steps that are shown; every token of the output counts as one row that adds up to 1.
export function received(units, shown) {
  const sums = new Float64Array(units.columns);
  for (let row = 0; row < shown; row++) {
    const { start, end } = units.target[row];
    for (let column = 0; column < units.columns; column++) sums[column] += units.weight(row, column) * (end - start);
  }
  return [...sums];
}

export class Sums {
  constructor(player) {
    this.player = player;
    this.node = make("details", "sums");
    this.body = make("div", "sums-body");
    this.node.append(make("summary", "", "Attention received"), this.body);
    this.node.ontoggle = () => this.update(true);
  }

  update(again = false) {
    const { player } = this;
    const key = [player.clock.shown, player.version].join();
    if (!this.node.open || (!again && key === this.key)) return;
    this.key = key;
    const sums = received(player.units, player.clock.shown);
    const said = player.units.parts.flatMap((part) => this.part(part, sums.slice(part.first, part.end)));
    this.body.replaceChildren(...said);
  }

  part({ first, end, name }, sums) {
    const { player } = this;
    const part = player.data.parts[player.units.source[first]?.part ?? 0];
    const labels = range(end - first).map((i) => player.units.source[first + i].label);
    const never = range(sums.length).filter((i) => sums[i] < NEVER);
    const covered = sums.reduce((all, sum) => all + Math.min(1, sum), 0) / Math.max(1, sums.length);
    const counted = part.kind === "grid" ? `${never.length} of ${sums.length} cells, framed` : never.map((i) => `\u201c${labels[i]}\u201d`).join(", ");
    const missed = never.length ? `Never looked at, less than ${NEVER} in all: ${counted}.` : "Everything was looked at.";
    const note = make("p", "sums-note", `${player.units.parts.length > 1 ? `${name}: ` : ""}${missed} Coverage ${decimals(covered)}.`);
    return [part.kind === "grid" ? this.grid(part, sums, never) : this.list(labels, sums), note];
  }

  list(labels, sums) {
    const list = make("ol", "sums-list");
    const most = Math.max(1, ...sums);
    labels.forEach((label, i) => {
      const line = make("li", sums[i] < NEVER ? "never" : "");
      const room = make("span", "bar");
      const fill = make("span", "bar-fill");
      fill.style.transform = `scaleX(${sums[i] / most})`;
      room.append(fill);
      line.append(make("span", "", label), room, make("span", "figure", decimals(sums[i])));
      list.append(line);
    });
    return list;
  }

  grid({ rows, columns }, sums, never) {
    const canvas = make("canvas", "sums-grid", null, { role: "img", "aria-label": `The sum in each of ${rows} by ${columns} cells, at most ${decimals(Math.max(...sums))}` });
    const side = GRID / columns;
    const context = sizeCanvas(canvas, GRID, rows * side);
    const most = Math.max(...sums, 1e-9);
    sums.forEach((sum, cell) => {
      context.fillStyle = this.player.palette.fill(sum / most);
      context.fillRect((cell % columns) * side, Math.floor(cell / columns) * side, side - 1, side - 1);
    });
    context.strokeStyle = this.player.palette.inkOn(0);
    context.lineWidth = 1;
    for (const cell of never) context.strokeRect((cell % columns) * side + 1.5, Math.floor(cell / columns) * side + 1.5, side - 4, side - 4);
    return canvas;
  }
}
