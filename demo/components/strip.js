// A vector as a picture: a signed bar for each of its numbers.

import { sizeCanvas } from "./canvas.js";
import { css } from "./colours.js";

// Each number as a bar up or down from the middle; the largest fills the height.
export function drawStrip(canvas, values, palette, width, height = 40) {
  const context = sizeCanvas(canvas, width, height);
  context.clearRect(0, 0, width, height);
  const middle = height / 2;
  const most = Math.max(...values.map(Math.abs), 1e-30);
  const each = width / values.length;
  context.fillStyle = css(palette.line);
  context.fillRect(0, middle - 0.5, width, 1);
  context.fillStyle = css(palette.grey);
  values.forEach((value, i) => {
    const size = (value / most) * (middle - 1);
    context.fillRect(i * each, size > 0 ? middle - size : middle, Math.max(each * 0.8, 0.7), Math.abs(size));
  });
}
