// What is drawn as one row or column: a piece, or a word made of pieces (characters and graphemes likewise).

import { range } from "../numbers.js";
import { visible } from "../text.js";

// Runs of equal group numbers as [start, end) spans; every token by itself without groups.
function spansOf(groups, length, grouped) {
  const spans = [];
  for (let i = 0; i < length; i++) {
    const joins = grouped && i > 0 && groups && groups[i] === groups[i - 1];
    if (joins) spans[spans.length - 1].end = i + 1;
    else spans.push({ start: i, end: i + 1 });
  }
  return spans;
}

function labelUnits(side, grouped, fine) {
  const special = new Set(side.special ?? []);
  return spansOf(side.groups, side.tokens.length, grouped).map((span, i) => {
    const raw = (grouped && side.words?.[i]) || side.tokens.slice(span.start, span.end).join("");
    const continues = !grouped && fine === "pieces" && span.start > 0 && side.groups[span.start] === side.groups[span.start - 1];
    const label = visible(raw.trim() === "" ? raw : raw.trim());
    return { ...span, label: continues ? `\u00b7${label}` : label, special: special.has(span.start) };
  });
}

export function hasGroups(data) {
  const repeats = (groups) => (groups ?? []).some((group, i, all) => i > 0 && group === all[i - 1]);
  return repeats(data.target.groups) || repeats(data.source.groups);
}

function cellUnits(source) {
  return range(source.rows * source.columns).map((cell) => ({
    start: cell, end: cell + 1, label: `row ${Math.floor(cell / source.columns) + 1} column ${(cell % source.columns) + 1}`,
  }));
}

export class Units {
  constructor(data, options) {
    this.data = data;
    this.coarse = options.words;
    this.head = options.head;
    const fine = data.units[0];
    this.target = labelUnits(data.target, options.words, fine);
    if (data.kind === "image") this.source = cellUnits(data.source);
    else this.source = data.kind === "none" ? [] : labelUnits(data.source, options.words, fine);
    this.markFlags();
    this.columns = data.map ? this.source.length : 0;
    this.weights = new Float32Array(this.target.length * this.columns);
    this.largest = new Float32Array(this.target.length);
    if (data.map) this.target.forEach((_, row) => this.fillRow(row));
  }

  markFlags() {
    const hidden = new Set(this.data.hidden);
    const edited = new Set(this.data.edited);
    const within = (unit, set) => range(unit.end - unit.start).some((i) => set.has(unit.start + i));
    for (const unit of this.source) unit.hidden = within(unit, hidden);
    for (const unit of this.target) {
      const diverges = this.data.diverges;
      unit.edited = within(unit, edited);
      unit.diverges = diverges !== null && diverges !== undefined && unit.start <= diverges && diverges < unit.end;
    }
  }

  // A word's row is the mean over its pieces; a word's column is the sum over its pieces: rows still add up to 1.
  fillRow(row) {
    const { start, end } = this.target[row];
    const out = this.row(row);
    for (let t = start; t < end; t++) {
      const heads = this.head === null ? this.data.attention[t] : [this.data.attention[t][this.head]];
      for (const head of heads) this.addRow(out, head, 1 / (heads.length * (end - start)));
    }
    this.largest[row] = out.reduce((a, b) => Math.max(a, b), 0);
  }

  addRow(out, weights, share) {
    for (let column = 0; column < this.columns; column++) {
      const { start, end } = this.source[column];
      for (let s = start; s < end; s++) out[column] += weights[s] * share;
    }
  }

  row(row) {
    return this.weights.subarray(row * this.columns, (row + 1) * this.columns);
  }

  weight(row, column) {
    return this.weights[row * this.columns + column];
  }

  // From 0 to 1 for the colour scale.
  shade(row, column, relative) {
    const weight = this.weight(row, column);
    return relative ? weight / (this.largest[row] || 1) : weight;
  }

  strongest(row) {
    return range(this.columns).sort((a, b) => this.weight(row, b) - this.weight(row, a));
  }

  entropy(row) {
    if (!this.data.map) return null;
    const { start, end } = this.target[row];
    const given = this.data.steps[start].entropy;
    if (this.head === null && end === start + 1 && this.columns === this.data.attention[start][0].length) return given;
    return Math.abs(this.row(row).reduce((sum, w) => (w > 0 ? sum - w * Math.log2(w) : sum), 0));
  }

  step(row) {
    const { start, end } = this.target[row];
    const steps = this.data.steps.slice(start, end);
    return { ...steps[0], pieces: steps, logprob: steps.reduce((sum, s) => sum + s.logprob, 0), total: steps.at(-1).total };
  }

  // The row that holds a token, counted from 0.
  rowOf(token) {
    return this.target.findIndex((unit) => unit.start <= token && token < unit.end);
  }
}
