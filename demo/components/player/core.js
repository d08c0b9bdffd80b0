// Small helpers: text, numbers, colours.

function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

function clamp(value, low, high) {
  return Math.min(high, Math.max(low, value));
}

function range(length) {
  return Array.from({ length }, (_, i) => i);
}

function decimals(value, digits = 2) {
  const text = Math.abs(value).toFixed(digits);
  return value < 0 && Number(text) > 0 ? `\u2212${text}` : text;
}

function probability(value) {
  return value > 0 && value < 0.005 ? "<0.01" : value.toFixed(2);
}

// What stands for characters that cannot be seen.
function visible(text) {
  if (text === "") return "\u2205";
  return text.trim() === "" ? text.replace(/\n/g, "\u21b5").replace(/\t/g, "\u21e5").replace(/\s/g, "\u2423") : text;
}

function isRightToLeft(text) {
  const letter = text.match(/\p{L}/u);
  return letter !== null && /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}]/u.test(letter[0]);
}

function prefersReducedMotion() {
  return window.matchMedia("(prefers-reduced-motion: reduce)").matches;
}

function easeOut(t) {
  return 1 - (1 - t) ** 3;
}

const parser = document.createElement("canvas").getContext("2d");

function parseColor(text, fallback) {
  parser.fillStyle = fallback;
  parser.fillStyle = text || fallback;
  const hex = parser.fillStyle.startsWith("#") ? parser.fillStyle : fallback;
  return [1, 3, 5].map((i) => Number.parseInt(hex.slice(i, i + 2), 16));
}

function luminance(rgb) {
  const [r, g, b] = rgb.map((c) => (c <= 10 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function mix(one, other, share) {
  return one.map((c, i) => Math.round(c + (other[i] - c) * share));
}

function css(rgb, alpha = 1) {
  return alpha === 1 ? `rgb(${rgb.join(" ")})` : `rgb(${rgb.join(" ")} / ${alpha})`;
}

// The colours of the page the player stands on, and the attention scale that fits it.
class Palette {
  constructor(root) {
    const style = getComputedStyle(root);
    this.paper = parseColor(style.getPropertyValue("--st-background-color").trim(), "#ffffff");
    this.ink = parseColor(style.getPropertyValue("--st-text-color").trim(), "#1a1c24");
    this.accent = parseColor(style.getPropertyValue("--st-primary-color").trim(), "#d9480f");
    this.font = style.fontFamily;
    this.dark = luminance(this.paper) < 0.18;
    this.line = mix(this.paper, this.ink, 0.16);
    this.grey = mix(this.paper, this.ink, 0.6);
    const stops = SCALES[this.dark ? "dark" : "light"].map((hex) => parseColor(hex, "#000000"));
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

// A canvas in CSS pixels, sharp on any screen.
function sizeCanvas(canvas, width, height) {
  const ratio = window.devicePixelRatio || 1;
  const [w, h] = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width !== w || canvas.height !== h) {
    canvas.width = w;
    canvas.height = h;
  }
  canvas.style.width = `${width}px`;
  canvas.style.height = `${height}px`;
  const context = canvas.getContext("2d");
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  return context;
}

function measureText(labels, size, font, weight = 400) {
  parser.font = `${weight} ${size}px ${font}`;
  return labels.map((label) => parser.measureText(label).width);
}

// A letter with a small one below it, centred: h_T.
function vectorLabel(context, palette, x, y, size, long) {
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
