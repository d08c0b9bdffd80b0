// Pieces become words: a word's row is the mean of its pieces' rows, its column the sum of their columns.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Units, hasGroups } from "../../../demo/components/player/units.js";

const close = (a, b) => assert.ok(Math.abs(a - b) < 1e-6, `${a} is not ${b}`);
const candidates = { candidates: [], entropy: null };

function given(changes = {}) {
  return {
    kind: "text", units: ["pieces", "words"], map: true, hidden: [1], edited: [2], diverges: 2,
    parts: [{ kind: "text", name: "sentence", tokens: [" Haus", "tier", " da"], groups: [0, 0, 1], words: ["Haustier", "da"] }],
    heads: [{ name: "head 1", part: 0 }, { name: "head 2", part: 0 }], prompt: 0, marks: [],
    target: { tokens: [" a", " p", "et", "</s>"], groups: [0, 1, 1, 2], words: ["a", "pet", "</s>"], special: [3] },
    attention: [[[0.5, 0.3, 0.2], [0.1, 0.1, 0.8]], [[0.6, 0.4, 0], [0, 1, 0]], [[0, 0, 1], [0.2, 0.2, 0.6]], [[0, 0, 1], [0, 0, 1]]],
    steps: [-0.1, -0.2, -0.4, -0.8].map((logprob, i) => ({ ...candidates, logprob, total: -(2 ** i - 1) / 10 - 0.1 * 2 ** i, entropy: i })),
    ...changes,
  };
}

test("rows of words still sum to 1, over all heads and over one", () => {
  for (const head of [null, 0, 1]) {
    for (const words of [true, false]) {
      const units = new Units(given(), { words, head });
      units.target.forEach((_, row) => close(units.row(row).reduce((a, b) => a + b, 0), 1));
    }
  }
});

test("a word's row is the mean over its pieces, its column the sum", () => {
  const units = new Units(given(), { words: true, head: null });
  assert.deepEqual(units.source.map((unit) => unit.label), ["Haustier", "da"]);
  assert.deepEqual(units.target.map((unit) => unit.label), ["a", "pet", "</s>"]);
  close(units.weight(0, 0), (0.8 + 0.2) / 2);
  close(units.weight(1, 0), (1 + 1 + 0 + 0.4) / 4);
  close(new Units(given(), { words: true, head: 1 }).weight(1, 1), 0.3);
});

test("what is marked on a piece is marked on its word", () => {
  const units = new Units(given(), { words: true, head: null });
  assert.deepEqual(units.source.map((unit) => unit.hidden), [true, false]);
  assert.deepEqual(units.target.map((unit) => [unit.edited, unit.diverges, unit.special]), [[false, false, false], [true, true, false], [false, false, true]]);
});

test("a word is copied when more than half of its pieces' share was", () => {
  const marks = [{ name: "copy", position: false, values: [0.4, 0.2, 0.9, 0.9] }];
  const copied = (words) => new Units(given({ marks }), { words, head: null }).target.map((unit) => unit.copied);
  assert.deepEqual(copied(true), [false, true, false]);
  assert.deepEqual(copied(false), [false, false, true, false]);
  assert.deepEqual(new Units(given(), { words: true, head: null }).target.map((unit) => unit.copied), [false, false, false]);
});

test("by piece, what continues a word says so", () => {
  const units = new Units(given(), { words: false, head: null });
  assert.deepEqual(units.target.map((unit) => unit.label), ["a", "p", "\u00b7et", "</s>"]);
  assert.equal(units.rowOf(2), 2);
  assert.equal(new Units(given(), { words: true, head: null }).rowOf(2), 1);
});

test("a word's log-probability is the sum of its pieces'", () => {
  const step = new Units(given(), { words: true, head: null }).step(1);
  close(step.logprob, -0.6);
  assert.equal(step.pieces.length, 2);
});

test("the entropy that is shown is that of the row that is shown", () => {
  const pieces = new Units(given(), { words: false, head: null });
  assert.equal(pieces.entropy(1), 1); // as it was given: computed with every digit
  close(new Units(given(), { words: false, head: 1 }).entropy(1), 0);
  const words = new Units(given(), { words: true, head: null });
  const [a, b] = [words.weight(1, 0), words.weight(1, 1)];
  close(words.entropy(1), -(a * Math.log2(a) + b * Math.log2(b)));
});

test("relative colours reach 1 in every row", () => {
  const units = new Units(given(), { words: false, head: 0 });
  units.target.forEach((_, row) => close(Math.max(...units.source.map((__, column) => units.shade(row, column, true))), 1));
  assert.equal(units.strongest(0)[0], 0);
});

test("without a map there are no columns, and the cells of a photo have names", () => {
  const none = new Units(given({ map: false }), { words: true, head: null });
  assert.equal(none.columns, 0);
  assert.equal(none.entropy(0), null);
  const photo = given({ kind: "image", parts: [{ kind: "grid", name: "photo", rows: 2, columns: 2 }], attention: given().attention.map((step) => step.map((row) => [...row, 0])) });
  assert.deepEqual(new Units(photo, { words: true, head: null }).source.map((unit) => unit.label).slice(1, 3), ["row 1 column 2", "row 2 column 1"]);
});

// A text of two words beside a grid of 1 x 2, with two heads at the text and one at the grid.
function several() {
  const { parts } = given();
  return given({
    kind: "several", parts: [...parts, { kind: "grid", name: "photo", rows: 1, columns: 2 }],
    heads: [{ name: "a", part: 0 }, { name: "b", part: 1 }, { name: "c", part: 0 }],
    attention: given().attention.map(([a, c], t) => [[...a, 0, 0], [0, 0, 0, 0.25 * t, 1 - 0.25 * t], [...c, 0, 0]]),
    marks: [{ name: "gate", position: false, values: [0, 0.5, 1, 1] }, { name: "glimpse", position: true, values: [0, 4, 3, 2] }], prompt: 2,
  });
}

test("positions are numbered through all parts, and heads are averaged within theirs", () => {
  const units = new Units(several(), { words: true, head: null });
  assert.deepEqual(units.source.map(({ label, part }) => [label, part]), [["Haustier", 0], ["da", 0], ["row 1 column 1", 1], ["row 1 column 2", 1]]);
  assert.deepEqual(units.parts.map(({ first, end, start }) => [first, end, start]), [[0, 2, 0], [2, 4, 3]]);
  units.target.forEach((_, row) => {
    close(units.weight(row, 0) + units.weight(row, 1), 1);
    close(units.weight(row, 2) + units.weight(row, 3), 1);
  });
  assert.deepEqual(units.seen(), [0, 1]);
  assert.deepEqual([units.strongest(0, 0)[0], units.strongest(0, 1)[0]], [0, 3]);
  close(units.most(2, 1), 0.75);
  close(units.shade(2, 2, true), 1);
  close(units.entropy(2, 1), -(0.75 * Math.log2(0.75) + 0.25 * Math.log2(0.25)));
});

test("one head looks at one part", () => {
  const units = new Units(several(), { words: true, head: 1 });
  assert.deepEqual(units.seen(), [1]);
  close(units.weight(0, 0) + units.weight(0, 1), 0);
  close(units.weight(0, 3), 1);
});

test("the columns of one part alone are counted from 0", () => {
  const units = new Units(several(), { words: true, head: null });
  const grid = units.of(1);
  assert.deepEqual([grid.columns, grid.source[1].label], [2, "row 1 column 2"]);
  assert.deepEqual([...grid.row(0)], [...units.row(0)].slice(2));
  close(grid.weight(2, 1), units.weight(2, 3));
  assert.deepEqual(grid.strongest(0), [1, 0]);
  assert.equal(grid.columnOf(4), 1);
});

test("marks of a word: the mean of values, the first of positions", () => {
  const units = new Units(several(), { words: true, head: null });
  const [gate, glimpse] = several().marks;
  close(units.mark(gate, 1), 0.75);
  assert.equal(units.columnOf(units.mark(glimpse, 1)), 3);
});

test("what was given is told from what is the model's own and from what was forced", () => {
  const data = several();
  data.steps[3].forced = true;
  const units = new Units(data, { words: true, head: null });
  assert.deepEqual(units.target.map(({ given: told, forced }) => [told, forced]), [[true, false], [true, false], [false, true]]);
});

test("whether there is anything to group", () => {
  assert.ok(hasGroups(given()));
  const apart = given();
  apart.parts[0].groups = [0, 1, 2];
  apart.target.groups = null;
  assert.ok(!hasGroups(apart));
});

test("in simple the model's signs are said in words", () => {
  assert.deepEqual([true, false].map((plain) => new Units(given(), { words: true, head: null }, plain).target.at(-1).label), ["(end)", "</s>"]);
});
