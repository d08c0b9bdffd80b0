// Whatever is done to an attention row, it is 0 where the source is hidden and sums to 1 over the rest.
import assert from "node:assert/strict";
import { test } from "node:test";
import { evenRow, normalised, oneHotRow, powerRow, roundedRow, sameRow, shiftedRow, swappedRow, withWeight } from "../../../demo/components/rows.js";

const none = new Set();
const sum = (row) => row.reduce((a, b) => a + b, 0);
const close = (row, wanted) => assert.ok(sameRow(row, wanted, 1e-12), `${row} is not ${wanted}`);

// Rows of a seeded generator, some with hidden places.
function* rows() {
  let state = 7;
  const draw = () => (state = (state * 48271) % 2147483647) / 2147483647;
  for (let i = 0; i < 200; i++) {
    const size = 2 + Math.floor(draw() * 9);
    const weights = Array.from({ length: size }, () => (draw() < 0.3 ? 0 : draw()));
    const hidden = new Set(weights.map((_, j) => j).filter(() => draw() < 0.25).slice(0, size - 1));
    yield [normalised(weights, hidden), hidden, Math.floor(draw() * size), draw()];
  }
}

test("every operation gives a row", () => {
  for (const [row, hidden, place, value] of rows()) {
    const open = hidden.has(place) ? row.findIndex((_, j) => !hidden.has(j)) : place;
    const made = [evenRow(row.length, hidden), powerRow(row, 2, hidden), powerRow(row, 0.5, hidden), shiftedRow(row, 1, hidden), shiftedRow(row, -1, hidden), withWeight(row, open, value, hidden)];
    for (const each of made) {
      assert.ok(Math.abs(sum(each) - 1) < 1e-9, `${each} sums to ${sum(each)}`);
      assert.ok(each.every((weight, j) => weight >= 0 && (!hidden.has(j) || weight === 0)), `${each} with ${[...hidden]} hidden`);
    }
  }
});

test("one weight is set and the others keep their proportions", () => {
  close(withWeight([0.5, 0.3, 0.2], 0, 0.25, none), [0.25, 0.45, 0.3]);
  close(withWeight([1, 0, 0], 0, 0.4, none), [0.4, 0.3, 0.3]); // nothing to keep: evenly
  close(withWeight([0.5, 0, 0.5], 0, 0.2, new Set([1])), [0.2, 0, 0.8]);
  close(withWeight([0.5, 0.5], 0, 7, none), [1, 0]);
  close(withWeight([0, 1], 1, 0.3, new Set([0])), [0, 1]); // the only one that can have it
});

test("sharper and flatter", () => {
  close(powerRow([0.5, 0.25, 0.25], 2, none), [2 / 3, 1 / 6, 1 / 6]);
  const flat = powerRow([0.9, 0.1], 0.5, none);
  close(flat, [0.75, 0.25]);
  assert.ok(powerRow([1, 0], 0.5, none)[1] > 0); // a weight of 0 can come back
});

test("shifted around the end, past what is hidden", () => {
  close(shiftedRow([0.1, 0.2, 0.7], 1, none), [0.7, 0.1, 0.2]);
  close(shiftedRow([0.1, 0, 0.9], 1, new Set([1])), [0.9, 0, 0.1]);
  close(shiftedRow(shiftedRow([0.1, 0.2, 0.7], 1, none), -1, none), [0.1, 0.2, 0.7]);
});

test("no weight at all becomes an even row", () => close(normalised([0, -1, 0, 0], new Set([3])), [1 / 3, 1 / 3, 1 / 3, 0]));

test("swapped and one-hot", () => {
  close(swappedRow([0.1, 0.2, 0.7], 0, 2), [0.7, 0.2, 0.1]);
  close(oneHotRow(3, 1), [0, 1, 0]);
});

test("four decimals that still sum to 1", () => {
  for (const [row] of rows()) {
    const rounded = roundedRow(row);
    assert.equal(Math.round(sum(rounded) * 1e4), 1e4);
    assert.ok(rounded.every((weight) => Math.abs(weight * 1e4 - Math.round(weight * 1e4)) < 1e-6));
  }
  close(roundedRow([1 / 3, 1 / 3, 1 / 3]), [0.3334, 0.3333, 0.3333]);
});

test("rows are the same within their rounding, and never with another length", () => {
  assert.ok(sameRow([0.33333, 0.66667], [0.3333, 0.6667]));
  assert.ok(!sameRow([0.3334, 0.6666], [0.3333, 0.6667]));
  assert.ok(!sameRow([1], [1, 0]));
});
