// Image form: the photo with the attention of the focused word over it, the caption, and one small picture per word.

import { sizeCanvas } from "../canvas.js";
import { make, setText } from "../elements.js";
import { clamp, decimals } from "../numbers.js";
import { Film } from "./film.js";
import { Tip } from "./tip.js";
import { tokenButton, oneTabStop, fade } from "./tokens.js";
import { FINE, upsample } from "./upsample.js";

const SIDE = 330; // kept free beside the photo
const SIDE_ALONE = 520; // where the figure has the whole screen
const THUMB = 84; // pixels of a word's picture, from top to bottom
const LEAST_THUMB = 40; // so low that the pictures of all words stand in one row; more words have two
const AROUND_THUMB = 18; // pixels between two of them
const SMALL_THUMB = 52; // where several players stand side by side
const VEIL = [8, 8, 12];
const DARK = 0.69; // of the veil: at the strength it begins with, what is not looked at keeps 45 % of its light
export const HEAT = [24, 104, 240]; // the attention hue; the photo below it turns grey

// The overlay as pixels: a dark veil with a hole (spotlight), or the attention colours (heat).
function overlayPixels(context, grid, source, options) {
  const heat = options.paint === "heat" && !source.film; // what happens in a film is seen by its colours
  const rgb = heat ? HEAT : VEIL;
  const [width, height] = [source.columns * FINE, source.rows * FINE];
  const pixels = context.createImageData(width, height);
  const fine = options.grid || source.film ? null : upsample(grid, source.rows, source.columns);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const value = clamp(fine ? fine[y * width + x] : grid[Math.floor(y / FINE) * source.columns + Math.floor(x / FINE)], 0, 1);
      const at = 4 * (y * width + x);
      for (let c = 0; c < 3; c++) pixels.data[at + c] = rgb[c];
      pixels.data[at + 3] = 255 * options.strength * (heat ? value ** 0.8 : DARK * (1 - value));
    }
  }
  return pixels;
}

export class ImageView {
  constructor(player) {
    this.player = player;
    const source = (this.source = player.part ?? player.data.parts[0]);
    const words = wordsFor(player.data);
    this.node = make("div", "photo-frame", null, { tabindex: "0", role: "group", "aria-label": words.name });
    this.photo = make("div", "photo");
    this.image = make("img", "", null, { alt: words.alt, draggable: "false" });
    this.canvas = make("canvas", "overlay", null, { "aria-hidden": "true", width: String(source.columns * FINE), height: String(source.rows * FINE) });
    this.lines = make("div", "grid-lines");
    this.spots = make("div", "spots");
    this.mark = make("div", "cell-mark");
    this.mark.style.display = "none";
    this.tip = new Tip(player);
    this.photo.append(this.image, this.canvas, this.lines, this.spots, this.mark, this.tip.node);
    this.remark = make("p", "panel-note");
    this.node.append(this.photo, this.remark);
    this.said = make("div", "caption flow", null, { role: "group", "aria-label": words.said, dir: "auto" });
    this.film = source.film ? new Film(this) : null;
    const plays = this.film && player.layout.panel; // where there is less room the frame that is on is seen in the strip alone
    this.aside = plays ? this.film.node : this.said;
    if (plays) this.node.append(this.said); // a strip is low, and there is room below it
    if (this.film) {
      this.photo.append(this.film.runner);
      this.canvas.style.imageRendering = "pixelated"; // a frame lights up as a whole
    }
    this.below = make("div", "contact", null, { role: "group", "aria-label": "One picture per word" });
    this.context = this.canvas.getContext("2d");
    this.scratch = make("canvas", "", null, { width: this.canvas.width, height: this.canvas.height });
    this.listen();
    if (source.url) this.image.src = source.url;
    this.fill();
  }

  listen() {
    const { player } = this;
    this.image.onload = () => this.node.isConnected && this.drawContact();
    this.photo.onpointermove = (event) => this.pointAt(this.cellAt(event));
    this.photo.onpointerleave = () => this.pointAt(null);
    this.photo.onclick = (event) => player.choose(player.focusRow, player.data.map ? this.cellAt(event) : null);
    this.node.onkeydown = (event) => {
      if (event.key === "Enter" && event.target === this.node) player.choose(player.focusRow, player.cursorColumn());
    };
    this.said.onpointerleave = () => player.hoverAt(null);
    this.below.onpointerleave = () => player.hoverAt(null);
  }

  fill() {
    const { units } = this.player;
    this.tokens = units.target.map((unit, row) => tokenButton(this.player, unit, row, null));
    units.target.forEach((unit, row) => (this.tokens[row].hidden = Boolean(unit.special))); // the whole photo and the whole caption are the end
    this.said.replaceChildren(...this.tokens);
    this.thumbs = units.target.map((unit, row) => this.thumb(unit, row));
    units.target.forEach((unit, row) => (this.thumbs[row].button.hidden = Boolean(unit.special)));
    this.below.replaceChildren(...this.thumbs.map((thumb) => thumb.button));
    oneTabStop(this.tokens);
    oneTabStop(this.thumbs.map((thumb) => thumb.button));
    const { start } = units.parts[0];
    const looks = this.player.data.marks.find((mark) => mark.position)?.values ?? []; // where hard attention looked
    this.glimpses = looks.map((position) => position - start).map((cell) => (cell >= 0 && cell < units.source.length ? cell : null));
    this.spots.replaceChildren(...this.glimpses.map((_, i) => make("span", "spot", String(i + 1))));
    this.placeSpots();
  }

  thumb(unit, row) {
    const button = tokenButton(this.player, unit, row, null);
    button.className = "thumb";
    const canvas = make("canvas", "", null, { "aria-hidden": "true" });
    button.replaceChildren(canvas, make("span", "", unit.label, { dir: "auto" }));
    return { button, canvas };
  }

  placeSpots() {
    const { source, glimpses } = this;
    const taken = {};
    glimpses.forEach((cell, i) => {
      const spot = this.spots.children[i];
      if (cell === null) return;
      const before = (taken[cell] = (taken[cell] ?? 0) + 1) - 1; // spots on one cell stand side by side
      const aside = cell % source.columns < source.columns / 2 ? 1.5 : -1.5; // away from the nearer edge
      spot.style.marginLeft = `${before * aside}em`;
      spot.style.left = `${((cell % source.columns) + 0.5) * (100 / source.columns)}%`;
      spot.style.top = `${(Math.floor(cell / source.columns) + 0.5) * (100 / source.rows)}%`;
    });
  }

  layout(width, height) {
    const { source } = this;
    const { map } = this.player.data;
    const room = this.player.part || this.player.frame.classList.contains("narrow") || !this.player.layout.panel ? width : this.player.frame.clientWidth - (this.player.alone ? SIDE_ALONE : SIDE);
    const scale = Math.min(room / source.width, (height - 8) / source.height);
    this.shown = { width: Math.round(source.width * scale), height: Math.round(source.height * scale) };
    this.photo.style.width = `${this.shown.width}px`;
    this.photo.style.height = `${this.shown.height}px`;
    this.lines.style.backgroundSize = `${100 / source.columns}% ${100 / source.rows}%`;
    setText(this.remark, map ? "" : `No map: the decoder is given one vector for the whole ${wordsFor(this.player.data).whole}.`);
    this.remark.hidden = map;
    this.drawContact();
    this.film?.start();
    this.paint(true);
  }

  cellAt(event) {
    const { source } = this;
    const box = this.photo.getBoundingClientRect();
    const column = clamp(Math.floor(((event.clientX - box.left) / box.width) * source.columns), 0, source.columns - 1);
    return clamp(Math.floor(((event.clientY - box.top) / box.height) * source.rows), 0, source.rows - 1) * source.columns + column;
  }

  pointAt(cell) {
    this.pointed = cell;
    this.markCell();
  }

  // The cell under the mouse, or the one that was tapped, with its weight.
  markCell() {
    const { player, source } = this;
    const cell = this.pointed ?? player.hover?.column ?? null;
    const shown = cell !== null && player.data.map && player.focusRow >= 0;
    this.mark.style.display = shown ? "" : "none";
    if (!shown) return this.tip.hide();
    this.mark.style.left = `${(cell % source.columns) * (100 / source.columns)}%`;
    this.mark.style.top = `${Math.floor(cell / source.columns) * (100 / source.rows)}%`;
    this.mark.style.width = `${100 / source.columns}%`;
    this.mark.style.height = `${100 / source.rows}%`;
    const weight = decimals(player.units.weight(player.focusRow, cell), 3);
    const [width, height] = [this.shown.width / source.columns, this.shown.height / source.rows];
    const [left, top] = [(cell % source.columns) * width, Math.floor(cell / source.columns) * height];
    const said = `${player.units.target[player.focusRow].label} \u2192 ${player.units.source[cell].label} ${weight}`;
    return this.tip.show(said, { left, right: left + width, top, bottom: top + height }, { left: 0, top: 0, right: this.shown.width, bottom: this.shown.height });
  }

  // The focused word's weights relative to the largest; while a word comes in, between the last word's and its own.
  blended() {
    const { player } = this;
    const { units, focusRow, clock } = player;
    const row = relativeRow(units, focusRow);
    if (focusRow !== player.current || focusRow < 1 || clock.progress >= 1) return row;
    const before = relativeRow(units, focusRow - 1);
    return row.map((weight, i) => before[i] + (weight - before[i]) * clock.progress);
  }

  paint(full = false) {
    const { player } = this;
    const moment = player.moment();
    if (!full && moment === this.moment) return;
    this.moment = moment;
    const { clock, focusRow, data, options } = player;
    this.tokens.forEach((token, row) => this.markToken(token, row));
    this.thumbs.forEach(({ button }, row) => {
      button.classList.toggle("unseen", row >= clock.shown);
      button.classList.toggle("current", row === focusRow);
    });
    [...this.spots.children].forEach((spot, i) => {
      const row = player.units.rowOf(i);
      spot.hidden = row >= clock.shown || row < 0 || this.glimpses[i] === null;
      spot.classList.toggle("current", row === focusRow);
    });
    this.lines.hidden = !options.grid || !data.map;
    this.markCell();
    const looks = this.looks(focusRow);
    this.photo.classList.toggle("heat", options.paint === "heat" && looks && !this.film);
    this.context.clearRect(0, 0, this.canvas.width, this.canvas.height);
    if (looks) this.context.putImageData(overlayPixels(this.context, this.blended(), this.source, options), 0, 0);
  }

  // The end sign is no word that looks anywhere: with it the whole photo is seen again.
  looks(row) {
    return this.player.data.map && row >= 0 && !this.player.units.target[row].special;
  }

  markToken(token, row) {
    const { clock, current } = this.player;
    token.classList.toggle("unseen", row >= clock.shown);
    token.classList.toggle("current", row === this.player.focusRow);
    fade(token, row === current ? clock.progress : 1);
  }

  drawContact() {
    const { source } = this;
    const { map } = this.player.data;
    this.below.hidden = !map; // the same photo again and again would say nothing
    if (!map) return;
    const height = this.player.layout.panel ? this.rowHeight() : SMALL_THUMB;
    const width = clamp((height * source.width) / source.height, 0.5 * height, 1.8 * height);
    const there = this.image.complete && this.image.naturalWidth;
    this.thumbs.forEach(({ canvas }, row) => {
      const context = sizeCanvas(canvas, width, height); // while the picture is fetched, its room is kept
      if (!there) return;
      const looks = this.looks(row);
      context.filter = looks && this.player.options.paint === "heat" && !this.film ? "grayscale(0.85)" : "none";
      context.drawImage(this.image, 0, 0, width, height);
      context.filter = "none";
      if (looks) this.drawThumbOverlay(context, row, width, height);
    });
  }

  // As high as lets all words stand side by side: the sheet is read as one line.
  rowHeight() {
    const each = this.player.frame.clientWidth / this.thumbs.length - AROUND_THUMB;
    return clamp((each * this.source.height) / this.source.width, LEAST_THUMB, THUMB);
  }

  drawThumbOverlay(context, row, width, height) {
    const { player } = this;
    const scratch = this.scratch.getContext("2d");
    scratch.putImageData(overlayPixels(scratch, relativeRow(player.units, row), this.source, player.options), 0, 0);
    context.imageSmoothingEnabled = !(player.options.grid || this.film);
    context.drawImage(this.scratch, 0, 0, width, height);
  }
}

function wordsFor(data) {
  if (data.sound) return { name: "Spectrogram", alt: "The spectrogram of what is heard: time to the right, pitch upwards", said: "Number", whole: "recording" };
  if (data.parts[0].film) return { name: "Film strip", alt: "The frames of the clip, row by row from left to right", said: "What happens", whole: "clip" };
  return { name: "Photo", alt: "The photo that is described", said: "Caption", whole: "picture" };
}

function relativeRow(units, row) {
  const largest = units.most(row) || 1;
  return units.row(row).map((weight) => weight / largest);
}
