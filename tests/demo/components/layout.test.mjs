// Where the columns and rows of the map lie, with letters that are half as wide as they are high.
import assert from "node:assert/strict";
import { test } from "node:test";

const context = { set font(text) { this.size = Number(/(\d+(?:\.\d+)?)px/.exec(text)[1]); }, measureText(text) { return { width: (text.length * this.size) / 2 }; } };
globalThis.document = { createElement: () => ({ getContext: () => context }) };
const { layoutMap, PART_GAP } = await import("../../../demo/components/player/layout.js");

const units = (source, target) => ({ source: source.map((label) => ({ label })), target: target.map((label) => ({ label })) });
const plain = { fit: false, mirrored: false, bar: false };
const words = (count, letters) => Array.from({ length: count }, () => "x".repeat(letters));

function follows(place) {
  place.starts.slice(1).forEach((start, i) => assert.ok(Math.abs(start - place.starts[i] - place.widths[i]) < 1e-9));
  assert.ok(Math.abs(place.width - place.widths.reduce((a, b) => a + b, 0)) < 1e-9);
}

test("few short words stand level in columns of one width", () => {
  const place = layoutMap(units(words(5, 4), words(6, 4)), 1000, 500, plain, "serif");
  follows(place);
  assert.equal(new Set(place.widths).size, 1);
  assert.deepEqual([place.lean, place.overflows, place.crowded, place.overhang], [false, false, false, 0]);
  assert.ok(place.left + place.width <= 1000);
});

test("one long word among short ones gets the room it needs", () => {
  const labels = [...words(9, 3), "x".repeat(20)];
  const place = layoutMap(units(labels, words(3, 4)), 1000, 500, plain, "serif");
  follows(place);
  assert.ok(!place.lean);
  assert.ok(place.widths[9] > place.widths[0]);
  assert.ok(place.widths[9] >= 20 * (place.size / 2)); // the label fits
});

test("a map is seen whole as long as it is legible", () => {
  for (const [count, width, height] of [[14, 640, 400], [18, 660, 460], [14, 420, 400]]) {
    const place = layoutMap(units(words(count, 7), words(count + 1, 6)), width, height, plain, "serif");
    assert.ok(!place.overflows && !place.crowded, `${count} in ${width} x ${height}`);
    assert.ok(place.size >= 12 && place.rowSize >= 12, `${count} in ${width}: letters of ${place.size} and ${place.rowSize}`);
    assert.ok(place.rowSize <= place.pitch);
  }
});

test("many words stand upright, and the map scrolls before it gets illegible", () => {
  const place = layoutMap(units(words(60, 8), words(3, 4)), 1000, 500, plain, "serif");
  follows(place);
  assert.ok(place.lean && place.overflows && !place.crowded);
  assert.ok(place.upright && place.widths[0] >= 18 && place.size >= 16);
  assert.ok(place.header > place.longest);
  const small = layoutMap(units(words(40, 8), words(40, 4)), 300, 400, plain, "serif");
  assert.ok(small.overflows && !small.crowded && small.size >= 12 && small.rowSize >= 11);
});

test("seventeen rows of a comparison are seen on a projector of 720 lines, below the bar of the one vector too", () => {
  for (const bar of [false, true]) {
    const place = layoutMap(units(words(15, 6), words(17, 6)), 477, 312, { ...plain, bar }, "serif");
    assert.ok(!place.overflows && !place.crowded && place.rowSize >= 11 && place.rowSize <= place.pitch, JSON.stringify([place.pitch, place.rowSize]));
  }
});

test("a mark beside twenty words is not cut off", () => {
  const place = layoutMap(units(words(20, 5), words(6, 7)), 610, 320, { ...plain, marks: ["copied"] }, "serif");
  assert.ok(!place.overflows && place.left + place.width <= 610);
});

test("leaning labels never lie on each other: where all has to fit they stand upright", () => {
  for (const count of [8, 12, 16, 19, 24, 30]) {
    const place = layoutMap(units(words(count, 8), words(19, 4)), 460, 560, { ...plain, fit: true }, "serif");
    assert.ok(place.lean && !place.crowded === place.widths[0] >= 12);
    const between = place.upright ? place.widths[0] : place.widths[0] * Math.sin((50 * Math.PI) / 180);
    assert.ok(between >= place.size || place.crowded, `${count}: ${between} for letters of ${place.size}`);
    assert.ok(place.header >= (place.upright ? place.longest : place.longest * 0.7));
    assert.ok(place.left + place.width + place.overhang <= 460);
  }
});

test("fit shrinks everything into the width", () => {
  const place = layoutMap(units(words(60, 8), words(80, 4)), 1000, 500, { ...plain, fit: true }, "serif");
  assert.ok(place.left + place.width + place.overhang <= 1000);
  assert.ok(place.height + place.header <= 500);
  assert.ok(place.crowded && !place.overflows);
});

test("a source that is read from the right begins at the right", () => {
  const level = layoutMap(units(words(5, 4), words(2, 4)), 1000, 500, plain, "serif");
  const mirrored = layoutMap(units(words(5, 4), words(2, 4)), 1000, 500, { ...plain, mirrored: true }, "serif");
  mirrored.starts.forEach((start, i) => assert.ok(Math.abs(start + level.starts[i] + level.widths[i] - level.width) < 1e-9));
  assert.equal(mirrored.starts.at(-1), 0);
});

test("without a source there is one column, and a bar leaves room above the rows", () => {
  const place = layoutMap(units([], words(2, 4)), 1000, 500, plain, "serif");
  assert.deepEqual([place.widths.length, place.header, place.bar], [1, 8, 0]);
  const barred = layoutMap(units(words(4, 4), words(2, 4)), 1000, 500, { ...plain, bar: true }, "serif");
  assert.ok(barred.bar > 0);
  assert.equal(barred.height, barred.pitch * 2 + barred.bar);
});

test("two parts are a gap apart, and a mark has a column after them", () => {
  const two = { ...units(words(5, 4), words(6, 4)), parts: [{ first: 0, end: 3 }, { first: 3, end: 5 }] };
  const place = layoutMap(two, 1000, 500, { ...plain, marks: ["gate"] }, "serif");
  const gaps = place.starts.slice(1).map((start, i) => Math.round(start - place.starts[i] - place.widths[i]));
  assert.deepEqual(gaps, [0, 0, PART_GAP, 0]);
  const end = place.starts[4] + place.widths[4];
  assert.ok(place.marks[0].start > end && place.marks[0].start + place.marks[0].width <= place.width + 1e-9);
  assert.ok(Math.abs(place.cells - end) < 1e-9);
  assert.ok(place.left + place.width <= 1000);
});
