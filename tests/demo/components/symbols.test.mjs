// What is read off equations: vectors by the numbers that are printed of them.
import assert from "node:assert/strict";
import { test } from "node:test";

const { clean, printed } = await import("../../../demo/components/equations/symbols.js");

test("signs above letters and spaces of no width are left out, and minus is a hyphen", () => {
  assert.equal(clean("x^t\u200b\u22121"), "xt-1");
});

test("each vector of a row is found with its size", () => {
  const row = "=tanh(Wx)=[0.123,\u00a0\u22120.456,\u00a00.789,\u00a0\u2026]\u2208R320";
  const [one, ...more] = printed(row);
  assert.equal(more.length, 0);
  assert.equal(one.key, "0.123,-0.456,0.789|320");
  assert.equal(clean(row).slice(one.start, one.end), "[0.123,-0.456,0.789,\u2026]\u2208R320");
});

test("a short vector is printed whole, and a one-hot vector is none", () => {
  assert.deepEqual(printed("=[0.5,1.0]\u2208R2").map(({ key }) => key), ["0.5,1.0|2"]);
  assert.deepEqual(printed("\u03b4=[0,\u2026,0,1,0]\u2208{0,1}6000"), []);
});
