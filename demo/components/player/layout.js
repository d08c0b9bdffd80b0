// Where the columns and rows of the map lie. Labels stay level while they fit, then lean; the map scrolls before it gets illegible.

import { measureText } from "../canvas.js";
import { clamp } from "../numbers.js";

const LEAN = (50 * Math.PI) / 180;
const LABEL_GAP = 10;
const LONGEST_LABEL = 150;
export const PART_GAP = 26;
const PART_NAME = 26; // the height of the names of parts, above their columns
const MARK_GAP = 22;
export const MARK_SIZE = 16;
const NEAREST = { large: 24, small: 17 };

function sizesFor(width) {
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

// Where everything has to fit, leaning labels would come to lie on each other: then they stand upright, as small as the columns ask.
function leaningColumns(labels, available, width, fit, font) {
  const least = width < 480 ? 26 : 30;
  const largest = width < 480 ? 16 : labels.length > 24 ? 18 : 20;
  const last = Math.min(measureText(labels.slice(-1), largest, font)[0], LONGEST_LABEL);
  const leaning = (available - last * Math.cos(LEAN)) / labels.length;
  const upright = fit && leaning * Math.sin(LEAN) < largest;
  const pitch = upright ? available / labels.length : fit ? Math.min(leaning, 64) : clamp(leaning, least, 64);
  const size = upright ? clamp(pitch * 0.9, 11, largest) : largest;
  const longest = Math.min(Math.max(...measureText(labels, size, font)), LONGEST_LABEL);
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

function rowPitch(rows, room, size, fit) {
  const least = fit ? 0 : Math.max(26, size * 1.3);
  return rows ? clamp(room / rows, Math.max(least, 3), size * 1.9) : size * 1.9;
}

function placeMarks(widths, from) {
  let end = from;
  return widths.map((width) => {
    const start = end + MARK_GAP;
    end = start + width;
    return { start, width };
  });
}

export function layoutMap(units, width, height, options, font) {
  const sizes = sizesFor(width);
  const targets = units.target.map((unit) => (unit.diverges || unit.edited ? "\u2003" : "") + unit.label); // room for its mark
  const rowSize = units.target.length > 14 ? sizes.at(-1) : sizes[0];
  const most = width * (width < 300 ? 0.5 : 0.36); // beside many others the words still have to be legible
  const left = Math.ceil(Math.min(Math.max(60, ...measureText(targets, rowSize, font, 650)) + 48, most));
  const labels = units.source.map((unit) => unit.label);
  const firsts = (units.parts ?? []).slice(1).map((part) => part.first);
  const marks = (options.marks ?? []).map((name) => Math.max(64, Math.ceil(measureText([name], MARK_SIZE, font, 600)[0]) + 20));
  const aside = marks.reduce((a, b) => a + b + MARK_GAP, 0);
  const available = width - left - 6 - firsts.length * PART_GAP - aside;
  const level = labels.length ? levelColumns(labels, available, sizes, font) : null;
  const columns = level ?? (labels.length ? leaningColumns(labels, available, width, options.fit, font) : { size: rowSize, widths: [available] });
  const placed = placeColumns(columns.widths, options.mirrored, firsts);
  const names = firsts.length ? PART_NAME : 0;
  const header = (labels.length ? (columns.header ?? Math.ceil(columns.size * 1.9)) : 8) + names;
  const bar = options.bar ? Math.round(columns.size * 2.6) : 0;
  const pitch = rowPitch(targets.length, height - header - bar - 6, rowSize, options.fit);
  return {
    left, header, names, bar, pitch, size: columns.size, rowSize: options.fit && pitch >= 12 ? Math.min(rowSize, Math.max(11, pitch * 0.8)) : rowSize,
    lean: columns.lean ?? false, upright: columns.upright ?? false, longest: columns.longest ?? 0, overhang: columns.overhang ?? 0,
    starts: placed.starts, widths: columns.widths, cells: placed.total, width: placed.total + aside, marks: placeMarks(marks, placed.total), height: pitch * targets.length + bar,
    overflows: placed.total > available + firsts.length * PART_GAP + 1 || pitch * targets.length + bar + header > height,
    crowded: columns.widths[0] < 12 || pitch < 12,
  };
}
