// Where the boxes of the network lie: a column for each word of the source and of the output; what does not fit is folded, never cut.

import { clamp, range } from "../numbers.js";

const FOLD = 74; // pixels of a column that stands for several
const LABEL_ROOM = 18; // beside a token
const SPREAD = 46; // the most that a column is wider than it has to be

// Columns as spans [from, to): single ones while all fit, else one for what lies between. `near`: a place that is never folded,
// nor is the first; without one the middle is folded.
export function foldedSpans(widths, room, near = null) {
  const count = widths.length;
  const sum = (spans) => spans.reduce((total, { from, to }) => total + (to - from > 1 ? FOLD : widths[from]), 0);
  const single = range(count).map((i) => ({ from: i, to: i + 1 }));
  if (sum(single) <= room || count < 4) return single;
  const between = (from, to) => (to - from > 1 ? [{ from, to }] : single.slice(from, to));
  const around = ([low, high]) => [...between(0, 1), ...between(1, low), ...single.slice(low, high), ...between(high, count)];
  const ends = ([first, last]) => [...single.slice(0, first), ...between(first, count - last), ...single.slice(count - last)];
  const [spansOf, grown] = near === null ? [ends, growEnds(count)] : [around, growAround(count, near)];
  let best = spansOf(grown[0]);
  for (const state of grown) if (sum(spansOf(state)) <= room) best = spansOf(state);
  return best;
}

// From the least to the most that may be shown: one more at the beginning, then one more at the end.
function growEnds(count) {
  return range(count - 2).map((i) => [1 + Math.ceil(i / 2), 1 + Math.floor(i / 2)]).filter(([first, last]) => first + last < count);
}

// The place itself, those beside it, then those before it, then those after.
function growAround(count, near) {
  const at = clamp(near, 1, count - 1);
  const next = Math.min(at + 2, count);
  const states = [[at, at + 1], [Math.max(1, at - 1), at + 1]];
  for (let low = Math.max(1, at - 1); low >= 1; low--) states.push([low, next]);
  for (let high = next + 1; high <= count; high++) states.push([1, high]);
  return states;
}

// The columns with their places: `x` the middle.
export function columns(labels, least, room, left, near = null) {
  const widths = labels.map((width) => Math.max(width + LABEL_ROOM, least));
  const capped = widths.map((width) => Math.min(width, Math.max(least, room / 3)));
  const spans = foldedSpans(capped, room, near);
  const own = spans.map(({ from, to }) => (to - from > 1 ? FOLD : capped[from]));
  const total = own.reduce((a, b) => a + b, 0);
  const squeeze = Math.min(1, room / total); // three words on a very small screen
  const spread = clamp((room - total) / spans.length, 0, SPREAD);
  let x = left + Math.max(0, (room - total * squeeze - spread * spans.length) / 2);
  return spans.map(({ from, to }, i) => {
    const width = own[i] * squeeze + spread;
    x += width;
    return { from, to, x: x - width / 2, width };
  });
}

// The heights of the rows, from top to bottom, in a drawing so high.
export function rows(height, { token, box, lift, photo, chain, middle, bars }) {
  const out = height - bars - token - 2;
  const state = out - 26 - box / 2;
  const context = state - box / 2 - 30 - 18;
  const top = 2 + (photo ? photo : chain ? token + lift + box : 0);
  return { source: chain ? top - box - lift - token : 2, read: chain ? top - box / 2 : 2 + photo / 2, above: top, context: middle ? context : state, state, out, bars: out + token + 3 };
}

// The least height in which nothing lies on anything else.
export function leastHeight({ token, box, lift, photo, chain, middle, bars }) {
  const upper = photo ? photo : chain ? token + lift + box : 0;
  return Math.ceil(upper + (middle ? 84 + 18 + 18 + 30 : upper ? 40 : 4) + box + 26 + token + bars + 6);
}

export function indexOf(start, end) {
  const digits = (number) => String(number).replace(/\d/g, (digit) => String.fromCharCode(0x2080 + Number(digit)));
  return end - start > 1 ? `${digits(start + 1)}\u208b${digits(end)}` : digits(start + 1);
}
