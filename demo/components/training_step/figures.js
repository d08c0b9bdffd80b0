// How gradients are written, and rows of numbers drawn: a signed bar for each.

import { sizeCanvas } from "../canvas.js";
import { css } from "../colours.js";
import { decimals, range } from "../numbers.js";

const LOW = [..."\u2080\u2081\u2082\u2083\u2084\u2085\u2086\u2087\u2088\u2089"];
const HIGH = [..."\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079"];

export function indexed(letter, number) {
  return letter + [...String(number)].map((digit) => LOW[Number(digit)]).join("");
}

// Three digits that count: 12.3, 0.0456, 7.8·10⁻⁶.
export function measured(value) {
  const size = Math.abs(value);
  if (size === 0) return "0";
  if (size >= 99.95) return decimals(value, 0);
  if (size >= 0.00995) return decimals(value, size >= 9.995 ? 1 : size >= 0.0995 ? 2 : 3);
  const [count, power] = size.toExponential(1).split("e").map(Number);
  return `${decimals(Math.sign(value) * count, 1)}\u00b710\u207b${[...String(-power)].map((digit) => HIGH[Number(digit)]).join("")}`;
}

export function unpacked(strip) {
  const bytes = atob(strip);
  return range(bytes.length).map((i) => (bytes.charCodeAt(i) << 24) >> 24);
}

// Rows under the source's words, with a bar for each position and the number where there is room: of a signed row up or down.
export function drawRows(canvas, rows, labels, palette, width) {
  const [left, high, top] = [76, 36, 26];
  const each = (width - left) / labels.length;
  const height = top + rows.length * high;
  const context = sizeCanvas(canvas, width, height);
  context.clearRect(0, 0, width, height);
  Object.assign(context, { textAlign: "center", textBaseline: "middle", fillStyle: css(palette.ink) });
  context.font = `16px ${palette.font}`;
  if (each >= 13) labels.forEach((label, j) => context.fillText(label, left + (j + 0.5) * each, 13, each - 4));
  rows.forEach(({ name, values, signed }, i) => {
    const [y, room] = [top + i * high, high - 6];
    const most = Math.max(...values.map(Math.abs), 1e-30);
    const zero = signed ? y + room / 2 : y + room;
    Object.assign(context, { textAlign: "left", fillStyle: css(palette.ink), font: `600 17px ${palette.font}` });
    context.fillText(name, 0, y + room / 2, left - 6);
    context.font = `16px ${palette.font}`;
    context.fillStyle = css(palette.line);
    context.fillRect(left, zero, width - left, 1);
    values.forEach((value, j) => {
      const size = (value / most) * (signed ? room / 2 : room);
      const x = left + j * each;
      const numbered = each >= 58;
      context.fillStyle = css(palette.grey);
      context.fillRect(x + 3, size > 0 ? zero - size : zero, numbered ? 9 : each - 6, Math.abs(size));
      Object.assign(context, { fillStyle: css(palette.ink), textAlign: "left" });
      if (numbered) context.fillText(measured(value), x + 15, y + room / 2, each - 17);
    });
  });
}
