// The whole way in one row: the source's states, then the decoder's, each with the length of the gradient that reached it so far; above the
// decoder's states the words and their losses.

import { sizeCanvas } from "../canvas.js";
import { css } from "../colours.js";
import { make } from "../elements.js";
import { decimals } from "../numbers.js";
import { indexed, measured } from "./figures.js";

const [LOSS, WORD, BAR, NAME] = [50, 32, 76, 42]; // heights of the rows
const FULL = LOSS + WORD + BAR + NAME;

export class Overview {
  constructor(parent, choose) {
    this.canvas = make("canvas", "journey-overview", null, { role: "img" });
    this.lit = ""; // names of columns, apart by a space
    parent.append(this.canvas);
    this.canvas.onclick = (event) => {
      const column = this.columns?.[Math.floor(event.offsetX / this.each)];
      if (column && column.place >= 0) choose(column.place);
    };
  }

  // One column for each state, from the first word read to the last one said.
  lay(data) {
    const at = (kind, number) => data.places.findIndex((place) => place.kind === kind && (number === undefined || place.at === number));
    const source = data.photo
      ? [{ label: "photo", name: "h", norm: Math.hypot(...data.encoder.map((state) => state.norm)), place: at("photo") }]
      : data.encoder.map((state, j) => ({ label: data.source[j], name: indexed(data.letters.h, j + 1), norm: state.norm, place: at("source", j) }));
    const start = data.encoder.length ? [{ label: "", name: indexed(data.letters.s, 0), norm: data.decoder[0].norm, place: at("start") }] : [];
    const said = data.target.map((label, t) => ({
      label, name: indexed(data.letters.s, t + 1), norm: data.decoder[t + 1].norm, loss: data.losses[t], place: at("step", t), counts: data.of === null || data.of === t,
    }));
    this.border = source.length;
    return [...source, ...start, ...said];
  }

  draw(data, place, share, palette, width) {
    this.columns = this.lay(data);
    this.each = Math.min(width / this.columns.length, 150);
    const context = sizeCanvas(this.canvas, width, FULL);
    context.clearRect(0, 0, width, FULL);
    const [bars, floor] = [LOSS + WORD, LOSS + WORD + BAR];
    const most = Math.max(...this.columns.map((column) => column.norm), 1e-30);
    const worst = Math.max(...data.losses, 1e-30);
    context.fillStyle = css(palette.line);
    context.fillRect(0, floor, this.each * this.columns.length, 1);
    this.columns.forEach((column, i) => this.column(context, column, i, { data, place, share, palette, most, worst, bars, floor }));
    if (this.border) {
      context.strokeStyle = css(palette.grey);
      context.setLineDash([4, 4]);
      context.beginPath();
      context.moveTo(this.border * this.each, LOSS);
      context.lineTo(this.border * this.each, FULL);
      context.stroke();
      context.setLineDash([]);
    }
    this.mark(context, palette, bars);
    this.arrow(context, place, data, palette, floor);
    const told = this.columns.map((column) => `${column.name} ${column.label}: ${measured(column.norm)}`).join(", ");
    this.canvas.setAttribute("aria-label", `Length of the gradient at every state. ${told}`);
  }

  column(context, column, i, { data, place, share, palette, most, worst, bars, floor }) {
    const middle = (i + 0.5) * this.each;
    const room = this.each - 4;
    const now = column.place === place;
    Object.assign(context, { textAlign: "center", textBaseline: "alphabetic" });
    if (column.loss !== undefined) {
      const size = (column.loss / worst) * (LOSS - 24);
      context.fillStyle = css(palette.ink, column.counts ? 0.8 : 0.2);
      context.fillRect(middle - this.each * 0.25, LOSS - size, this.each * 0.5, size);
      context.font = `16px ${palette.font}`;
      if (this.each >= 40) context.fillText(decimals(column.loss), middle, LOSS - size - 6, room);
    }
    if (this.each >= 13) {
      context.fillStyle = css(palette.ink);
      context.font = `${now ? "600 " : ""}${this.each >= 60 ? 22 : 16}px ${palette.font}`;
      context.fillText(column.label, middle, bars - 9, room);
      context.font = `${now ? "600 " : ""}18px ${palette.font}`;
      context.fillText(column.name, middle, floor + 22, room);
    }
    if (column.place < 0 || column.place > place) return;
    const size = (column.norm / most) * (BAR - 26) * (now ? share : 1);
    context.fillStyle = now ? css(palette.accent) : css(palette.grey);
    context.fillRect(middle - this.each * 0.32, floor - size, this.each * 0.64, size);
    context.fillStyle = css(palette.ink);
    context.font = `16px ${palette.font}`;
    if (this.each >= 44) context.fillText(measured(column.norm), middle, floor - size - 5, room);
  }

  // What somebody points at.
  mark(context, palette, top) {
    this.canvas.dataset.lit = this.lit;
    const names = this.lit.split(" ");
    Object.assign(context, { strokeStyle: css(palette.accent), lineWidth: 3 });
    this.columns.forEach(({ name }, i) => names.includes(name) && context.strokeRect(i * this.each + 3, top - WORD + 2, this.each - 6, WORD + BAR + 28));
    context.lineWidth = 1;
  }

  // Which way it goes.
  arrow(context, place, data, palette, floor) {
    const i = this.columns.findIndex((column) => column.place === place);
    if (i < 0) return;
    const [y, x] = [floor + 36, (i + 0.5) * this.each];
    context.strokeStyle = css(palette.accent);
    context.lineWidth = 2.5;
    context.beginPath();
    context.moveTo(x + Math.min(22, this.each * 0.4), y);
    context.lineTo(x - Math.min(22, this.each * 0.4), y);
    context.moveTo(x - Math.min(22, this.each * 0.4) + 7, y - 6);
    context.lineTo(x - Math.min(22, this.each * 0.4), y);
    context.lineTo(x - Math.min(22, this.each * 0.4) + 7, y + 6);
    context.stroke();
    context.lineWidth = 1;
  }
}
