// Where the boxes of the network lie: all of it in sight, what does not fit folded, and what matters never.
import assert from "node:assert/strict";
import { test } from "node:test";

const { columns, foldedSpans, indexOf, leastHeight, rows } = await import("../../../demo/components/player/network_layout.js");

const FOLD = 74;
const taken = (spans, widths) => spans.reduce((sum, { from, to }) => sum + (to - from > 1 ? FOLD : widths[from]), 0);

test("what fits is not folded", () => {
  assert.deepEqual(foldedSpans([60, 60, 60], 200), [0, 1, 2].map((i) => ({ from: i, to: i + 1 })));
});

test("folded columns follow each other, hide nothing that must be seen, and fit", () => {
  for (const count of [4, 9, 30, 200]) {
    const widths = Array.from({ length: count }, (_, i) => 50 + ((i * 37) % 60));
    for (const near of [null, 0, 1, Math.floor(count / 2), count - 2, count - 1]) {
      const spans = foldedSpans(widths, 420, near);
      assert.equal(spans[0].from, 0);
      assert.equal(spans.at(-1).to, count);
      spans.slice(1).forEach((span, i) => assert.equal(span.from, spans[i].to));
      assert.ok(taken(spans, widths) <= 420 || count < 4, `${count} near ${near}: ${taken(spans, widths)}`);
      assert.ok(spans.filter(({ from, to }) => to - from > 1).length <= 2);
      const shown = (place) => spans.some(({ from, to }) => from === place && to === place + 1);
      assert.ok(shown(0));
      if (near !== null) assert.ok(shown(near), `${near} of ${count} is folded`);
      else assert.ok(shown(count - 1));
    }
  }
});

test("more room shows more", () => {
  const widths = Array.from({ length: 30 }, () => 70);
  const seen = (room) => foldedSpans(widths, room, 20).filter(({ from, to }) => to - from === 1).length;
  assert.ok(seen(400) < seen(800) && seen(800) < seen(1600));
});

test("columns stay within their room, also on the smallest screen", () => {
  for (const room of [200, 360, 900]) {
    const made = columns([30, 200, 90, 14, 60, 44], 62, room, 92, 3);
    assert.ok(made[0].x - made[0].width / 2 >= 92 - 1e-9);
    assert.ok(made.at(-1).x + made.at(-1).width / 2 <= 92 + room + 1e-9);
    made.slice(1).forEach((one, i) => assert.ok(one.x > made[i].x));
  }
});

test("in the least height rows follow each other with room in between", () => {
  for (const size of [{ chain: true, middle: true, photo: 0 }, { chain: false, middle: true, photo: 180 }, { chain: false, middle: false, photo: 0 }]) {
    const all = { token: 34, box: 38, lift: 20, bars: 10, ...size };
    const height = leastHeight(all);
    const y = rows(height, all);
    assert.ok(y.source >= 0);
    if (size.middle) assert.ok(y.context - 18 >= y.above + 60 && y.state - 19 > y.context + 18);
    assert.ok(y.state - 19 >= y.above && y.out >= y.state + 19 + 20 && y.bars + 5 <= height);
  }
});

test("indices count from 1, and a word of several pieces has both", () => {
  assert.deepEqual([indexOf(0, 1), indexOf(11, 12), indexOf(3, 5), indexOf(-1, 0)], ["\u2081", "\u2081\u2082", "\u2084\u208b\u2085", "\u2080"]);
});
