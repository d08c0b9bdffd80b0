// A coarse grid of weights, smoothly enlarged: Catmull-Rom between the cells, exact at their centres.

import { clamp, range } from "../numbers.js";

export const FINE = 8; // drawn points per grid cell and side

// Catmull-Rom weights for a point at `t` between the middle two of four cells.
function cubic(t) {
  return [((2 - t) * t - 1) * t / 2, (t * t * (3 * t - 5) + 2) / 2, ((4 - 3 * t) * t + 1) * t / 2, (t - 1) * t * t / 2];
}

// For each drawn point of a cell: the first of the four cells it is made of, and their weights.
const TAPS = range(FINE).map((i) => {
  const at = (i + 0.5) / FINE - 0.5;
  return { base: Math.floor(at) - 1, weights: cubic(at - Math.floor(at)) };
});

function upsampleLines(values, lines, length, stride, step) {
  const out = new Float32Array(lines * length * FINE);
  for (let line = 0; line < lines; line++) {
    for (let i = 0; i < length * FINE; i++) {
      const { base, weights } = TAPS[i % FINE];
      const first = Math.floor(i / FINE) + base;
      let sum = 0;
      for (let k = 0; k < 4; k++) sum += weights[k] * values[line * stride + clamp(first + k, 0, length - 1) * step];
      out[line * length * FINE + i] = Math.max(0, sum);
    }
  }
  return out;
}

// A grid of rows x columns, smoothly enlarged; row by row from the upper left.
export function upsample(grid, rows, columns) {
  const wide = upsampleLines(grid, rows, columns, columns, 1);
  const width = columns * FINE;
  const tall = upsampleLines(wide, width, rows, 1, width); // one line per column
  const out = new Float32Array(width * rows * FINE);
  for (let x = 0; x < width; x++) for (let y = 0; y < rows * FINE; y++) out[y * width + x] = tall[x * rows * FINE + y];
  return out;
}
