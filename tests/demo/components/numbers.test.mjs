// Probabilities in a list: near ties with the digits that tell neighbours apart.
import assert from "node:assert/strict";
import { test } from "node:test";

const { probabilities } = await import("../../../demo/components/numbers.js");

test("near ties have the digits that tell them apart, and no others", () => {
  assert.deepEqual(probabilities([0.124, 0.119, 0.05]), ["0.124", "0.119", "0.05"]);
  assert.deepEqual(probabilities([0.13, 0.12, 0.05]), ["0.13", "0.12", "0.05"]);
  assert.deepEqual(probabilities([0.5, 0.2704, 0.2701, 0.26]), ["0.50", "0.2704", "0.2701", "0.26"]);
});

test("what is the same in all that is told stays short, and so does what is almost nothing", () => {
  assert.deepEqual(probabilities([0.3, 0.3, 0.1]), ["0.30", "0.30", "0.10"]);
  assert.deepEqual(probabilities([0.30001, 0.3, 0.1]), ["0.30", "0.30", "0.10"]);
  assert.deepEqual(probabilities([0.0042, 0.0041]), ["<0.01", "<0.01"]);
  assert.deepEqual(probabilities([]), []);
});
