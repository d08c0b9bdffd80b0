// Drawing on the map's canvas: a row of cells, or, for a model without a map, the one vector it was given.

import { measureText } from "../canvas.js";
import { mix, css } from "../colours.js";
import { clamp, decimals } from "../numbers.js";

export function drawRow(context, player, place, row, columns, marks = []) {
  const { units, palette, options } = player;
  const y = place.bar + row * place.pitch;
  const gap = place.pitch >= 10 && place.widths[0] >= 10 ? 1 : 0;
  context.clearRect(place.starts[columns[0]] - place.width, y, place.width * 3, place.pitch);
  const partly = row === player.current ? player.clock.progress : 1;
  const seen = row < player.clock.shown;
  for (const column of columns) {
    const [x, width] = [place.starts[column] + gap, place.widths[column] - 2 * gap];
    if (seen) {
      context.globalAlpha = partly;
      context.fillStyle = palette.fill(units.shade(row, column, options.relative));
      context.fillRect(x, y + gap, width, place.pitch - 2 * gap);
    } else if (gap) {
      context.globalAlpha = 1;
      context.fillStyle = css(palette.ink, 0.035);
      context.fillRect(x, y + gap, width, place.pitch - 2 * gap);
    }
    if (units.source[column].hidden) drawHatch(context, palette, x, y + gap, width, place.pitch - 2 * gap);
  }
  if (seen && options.numbers) drawNumbers(context, player, place, row, columns);
  if (seen) drawPositions(context, player, place, row);
  if (seen) marks.forEach((mark, i) => drawMark(context, player, place, row, mark, place.marks[i]));
  context.globalAlpha = 1;
}

function drawNumbers(context, player, place, row, columns) {
  const size = Math.min(20, place.pitch * 0.6, Math.min(...columns.map((c) => place.widths[c])) / 1.9);
  if (size < 9) return;
  context.font = `${size}px ${player.palette.font}`;
  context.textAlign = "center";
  context.textBaseline = "middle";
  for (const column of columns) {
    const weight = player.units.weight(row, column);
    context.fillStyle = player.palette.inkOn(player.units.shade(row, column, player.options.relative));
    const text = weight >= 0.995 ? "1" : weight < 0.005 ? "0" : weight.toFixed(2).slice(1);
    context.fillText(text, place.starts[column] + place.widths[column] / 2, place.bar + (row + 0.53) * place.pitch);
  }
}

// A position that the model named, such as the glimpse of hard attention: a ring in its cell.
function drawPositions(context, player, place, row) {
  const { units, palette, options } = player;
  for (const mark of player.data.marks.filter((one) => one.position)) {
    const column = units.columnOf(units.mark(mark, row));
    if (column < 0) continue;
    const radius = Math.max(2, Math.min(place.pitch, place.widths[column]) * 0.32);
    context.lineWidth = Math.max(1, radius * 0.22);
    context.strokeStyle = palette.inkOn(units.shade(row, column, options.relative));
    context.beginPath();
    context.arc(place.starts[column] + place.widths[column] / 2, place.bar + (row + 0.5) * place.pitch, radius, 0, 7);
    context.stroke();
  }
}

// A number of the step in a column of its own: a bar, and the number itself where there is room.
function drawMark(context, player, place, row, mark, { start, width }) {
  const { palette, units } = player;
  const value = units.mark(mark, row);
  const most = Math.max(1, ...mark.values.map(Math.abs));
  const [y, height] = [place.bar + row * place.pitch + 1, place.pitch - 2];
  context.fillStyle = css(palette.ink, 0.08);
  context.fillRect(start, y, width, height);
  context.fillStyle = css(palette.ink, 0.28);
  context.fillRect(start, y, (width * Math.abs(value)) / most, height);
  const size = Math.min(18, place.pitch * 0.6);
  if (size < 9) return;
  context.font = `${size}px ${palette.font}`;
  context.fillStyle = css(palette.ink);
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.fillText(decimals(value), start + width / 2, place.bar + (row + 0.53) * place.pitch);
}

// A source position the person has hidden from the model.
function drawHatch(context, palette, x, y, width, height) {
  context.save();
  context.beginPath();
  context.rect(x, y, width, height);
  context.clip();
  context.strokeStyle = css(palette.grey);
  context.lineWidth = 1;
  context.beginPath();
  for (let d = -height; d < width; d += 6) {
    context.moveTo(x + d, y + height);
    context.lineTo(x + d + height, y);
  }
  context.stroke();
  context.restore();
}

function arrow(context, x0, y0, x1, y1, head = 8) {
  const angle = Math.atan2(y1 - y0, x1 - x0);
  context.beginPath();
  context.moveTo(x0, y0);
  context.lineTo(x1 - head * Math.cos(angle), y1 - head * Math.sin(angle));
  context.stroke();
  context.beginPath();
  context.moveTo(x1, y1);
  for (const turn of [-0.45, 0.45]) context.lineTo(x1 - head * 1.3 * Math.cos(angle + turn), y1 - head * 1.3 * Math.sin(angle + turn));
  context.closePath();
  context.fill();
}

// The whole source becomes one bar, the vector h_T; it reaches the decoder once, or again at every step.
export function drawVector(context, view) {
  const { place, player } = view;
  const { palette } = player;
  context.clearRect(0, 0, place.width + place.overhang, place.height);
  const solid = css(mix(palette.paper, palette.ink, 0.72));
  Object.assign(context, { fillStyle: solid, strokeStyle: solid, lineWidth: 2 });
  context.save();
  context.translate(0, view.seen.top); // the one vector stays in sight above its steps
  drawFunnel(context, view, solid);
  context.restore();
  context.beginPath();
  context.rect(0, view.seen.top + place.bar * 0.84, place.width + place.overhang, place.height);
  context.clip();
  const trunk = clamp(place.width * 0.35, 90, 190);
  const middle = (row) => place.bar + (row + 0.5) * place.pitch;
  for (let row = 0; row < player.clock.shown; row++) {
    context.globalAlpha = row === player.current ? player.clock.progress : 1;
    drawState(context, view, row, middle(row), row > 0 ? middle(row - 1) : null);
    if (row === 0 || player.data.link === "every-step") drawLink(context, view, row, trunk, middle(row));
  }
  context.globalAlpha = 1;
  drawVectorLabel(context, view, trunk);
}

// A letter with a small one below it, centred: h_T.
export function vectorLabel(context, palette, x, y, size, long) {
  const text = long ? "one vector for the whole source: h" : "one vector: h";
  context.save();
  context.font = `600 ${size}px ${palette.font}`;
  const width = context.measureText(text).width;
  Object.assign(context, { fillStyle: css(palette.paper), textAlign: "left", textBaseline: "middle" });
  const left = x - (width + size * 0.5) / 2;
  context.fillText(text, left, y);
  context.font = `600 ${size * 0.65}px ${palette.font}`;
  context.fillText("T", left + width + 1, y + size * 0.32);
  context.restore();
}

function drawFunnel(context, { place, player }, solid) {
  const top = place.bar * 0.34;
  context.globalAlpha = 0.55;
  context.lineWidth = 1.5;
  player.units.source.forEach((_, column) => {
    const x = place.starts[column] + place.widths[column] / 2;
    context.beginPath();
    context.moveTo(x, 2);
    context.lineTo(x, top);
    context.stroke();
  });
  context.globalAlpha = 1;
  context.fillStyle = solid;
  context.beginPath();
  context.roundRect(2, top, place.width - 4, place.bar * 0.5, 6);
  context.fill();
  vectorLabel(context, player.palette, place.width / 2, top + place.bar * 0.26, Math.min(20, place.bar * 0.34), place.width > 330);
}

function drawState(context, { place, player }, row, y, above) {
  const radius = Math.min(15, place.pitch * 0.36);
  const x = 30;
  context.lineWidth = 2;
  if (above !== null) arrow(context, x, above + radius, x, y - radius - 1, 6);
  context.fillStyle = css(player.palette.paper);
  context.beginPath();
  context.arc(x, y, radius, 0, 7);
  context.fill();
  context.stroke();
  context.fillStyle = context.strokeStyle;
  context.font = `${Math.max(11, radius * 1.05)}px ${player.palette.font}`;
  context.textAlign = "center";
  context.textBaseline = "middle";
  if (radius >= 10) context.fillText(`s${subscript(row + 1)}`, x, y + 1);
}

function drawLink(context, { place, player }, row, trunk, y) {
  const radius = Math.min(15, place.pitch * 0.36);
  const from = player.data.link === "every-step" && row > 0 ? y - place.pitch : place.bar * 0.84;
  context.lineWidth = 3;
  context.beginPath();
  context.moveTo(trunk, from);
  context.lineTo(trunk, y);
  context.stroke();
  arrow(context, trunk, y, 30 + radius + 3, y);
}

function drawVectorLabel(context, { place, player, seen }, trunk) {
  if (player.clock.shown === 0 || seen.top > 1) return; // where the first rows are scrolled away it would stand cut
  const every = player.data.link === "every-step";
  context.fillStyle = css(player.palette.ink);
  context.textAlign = "left";
  context.textBaseline = "middle";
  const lines = every ? ["again at", "every step"] : ["once, at", "the start"];
  const room = (place.width + place.overhang - trunk - 16) / Math.max(...measureText(lines, 1, player.palette.font));
  if (room < 13) return; // the player's name says it too
  const size = Math.min(room, 18);
  context.font = `${size}px ${player.palette.font}`;
  lines.forEach((line, i) => context.fillText(line, trunk + 14, place.bar + Math.max(14, place.pitch * 0.5) + i * size * 1.33));
}

function subscript(number) {
  return String(number).replace(/\d/g, (digit) => String.fromCharCode(0x2080 + Number(digit)));
}
