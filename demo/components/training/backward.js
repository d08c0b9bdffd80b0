// The gradient's way back: for each cell the size of dL_t/ds and dL_t/dh at every state, on a logarithmic scale.

import { sizeCanvas } from "../canvas.js";
import { css, Palette } from "../colours.js";
import { make, setText } from "../elements.js";
import { clamp } from "../numbers.js";
import { line, tokenLabel } from "./map.js";

const FLOOR = 1e-6;
const backwards = new WeakMap();

class Backward {
  constructor(parent) {
    this.root = make("div", "backward");
    this.legend = make("p", "backward-legend");
    this.losses = make("p", "backward-losses");
    this.panels = make("div", "backward-panels");
    this.root.append(this.legend, this.losses, this.panels);
    parent.append(this.root);
    this.charts = [];
    this.observer = new ResizeObserver(() => this.draw());
    this.observer.observe(this.root);
  }

  update(data) {
    this.data = data;
    this.draw();
  }

  draw() {
    if (!this.data || !this.root.clientWidth) return;
    const { data } = this;
    const palette = new Palette(this.root);
    const theme = palette.dark ? "dark" : "light";
    this.legend.replaceChildren(
      ...data.panels[0].lines.map((each) => {
        const entry = make("span", "", each.name);
        const swatch = make("span", "swatch");
        swatch.style.background = each.colours[theme];
        entry.prepend(swatch);
        return entry;
      }),
    );
    setText(this.losses, `The loss of step ${data.step + 1}, \u201c${tokenLabel(data.target[data.step])}\u201d, goes back: first through the decoder\u2019s states, then through the encoder\u2019s.`);
    const wide = this.root.clientWidth > 700;
    const width = wide ? Math.floor((this.root.clientWidth - 48) / 3) : this.root.clientWidth;
    data.panels.forEach((panel, i) => this.panel(panel, i, palette, theme, width));
  }

  panel(panel, i, palette, theme, width) {
    if (!this.charts[i]) {
      const node = make("figure", "backward-panel");
      const [title, canvas, words] = [make("figcaption"), make("canvas", "", null, { role: "img" }), make("p")];
      node.append(title, canvas, words);
      this.panels.append(node);
      this.charts[i] = { title, canvas, words };
    }
    const { title, canvas, words } = this.charts[i];
    setText(title, panel.name);
    this.curves(panel, canvas, palette, theme, width);
    const far = panel.lines.map((each) => each.encoder[0]);
    const last = panel.lines.map((each) => each.decoder[this.data.step]);
    const part = (k) => (last[k] > 0 ? far[k] / last[k] : 0);
    setText(words, `At the first source token arrives ${ratio(part(0))} without and ${ratio(part(1))} with attention.`);
    canvas.setAttribute("aria-label", `${panel.name}. ${words.textContent}`);
  }

  curves(panel, canvas, palette, theme, width) {
    const { data } = this;
    const height = 250;
    const context = sizeCanvas(canvas, width, height);
    context.clearRect(0, 0, width, height);
    const [left, right, top, bottom] = [54, width - 10, 10, height - 52];
    const count = data.step + 1 + data.source.length;
    const x = (place) => left + ((place + 0.5) / count) * (right - left);
    const y = (norm) => bottom - clamp(Math.log(Math.max(norm, FLOOR) / FLOOR) / Math.log(1 / FLOOR), 0, 1) * (bottom - top);
    context.font = `16px ${palette.font}`;
    for (const power of [0, -2, -4, -6]) {
      context.strokeStyle = css(palette.line);
      line(context, left, y(10 ** power), right, y(10 ** power));
      Object.assign(context, { fillStyle: css(palette.grey), textAlign: "right", textBaseline: "middle" });
      context.fillText(power === 0 ? "1" : `10${[..."\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076"].map((sign, n) => (n === -power ? `\u207b${sign}` : "")).join("")}`, left - 6, y(10 ** power));
    }
    const border = left + ((data.source.length) / count) * (right - left);
    context.setLineDash([4, 4]);
    context.strokeStyle = css(palette.grey);
    line(context, border, top, border, bottom + 44);
    context.setLineDash([]);
    const labels = [...data.source, ...["<s>", ...data.target].slice(1, data.step + 2)];
    Object.assign(context, { textAlign: "center", textBaseline: "alphabetic", fillStyle: css(palette.ink) });
    const size = clamp(Math.floor(((right - left) / count) * 1.3), 10, 18);
    const room = ((right - left) / count) * 0.98;
    if (Math.max(...labels.map((label) => [...label].length)) <= 3) {
      context.font = `${size}px ${palette.font}`;
      labels.forEach((label, place) => context.fillText(tokenLabel(label), x(place), bottom + 20, room));
    }
    context.font = `16px ${palette.font}`;
    context.fillStyle = css(palette.grey);
    context.fillText("encoder h", (left + border) / 2, height - 8);
    context.fillText("decoder s", (border + right) / 2, height - 8);
    for (const each of panel.lines) {
      const points = [...each.encoder, ...each.decoder.slice(0, data.step + 1)];
      Object.assign(context, { strokeStyle: each.colours[theme], fillStyle: each.colours[theme], lineWidth: 2.5, lineJoin: "round" });
      context.beginPath();
      points.forEach((norm, place) => (place ? context.lineTo(x(place), y(norm)) : context.moveTo(x(place), y(norm))));
      context.stroke();
      points.forEach((norm, place) => {
        context.beginPath();
        context.arc(x(place), y(norm), 3, 0, 7);
        context.fill();
      });
    }
  }

  close() {
    this.observer.disconnect();
  }
}

// How much of the gradient is left, in words that a class can read.
function ratio(part) {
  if (part >= 0.995) return `${part.toFixed(part < 10 ? 1 : 0)} times what set out`;
  if (part >= 0.01) return `${Math.round(part * 100)} % of what set out`;
  return part > 0 ? `1 part in ${Math.round(1 / part).toLocaleString("en")}` : "nothing";
}

export default function mountBackward(component) {
  const { parentElement, data } = component;
  if (!backwards.has(parentElement)) backwards.set(parentElement, new Backward(parentElement));
  const backward = backwards.get(parentElement);
  backward.update(data);
  return () => {
    backward.close();
    backward.root.remove();
    backwards.delete(parentElement);
  };
}
