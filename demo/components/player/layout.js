// Where the columns and rows of the map lie. Labels stay level while they fit, then lean, then stand; the whole map is seen as long as it
// is legible, and scrolls before it is not. `fit`: the whole map, however small.

import { measureText } from "../canvas.js";
import { clamp } from "../numbers.js";

const LEAN = (50 * Math.PI) / 180;
const LABEL_GAP = 10;
const LONGEST_LABEL = 150;
export const PART_GAP = 26;
const PART_NAME = 26; // the height of the names of parts, above their columns
const MARK_GAP = 22;
export const MARK_SIZE = 16;
const HALF_WIDE = 600; // pixels: a narrower map stands beside another one, and its rows get as low as on a phone before it scrolls
// The smallest rows, columns and leaning letters that a map has before it scrolls, in pixels.
const LEAST = { large: { row: 14, column: 18, leaning: 15 }, small: { row: 12, column: 14, leaning: 12 } };

function sizesFor(width, alone) {
  if (alone) return [38, 34, 30, 26];
  return width < 480 ? [17, 16] : [24, 22, 20, 18];
}

// Equal columns if every label fits, else columns as wide as their labels.
function levelColumns(labels, available, sizes, font) {
  for (const size of sizes) {
    const widths = measureText(labels, size, font).map((w) => Math.max(w + 2 * LABEL_GAP, size * 1.7));
    const widest = Math.max(...widths);
    if (widest * labels.length <= available) return { size, widths: labels.map(() => clamp(available / labels.length, widest, Math.max(widest, 124))) };
    const sum = widths.reduce((a, b) => a + b, 0);
    if (sum <= available) {
      const spare = Math.min((available - sum) / labels.length, 24);
      return { size, widths: widths.map((w) => w + spare) };
    }
  }
  return null;
}

// Leaning as long as letters of a legible size do not come to lie on each other; then upright, and scrolling only where even that is too narrow.
function leaningColumns(labels, available, width, height, { fit, alone }, font) {
  const { column, leaning: smallest } = LEAST[width < 480 ? "small" : "large"];
  const largest = alone ? 32 : width < 480 ? 16 : labels.length > 24 ? 18 : 20;
  const limit = Math.min(LONGEST_LABEL, Math.max(70, height * 0.3));
  const last = Math.min(measureText(labels.slice(-1), largest, font)[0], limit);
  const leaning = (available - last * Math.cos(LEAN)) / labels.length;
  const upright = leaning * Math.sin(LEAN) < smallest;
  const pitch = upright ? Math.max(available / labels.length, fit ? 0 : column) : Math.min(leaning, 64);
  const size = upright ? clamp(pitch * 0.9, 11, largest) : Math.min(leaning * Math.sin(LEAN), largest);
  const longest = Math.min(Math.max(...measureText(labels, size, font)), limit);
  const header = Math.ceil(upright ? longest + size + 14 : longest * Math.sin(LEAN) + size * 1.3);
  const overhang = upright ? 0 : Math.ceil(last * Math.cos(LEAN));
  return { size, widths: labels.map(() => pitch), lean: true, upright, header, overhang, longest };
}

// Between two parts there is a gap, for the line that parts them. `firsts`: the first column of each part but the first.
function placeColumns(widths, mirrored, firsts) {
  const starts = [];
  let x = 0;
  widths.forEach((width, i) => {
    if (firsts.includes(i)) x += PART_GAP;
    starts.push(x);
    x += width;
  });
  return { total: x, starts: mirrored ? starts.map((start, i) => x - start - widths[i]) : starts };
}

function rowPitch(rows, room, size, least) {
  return rows ? clamp(room / rows, least, size * 1.9) : size * 1.9;
}

// Letters as high as their row allows.
function fontIn(pitch, size) {
  return Math.min(size, Math.max(11, pitch * 0.86));
}

function placeMarks(widths, from) {
  let end = from;
  return widths.map((width) => {
    const start = end + MARK_GAP;
    end = start + width;
    return { start, width };
  });
}

// The letters of the rows are as high as the words above leave room for, and how wide they are leaves room for those: twice is enough.
export function layoutMap(units, width, height, options, font) {
  const largest = sizesFor(width, options.alone).at(units.target.length > 14 ? -1 : 0);
  const first = layoutWith(largest, units, width, height, options, font);
  const letters = fontIn(first.pitch, largest);
  return letters === largest ? first : layoutWith(letters, units, width, height, options, font);
}

function layoutWith(letters, units, width, height, options, font) {
  const sizes = sizesFor(width, options.alone);
  const targets = units.target.map((unit) => (unit.diverges || unit.edited ? "\u2003" : "") + unit.label); // room for its mark
  const least = options.fit ? 3 : LEAST[width < HALF_WIDE ? "small" : "large"].row;
  const most = width * (width < 300 ? 0.5 : 0.36); // beside many others the words still have to be legible
  const left = Math.ceil(Math.min(Math.max(60, ...measureText(targets, letters, font, 650)) + 48, most));
  const labels = units.source.map((unit) => unit.label);
  const firsts = (units.parts ?? []).slice(1).map((part) => part.first);
  const marks = (options.marks ?? []).map((name) => Math.max(64, Math.ceil(measureText([name], MARK_SIZE, font, 600)[0]) + 20));
  const aside = marks.reduce((a, b) => a + b + MARK_GAP, 0);
  const available = width - left - 6 - firsts.length * PART_GAP - aside;
  const level = labels.length ? levelColumns(labels, available, sizes, font) : null;
  const columns = level ?? (labels.length ? leaningColumns(labels, available, width, height, options, font) : { size: sizes[0], widths: [available] });
  const placed = placeColumns(columns.widths, options.mirrored, firsts);
  const names = firsts.length ? PART_NAME : 0;
  const header = (labels.length ? (columns.header ?? Math.ceil(columns.size * 1.9)) : 8) + names;
  const bar = options.bar ? Math.round(columns.size * 2.6) : 0;
  const pitch = rowPitch(targets.length, height - header - bar - 6, sizes[0], least);
  return {
    left, header, names, bar, pitch, size: columns.size, rowSize: fontIn(pitch, letters),
    lean: columns.lean ?? false, upright: columns.upright ?? false, longest: columns.longest ?? 0, overhang: columns.overhang ?? 0,
    starts: placed.starts, widths: columns.widths, cells: placed.total, width: placed.total + aside, marks: placeMarks(marks, placed.total), height: pitch * targets.length + bar,
    overflows: placed.total > available + firsts.length * PART_GAP + 1 || pitch * targets.length + bar + header > height,
    crowded: columns.widths[0] < 12 || pitch < 12,
  };
}
