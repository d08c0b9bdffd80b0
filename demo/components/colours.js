// Colours: those of the page a component stands on, and the scale of attention.

import { scratch } from "./canvas.js";
import { clamp, range } from "./numbers.js";
import { SCALE } from "./scale.js";

function parseColor(text, fallback) {
  const parser = scratch();
  parser.fillStyle = fallback;
  parser.fillStyle = text || fallback;
  const hex = parser.fillStyle.startsWith("#") ? parser.fillStyle : fallback;
  return [1, 3, 5].map((i) => Number.parseInt(hex.slice(i, i + 2), 16));
}

function luminance(rgb) {
  const [r, g, b] = rgb.map((c) => (c <= 10 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

export function mix(one, other, share) {
  return one.map((c, i) => Math.round(c + (other[i] - c) * share));
}

export function css(rgb, alpha = 1) {
  return alpha === 1 ? `rgb(${rgb.join(" ")})` : `rgb(${rgb.join(" ")} / ${alpha})`;
}

function colourOf(style, name, fallback) {
  return parseColor(style.getPropertyValue(`--st-${name}`).trim(), fallback);
}

// Whether the page around an element is a dark one.
export function isDark(root) {
  return luminance(colourOf(getComputedStyle(root), "background-color", "#ffffff")) < 0.18;
}

// The colour of a weight from 0 to 1.
export function shade(weight, dark) {
  const stops = SCALE[dark ? "dark" : "light"];
  return stops[Math.round(clamp(weight, 0, 1) * (stops.length - 1))];
}

// The colours of the page the player stands on, and the attention scale that fits it.
export class Palette {
  constructor(root) {
    const style = getComputedStyle(root);
    this.paper = colourOf(style, "background-color", "#ffffff");
    this.ink = colourOf(style, "text-color", "#1a1c24");
    this.accent = colourOf(style, "primary-color", "#d9480f");
    this.font = style.fontFamily;
    this.dark = luminance(this.paper) < 0.18;
    this.line = mix(this.paper, this.ink, 0.16);
    this.grey = mix(this.paper, this.ink, 0.6);
    const stops = SCALE[this.dark ? "dark" : "light"].map((hex) => parseColor(hex, "#000000"));
    this.table = range(256).map((i) => {
      const at = (i / 255) * (stops.length - 1);
      const low = Math.min(Math.floor(at), stops.length - 2);
      return mix(stops[low], stops[low + 1], at - low);
    });
    this.fills = this.table.map((rgb) => css(rgb));
    this.inks = this.table.map((rgb) => (luminance(rgb) > 0.179 ? "#000000" : "#ffffff"));
  }

  index(weight) {
    return clamp(Math.round(weight * 255), 0, 255);
  }

  fill(weight) {
    return this.fills[this.index(weight)];
  }

  inkOn(weight) {
    return this.inks[this.index(weight)];
  }

  gradient(direction) {
    return `linear-gradient(${direction}, ${range(17).map((i) => this.fills[Math.round((i / 16) * 255)]).join(", ")})`;
  }
}
