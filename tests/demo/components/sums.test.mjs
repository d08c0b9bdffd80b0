// What each source word received: every token of the output hands out one in all, however the words are grouped.
import assert from "node:assert/strict";
import { test } from "node:test";

const { received } = await import("../../../demo/components/player/sums.js");
const { Units } = await import("../../../demo/components/player/units.js");

const data = {
  units: ["pieces", "words"], map: true, hidden: [], edited: [], prompt: 0, diverges: null, marks: [],
  heads: [{ name: "attention", part: 0 }],
  parts: [{ kind: "text", name: "sentence", tokens: ["a", "b", "c"], groups: [0, 0, 1] }],
  target: { tokens: ["x", "y", "z"], groups: [0, 0, 1] },
  steps: [{}, {}, {}],
  attention: [[[0.5, 0.5, 0]], [[1, 0, 0]], [[0, 0.25, 0.75]]],
};
const rounded = (values) => values.map((value) => Number(value.toFixed(5)));

test("by pieces each column is summed over the steps that are shown", () => {
  const units = new Units(data, { words: false, head: null });
  assert.deepEqual(rounded(received(units, 3)), [1.5, 0.75, 0.75]);
  assert.deepEqual(rounded(received(units, 1)), [0.5, 0.5, 0]);
  assert.deepEqual(rounded(received(units, 0)), [0, 0, 0]);
});

test("by words the sums are those of their pieces", () => {
  const units = new Units(data, { words: true, head: null });
  assert.deepEqual(rounded(received(units, 2)), [2.25, 0.75]);
});
