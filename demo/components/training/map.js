// What one model did with the watched input after some step: its attention map, the one vector it has instead, or its looks at a picture.

import { sizeCanvas } from "../canvas.js";
import { mix, css } from "../colours.js";
import { make, setText } from "../elements.js";
import { prefersReducedMotion, easeOut } from "../motion.js";
import { clamp, range, probability } from "../numbers.js";
import { visible } from "../text.js";

const ROW_LIMIT = 44;

function decodeLevels(frame) {
  const bytes = atob(frame.map);
  return Float32Array.from({ length: bytes.length }, (_, i) => bytes.charCodeAt(i) / 255);
}

export function tokenLabel(token) {
  return token === "</s>" ? "end" : visible(token.replace(/^ (?=.)/, ""));
}

export class MapPicture {
  constructor(parent) {
    this.canvas = make("canvas", "training-map", null, { role: "img" });
    this.hint = make("p", "training-hint");
    parent.append(this.canvas, this.hint);
    this.shown = null; // levels on the screen, on their way to the frame's
    this.canvas.onpointermove = (event) => this.point(event);
    this.canvas.onpointerleave = () => setText(this.hint, "");
  }

  // `scene`: source, right answer, size and colours; `frame`: the moment.
  show(scene, frame) {
    this.scene = scene;
    this.frame = frame;
    const target = decodeLevels(frame);
    const [columns, rows] = [frame.columns, frame.rows];
    const moved = this.shown && this.columns === columns && !prefersReducedMotion();
    const from = new Float32Array(target.length);
    if (moved) from.set(this.shown.subarray(0, target.length));
    Object.assign(this, { columns, rows, target, from: moved ? from : target, began: performance.now() });
    this.canvas.setAttribute("aria-label", `${scene.name}: after step ${frame.step} the output is ${frame.text || "empty"}.`);
    cancelAnimationFrame(this.waiting);
    this.move();
  }

  move() {
    const share = this.from === this.target ? 1 : easeOut(clamp((performance.now() - this.began) / 220, 0, 1));
    this.shown = this.target.map((level, i) => this.from[i] + (level - this.from[i]) * share);
    this.draw();
    if (share < 1) this.waiting = requestAnimationFrame(() => this.move());
  }

  draw() {
    if (this.scene.source.kind === "image") drawLooks(this);
    else if (this.scene.map) drawCells(this);
    else drawVector(this);
  }

  wrong(row) {
    const right = this.scene.right;
    return right !== null && this.frame.tokens[row] !== right[row];
  }

  // Sizes that stay the same for the whole training: they depend on the source and the right answer alone.
  geometry(context) {
    const { source, right, width, height, palette, wordy } = this.scene;
    const rows = Math.max(right ? right.length : this.rows, 2);
    const size = 24;
    context.font = `${size}px ${palette.font}`;
    const longest = wordy ? Math.max(...(right ?? this.frame.tokens).map((token) => context.measureText(tokenLabel(token)).width)) : 24;
    const left = Math.min(Math.max(longest, 24) + 30, width * 0.4);
    const top = 38;
    const cell = Math.max(14, Math.min((width - left - 4) / source.tokens.length, (height - top - 4) / rows, ROW_LIMIT));
    const row = Math.max(16, Math.min((height - top - 4) / rows, Math.max(cell, 26)));
    const font = clamp(Math.floor(Math.min(cell, row) * 0.72), 13, size);
    return { rows, left, top, cell, row, font };
  }

  point(event) {
    const at = this.place;
    if (!at || !this.scene.map || this.scene.source.kind === "image") return;
    const box = this.canvas.getBoundingClientRect();
    const column = Math.floor((event.clientX - box.left - at.left) / at.cell);
    const row = Math.floor((event.clientY - box.top - at.top) / at.row);
    const inside = column >= 0 && column < this.columns && row >= 0 && row < this.rows;
    const words = inside ? `${tokenLabel(this.frame.tokens[row])} looks at ${visible(this.scene.source.tokens[column])}: ` : "";
    setText(this.hint, inside ? words + probability(this.target[row * this.columns + column]) : "");
  }
}

function drawTargets(picture, context, at) {
  const { palette } = picture.scene;
  for (const row of range(Math.min(picture.rows, at.rows + 3))) {
    const y = at.top + (row + 0.5) * at.row;
    if (y > picture.scene.height) break;
    const token = picture.frame.tokens[row];
    const wrong = picture.wrong(row);
    context.font = `${token === "</s>" ? "italic " : ""}${wrong ? "" : "600 "}${at.font}px ${palette.font}`;
    context.fillStyle = css(wrong ? palette.grey : palette.ink);
    context.textAlign = "right";
    context.textBaseline = "middle";
    context.fillText(tokenLabel(token), at.left - 10, y, at.left - 34);
    if (wrong) {
      const [x, arm] = [9, Math.min(5, at.font / 4)];
      context.strokeStyle = css(palette.grey);
      context.lineWidth = 2;
      context.beginPath();
      context.moveTo(x - arm, y - arm);
      context.lineTo(x + arm, y + arm);
      context.moveTo(x + arm, y - arm);
      context.lineTo(x - arm, y + arm);
      context.stroke();
    }
  }
}

function drawSources(picture, context, at, step) {
  const { palette, source } = picture.scene;
  context.font = `${at.font}px ${palette.font}`;
  context.fillStyle = css(palette.ink);
  context.textAlign = "center";
  context.textBaseline = "alphabetic";
  source.tokens.forEach((token, column) => context.fillText(visible(token), at.left + (column + 0.5) * step, at.top - 12));
}

function drawCells(picture) {
  const { palette, width, source } = picture.scene;
  let context = sizeCanvas(picture.canvas, width, 100);
  const at = (picture.place = picture.geometry(context));
  const rows = Math.max(at.rows, Math.min(picture.rows, Math.floor((picture.scene.height - at.top - 4) / at.row)));
  context = sizeCanvas(picture.canvas, width, at.top + rows * at.row + 4);
  context.clearRect(0, 0, width, picture.scene.height + 50);
  drawSources(picture, context, at, at.cell);
  drawTargets(picture, context, at);
  for (const row of range(rows)) {
    for (const column of range(source.tokens.length)) {
      const level = row < picture.rows ? picture.shown[row * picture.columns + column] : 0;
      context.fillStyle = palette.fill(row < picture.rows ? level : 0);
      context.globalAlpha = row < picture.rows ? 1 : 0.45;
      context.fillRect(at.left + column * at.cell, at.top + row * at.row, at.cell - 1.5, at.row - 1.5);
    }
  }
  context.globalAlpha = 1;
}

// Without a map: all source tokens end in one vector, which the decoder gets once (none) or at every step.
function drawVector(picture) {
  const { palette, width, source, everyStep } = picture.scene;
  let context = sizeCanvas(picture.canvas, width, 100);
  const at = picture.geometry(context);
  const height = at.top + at.rows * at.row + 4;
  context = sizeCanvas(picture.canvas, width, height);
  context.clearRect(0, 0, width, height);
  drawSources(picture, context, at, at.cell);
  drawTargets(picture, context, at);
  const box = { width: Math.min(150, width - at.left - 60), height: 46 };
  const [x, y] = [at.left + Math.max(40, (source.tokens.length * at.cell - box.width) / 2), at.top + Math.max(50, at.row * 2.5)];
  Object.assign(context, { strokeStyle: css(palette.grey), lineWidth: 1.5 });
  source.tokens.forEach((_, column) => line(context, at.left + (column + 0.5) * at.cell, at.top - 4, x + box.width / 2, y));
  for (const row of range(everyStep ? Math.min(picture.rows, at.rows) : 1)) line(context, x, y + box.height / 2, at.left - 2, at.top + (row + 0.5) * at.row);
  context.fillStyle = css(mix(palette.paper, palette.ink, 0.08));
  context.fillRect(x, y, box.width, box.height);
  context.strokeRect(x, y, box.width, box.height);
  context.fillStyle = css(palette.ink);
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.font = `18px ${palette.font}`;
  context.fillText("one vector", x + box.width / 2, y + box.height / 2);
  context.fillStyle = css(palette.grey);
  const words = everyStep ? "given at every step" : "given once, at the start";
  context.fillText(words, at.left + (width - at.left) / 2, y + box.height + 20, width - at.left - 4);
}

export function line(context, x1, y1, x2, y2) {
  context.beginPath();
  context.moveTo(x1, y1);
  context.lineTo(x2, y2);
  context.stroke();
}

// A picture: once per word, lit where the word looked.
function drawLooks(picture) {
  const { palette, width, source, photo, right } = picture.scene;
  const rows = Math.max(right ? right.length - 1 : picture.rows, 1);
  const columns = Math.max(2, Math.min(5, Math.floor(width / 118)));
  const side = Math.min(150, Math.floor(width / columns) - 10);
  const step = side + 40;
  const height = Math.ceil(rows / columns) * step;
  const context = sizeCanvas(picture.canvas, width, height);
  context.clearRect(0, 0, width, height);
  for (const row of range(Math.min(rows, picture.rows))) {
    const [x, y] = [(row % columns) * (side + 10), Math.floor(row / columns) * step + 30];
    const wrong = picture.wrong(row);
    context.font = `${wrong ? "" : "600 "}20px ${palette.font}`;
    context.fillStyle = css(wrong ? palette.grey : palette.ink);
    context.textAlign = "left";
    context.textBaseline = "alphabetic";
    context.fillText((wrong ? "\u00d7 " : "") + tokenLabel(picture.frame.tokens[row]), x, y - 8, side);
    if (photo.complete && photo.naturalWidth) context.drawImage(photo, x, y, side, side);
    const levels = picture.shown.subarray(row * picture.columns, (row + 1) * picture.columns);
    const most = Math.max(...levels, 1e-6);
    context.fillStyle = css(mix(palette.paper, palette.ink, 0.75));
    for (const cell of range(picture.columns)) {
      const size = side / source.columns;
      context.globalAlpha = 0.72 * (1 - levels[cell] / most);
      context.fillRect(x + (cell % source.columns) * size, y + Math.floor(cell / source.columns) * size, size + 0.5, size + 0.5);
    }
    context.globalAlpha = 1;
  }
}
