// What is drawn as one row or column: a piece, or a word made of pieces (characters and graphemes likewise).

import { range } from "../numbers.js";
import { inWords, visible } from "../text.js";

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

function labelUnits(side, grouped, fine, plain) {
  const special = new Set(side.special ?? []);
  return spansOf(side.groups, side.tokens.length, grouped).map((span, i) => {
    const raw = (grouped && side.words?.[i]) || side.tokens.slice(span.start, span.end).join("");
    const continues = !grouped && fine === "pieces" && span.start > 0 && side.groups[span.start] === side.groups[span.start - 1];
    const seen = visible(raw.trim() === "" ? raw : raw.trim());
    const label = plain && special.has(span.start) ? inWords(seen) : seen;
    return { ...span, label: continues ? `\u00b7${label}` : label, special: special.has(span.start) };
  });
}

export function hasGroups(data) {
  const repeats = (groups) => (groups ?? []).some((group, i, all) => i > 0 && group === all[i - 1]);
  return repeats(data.target.groups) || data.parts.some((part) => repeats(part.groups));
}

function cellUnits(part) {
  return range(part.rows * part.columns).map((cell) => ({
    start: cell, end: cell + 1, label: part.labels?.[cell] ?? `row ${Math.floor(cell / part.columns) + 1} column ${(cell % part.columns) + 1}`,
  }));
}

export class Units {
  constructor(data, options, plain = false) { // plain: signs of the model are said in words
    this.data = data;
    this.coarse = options.words;
    this.head = options.head;
    const fine = data.units[0];
    this.target = labelUnits(data.target, options.words, fine, plain);
    this.readParts(options.words, fine, plain);
    this.markFlags();
    this.columns = data.map ? this.source.length : 0;
    this.weights = new Float32Array(this.target.length * this.columns);
    this.largest = new Float32Array(this.target.length * this.parts.length);
    if (data.map) this.target.forEach((_, row) => this.fillRow(row));
  }

  // The columns of all parts, one part after the other: positions are numbered through.
  readParts(grouped, fine, plain) {
    this.source = [];
    let start = 0;
    this.parts = this.data.parts.map((part, index) => {
      const units = part.kind === "grid" ? cellUnits(part) : labelUnits(part, grouped, fine, plain);
      const first = this.source.length;
      for (const unit of units) this.source.push({ ...unit, start: unit.start + start, end: unit.end + start, part: index });
      const place = { name: part.name, first, end: this.source.length, start };
      start = this.source.at(-1)?.end ?? start;
      return place;
    });
  }

  // The same with the columns of one part alone, counted from 0.
  of(part) {
    const { first, end } = this.parts[part];
    const units = Object.create(this);
    return Object.assign(units, {
      source: this.source.slice(first, end), columns: this.columns ? end - first : 0, parts: [{ ...this.parts[part], first: 0, end: end - first }],
      row: (row) => this.row(row).subarray(first, end),
      weight: (row, column) => this.weight(row, first + column),
      shade: (row, column, relative) => this.shade(row, first + column, relative),
      most: (row) => this.most(row, part),
      strongest: (row) => this.strongest(row, part).map((column) => column - first),
    });
  }

  markFlags() {
    const hidden = new Set(this.data.hidden);
    const edited = new Set(this.data.edited);
    const within = (unit, set) => range(unit.end - unit.start).some((i) => set.has(unit.start + i));
    const rare = new Set(this.data.rare);
    for (const unit of this.source) Object.assign(unit, { hidden: within(unit, hidden), rare: within(unit, rare) });
    const copied = this.data.marks.find(({ name, position }) => name === "copy" && !position);
    this.target.forEach((unit, row) => {
      const diverges = this.data.diverges;
      unit.edited = within(unit, edited);
      unit.given = unit.start < this.data.prompt;
      unit.copied = !unit.special && copied !== undefined && !unit.given && this.mark(copied, row) > 0.5;
      unit.forced = this.data.steps.slice(unit.start, unit.end).some((step) => step.forced);
      unit.diverges = diverges !== null && diverges !== undefined && unit.start <= diverges && diverges < unit.end;
    });
  }

  // A word's row is the mean over its pieces; a word's column is the sum over its pieces: rows still add up to 1.
  // Heads are averaged over those that look at the same part.
  fillRow(row) {
    const { start, end } = this.target[row];
    const { heads } = this.data;
    const out = this.row(row);
    heads.forEach(({ part }, k) => {
      if (this.head !== null && this.head !== k) return;
      const among = this.head === null ? heads.filter((head) => head.part === part).length : 1;
      for (let t = start; t < end; t++) this.addRow(out, this.data.attention[t][k], 1 / (among * (end - start)));
    });
    this.parts.forEach(({ first, end: last }, part) => {
      this.largest[row * this.parts.length + part] = out.subarray(first, last).reduce((a, b) => Math.max(a, b), 0);
    });
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

  // The largest weight of a row within a part.
  most(row, part = 0) {
    return this.largest[row * this.parts.length + part];
  }

  // From 0 to 1 for the colour scale.
  shade(row, column, relative) {
    const weight = this.weight(row, column);
    return relative ? weight / (this.most(row, this.source[column].part) || 1) : weight;
  }

  strongest(row, part = null) {
    const columns = range(this.columns).filter((column) => part === null || this.source[column].part === part);
    return columns.sort((a, b) => this.weight(row, b) - this.weight(row, a));
  }

  // The parts that something looks at: with one head chosen, its own alone.
  seen() {
    if (!this.data.map) return [];
    return range(this.parts.length).filter((part) => this.data.heads.some((head, k) => head.part === part && (this.head === null || this.head === k)));
  }

  entropy(row, part = 0) {
    if (!this.data.map) return null;
    const { start, end } = this.target[row];
    const given = this.data.steps[start].entropy;
    if (this.parts.length === 1 && this.head === null && end === start + 1 && this.columns === this.data.attention[start][0].length) return given;
    const { first, end: last } = this.parts[part];
    return Math.abs(this.row(row).subarray(first, last).reduce((sum, w) => (w > 0 ? sum - w * Math.log2(w) : sum), 0));
  }

  // What the model says of a step beside its token: of a word the mean over its pieces, or the first piece's position.
  mark({ position, values }, row) {
    const { start, end } = this.target[row];
    return position ? values[start] : values.slice(start, end).reduce((a, b) => a + b, 0) / (end - start);
  }

  // The column that holds a position.
  columnOf(position) {
    return this.source.findIndex((unit) => unit.start <= position && position < unit.end);
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
