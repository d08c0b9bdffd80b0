import assert from "node:assert/strict";
import { test } from "node:test";
import { finder } from "../../../demo/components/gloss/find.js";

const find = finder(["beam", "log-probability", "every-step", "step", "</s>", "BLEU"]);
const words = (text) => find(text).map(({ word }) => word);

test("words are found whole, in any case, in the plural, and the longest first", () => {
  assert.deepEqual(words("Beams of every-step, by BLEU"), ["beam", "every-step", "bleu"]);
  assert.deepEqual(words("a moonbeam, beaming, log-probability-like"), []);
});

test("signs are signs, and the place is told", () => {
  assert.deepEqual(find("ends on </s>."), [{ word: "</s>", begin: 8, end: 12 }]);
  assert.deepEqual(find(""), []);
});
