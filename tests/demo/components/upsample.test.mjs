// A grid of weights drawn smoothly: bicubic, as the formula of Catmull and Rom has it.
import assert from "node:assert/strict";
import { test } from "node:test";
import { FINE, upsample } from "../../../demo/components/player/upsample.js";

const close = (a, b, within = 1e-6) => assert.ok(Math.abs(a - b) < within, `${a} is not ${b}`);

// The spline through four points, written as Hermite's: its slopes are half the differences of the neighbours.
function spline([a, b, c, d], t) {
  const [m, n] = [(c - a) / 2, (d - b) / 2];
  return (2 * t ** 3 - 3 * t ** 2 + 1) * b + (t ** 3 - 2 * t ** 2 + t) * m + (-2 * t ** 3 + 3 * t ** 2) * c + (t ** 3 - t ** 2) * n;
}

test("an even grid stays even", () => upsample(new Float32Array(12).fill(0.25), 3, 4).forEach((value) => close(value, 0.25)));

test("a plane stays a plane, away from the edges", () => {
  const [rows, columns] = [5, 6];
  const grid = Float32Array.from({ length: rows * columns }, (_, i) => 0.1 * Math.floor(i / columns) + 0.05 * (i % columns));
  const fine = upsample(grid, rows, columns);
  for (let y = 2 * FINE; y < 3 * FINE; y++) {
    for (let x = 2 * FINE; x < 4 * FINE; x++) close(fine[y * columns * FINE + x], 0.1 * ((y + 0.5) / FINE - 0.5) + 0.05 * ((x + 0.5) / FINE - 0.5));
  }
});

test("every point is the spline's, along both sides", () => {
  const [rows, columns] = [4, 5];
  const grid = Float32Array.from({ length: rows * columns }, (_, i) => 0.5 + 0.3 * Math.sin(1.7 * i));
  const fine = upsample(grid, rows, columns);
  const at = (row, column) => grid[Math.min(rows - 1, Math.max(0, row)) * columns + Math.min(columns - 1, Math.max(0, column))];
  for (let y = 0; y < rows * FINE; y++) {
    for (let x = 0; x < columns * FINE; x++) {
      const [v, u] = [(y + 0.5) / FINE - 0.5, (x + 0.5) / FINE - 0.5];
      const [row, column] = [Math.floor(v), Math.floor(u)];
      const across = [-1, 0, 1, 2].map((i) => spline([-1, 0, 1, 2].map((j) => at(row + i, column + j)), u - column));
      close(fine[y * columns * FINE + x], spline(across, v - row), 1e-5);
    }
  }
});

test("no weight is drawn below 0, and a grid of one cell is that cell", () => {
  assert.ok(upsample(Float32Array.from([0, 1, 0, 0, 0, 1]), 2, 3).every((value) => value >= 0));
  upsample(Float32Array.from([0.7]), 1, 1).forEach((value) => close(value, 0.7));
});
