// How gradients are written: three digits that count at any size, and vectors from bytes.
import assert from "node:assert/strict";
import { test } from "node:test";

const { indexed, measured, unpacked } = await import("../../../demo/components/training_step/figures.js");

test("any size has its digits", () => {
  assert.deepEqual([123.4, 12.34, 1.234, 0.1234, 0.01234, 0.001234, 0].map(measured), ["123", "12.3", "1.23", "0.12", "0.012", "1.2\u00b710\u207b\u00b3", "0"]);
  assert.equal(measured(-0.5), "\u22120.50");
  assert.equal(measured(-9.96e-11), "\u22121.0\u00b710\u207b\u00b9\u2070");
  assert.equal(measured(9.99e-3), "0.010");
});

test("indices are small", () => assert.equal(indexed("s", 10), "s\u2081\u2080"));

test("bytes are numbers with a sign", () => {
  assert.deepEqual(unpacked(btoa(String.fromCharCode(0, 1, 127, 129, 255))), [0, 1, 127, -127, -1]);
});
