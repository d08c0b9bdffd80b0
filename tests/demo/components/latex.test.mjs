// The LaTeX of the lab's equations, read for MathML: pieces, letters with their keys, vectors, and bytes into numbers.
import assert from "node:assert/strict";
import { test } from "node:test";

const { piecesOf, textOf } = await import("../../../demo/components/equations/latex.js");
const { unpacked } = await import("../../../demo/components/equations/vector.js");

const all = (latex) => {
  const found = [];
  const walk = (node) => {
    found.push(node);
    node.kids?.forEach(walk);
  };
  piecesOf(latex).flat().forEach(walk);
  return found;
};
const keys = (latex) => all(latex).flatMap((node) => node.keys ?? []);
const texts = (latex) => piecesOf(latex).map((items) => items.map(textOf).join(""));

test("a line breaks before equality and summands, and nowhere in a fraction or a vector", () => {
  assert.deepEqual(texts(String.raw`s_t = \tanh(W x_t + U s_{t-1} + b) = [0.100,\ -0.200] \in \mathbb{R}^{2}`), ["st", "=tanh(Wxt", "+Ust−1", "+b)", "=[0.100,−0.200]", "∈ℝ2"]);
  assert.equal(piecesOf(String.raw`a = \frac{1 + 2}{3 + 4}`).length, 2);
});

test("a minus is a sign before a number, and between two an operator", () => {
  const forms = (latex) => all(latex).filter(({ text }) => text === "−").map(({ form }) => form);
  assert.deepEqual(forms("a = -1 - 2"), ["prefix", "infix"]);
  assert.deepEqual(forms(String.raw`(1 - z) \odot [-1]`), ["infix", "prefix"]);
});

test("a letter is known by itself and all its indices", () => {
  assert.deepEqual(keys("s^{(1)}_{t-1}")[0], "st-1(1)");
  assert.ok(keys(String.raw`\overrightarrow{h}_j`).includes("hj"));
  assert.ok(keys("h[t-1]").includes("h[t-1]"));
  assert.ok(keys(String.raw`\alpha_{t}[\ell]`).includes("αt"));
  assert.ok(keys(String.raw`v^\top \tanh(U)`).includes("v"));
  assert.ok(!keys(String.raw`\mathrm{GRU}(x)`).includes("GRU"));
});

test("what is raised over a matrix with its shape stands beside its letter", () => {
  const [[matrix]] = piecesOf(String.raw`\underset{6 \times 2}{E}^\top x`);
  assert.deepEqual([matrix.tag, matrix.kids.map(({ tag }) => tag)], ["munder", ["msup", "mrow"]]);
});

test("a vector has the numbers that are printed of it, and its size", () => {
  const vectors = (latex) => all(latex).flatMap(({ vector }) => vector ?? []);
  assert.deepEqual(vectors(String.raw`h = [0.123,\ -0.456,\ 0.789,\ \dots] \in \mathbb{R}^{320}`), ["0.123,-0.456,0.789|320"]);
  assert.deepEqual(vectors(String.raw`\delta_{3} = [0,\ \dots,\ \underset{3}{1}] \in \{0, 1\}^{60}`), []);
  assert.deepEqual(vectors(String.raw`[s_t;\, c_t]`), []);
});

test("a sum and a product have what they run over below, and its end above", () => {
  const tags = (latex) => piecesOf(latex).flat().map(({ tag, kids }) => [tag, ...(kids ?? []).map(textOf)]);
  assert.deepEqual(tags(String.raw`\sum_{t=1}^{m}`), [["munderover", "∑", "t=1", "m"]]);
  assert.deepEqual(tags(String.raw`\prod_t p`), [["munder", "∏", "t"], ["mi"]]);
  assert.deepEqual(texts(String.raw`\arg\max_y`), ["argmaxy"]);
});

test("markup is text", () => assert.ok(texts("<b>").join("").startsWith("<b>")));

test("numbers come as bytes", () => {
  const bytes = (values, kind) => Buffer.from(new kind(values).buffer).toString("base64");
  assert.deepEqual(unpacked({ bits: 16, values: bytes([1, -1500], Int16Array) }), [0.001, -1.5]);
  assert.deepEqual(unpacked({ bits: 32, values: bytes([40000500], Int32Array) }), [40000.5]);
});
