// The curves of a training: loss, exact match, and exact match by the length of the source. One line a model, in its own colour.

import { sizeCanvas } from "../canvas.js";
import { css } from "../colours.js";
import { make } from "../elements.js";
import { clamp } from "../numbers.js";
import { line } from "./map.js";

class Chart {
  constructor(parent, title, about) {
    this.node = make("figure", "training-chart");
    this.caption = make("figcaption", "", title);
    this.canvas = make("canvas", "", null, { role: "img" });
    this.title = title;
    this.node.title = about;
    this.node.append(this.caption, this.canvas);
    parent.append(this.node);
  }

  // lines: [{name, colour, points: [[x, y]], dots}], x from 0 to `end`; y on `ticks`, from `low` to `high`.
  draw({ lines, start = 0, end, low, high, ticks, log = false, goal = null, mark = null, percent = false, axis }, palette, width, height) {
    const context = sizeCanvas(this.canvas, width, height);
    context.clearRect(0, 0, width, height);
    const [left, right, top, bottom] = [50, width - 8, 8, height - 26];
    const scale = log ? Math.log : (value) => value;
    const x = (value) => left + ((value - start) / Math.max(1e-9, end - start)) * (right - left);
    const y = (value) => bottom - clamp((scale(value) - scale(low)) / (scale(high) - scale(low)), 0, 1) * (bottom - top);
    context.font = `16px ${palette.font}`;
    context.textBaseline = "middle";
    context.lineWidth = 1;
    for (const tick of ticks) {
      context.strokeStyle = css(palette.line);
      line(context, left, y(tick), right, y(tick));
      context.fillStyle = css(palette.grey);
      context.textAlign = "right";
      context.fillText(percent ? `${Math.round(tick * 100)}%` : String(tick), left - 6, y(tick));
    }
    context.textBaseline = "alphabetic";
    context.textAlign = "left";
    context.fillText(String(start), left, height - 6);
    context.textAlign = "right";
    context.fillText(axis(end), right, height - 6);
    if (goal !== null) {
      context.setLineDash([5, 5]);
      context.strokeStyle = css(palette.grey);
      line(context, left, y(goal), right, y(goal));
      context.setLineDash([]);
    }
    for (const each of lines) this.curve(context, each, x, y);
    if (mark !== null) {
      context.strokeStyle = css(palette.accent);
      context.lineWidth = 2;
      line(context, x(mark), top, x(mark), bottom);
    }
    this.canvas.setAttribute("aria-label", `${this.title}. ${lines.map((each) => `${each.name}: ${each.value}`).join(", ")}`);
  }

  curve(context, { colour, points, dots }, x, y) {
    if (!points.length) return;
    Object.assign(context, { strokeStyle: colour, fillStyle: colour, lineWidth: 2.5, lineJoin: "round" });
    context.beginPath();
    points.forEach(([at, value], i) => (i ? context.lineTo(x(at), y(value)) : context.moveTo(x(at), y(value))));
    context.stroke();
    for (const [at, value] of dots ? points : points.slice(-1)) {
      context.beginPath();
      context.arc(x(at), y(value), dots ? 3.5 : 4, 0, 7);
      context.fill();
    }
  }
}

export class Charts {
  constructor(parent) {
    this.node = make("div", "training-charts");
    parent.append(this.node);
    this.loss = new Chart(this.node, "Loss per token", "Cross-entropy of the training batches, in nats, on a logarithmic scale.");
    this.exact = new Chart(this.node, "Held out", "The share of held-out pairs whose whole output is right, or of a text's tokens that are guessed; the dashed line is 95 %.");
    this.lengths = new Chart(this.node, "Exact match by source length", "The newest test, by the number of source characters.");
  }

  draw(data, palette, mark) {
    const width = this.node.clientWidth > 640 ? Math.floor((this.node.clientWidth - 32) / 3) : this.node.clientWidth;
    const steps = Math.max(1, ...data.variants.map((variant) => variant.steps));
    const percent = (value) => `${Math.round(value * 100)} %`;
    const lines = (points, value) =>
      data.variants.map((v) => ({ name: v.name, colour: v.colours[palette.dark ? "dark" : "light"], points: points(v), value: value(v) }));
    const of = (end) => `step ${end.toLocaleString("en")}`;
    const last = (list) => (list.length ? list[list.length - 1][1] : 0);
    const curves = lines((v) => v.losses.map(([x, y]) => [x, Math.max(y, 0.002)]), (v) => last(v.losses).toFixed(3));
    this.loss.draw({ lines: curves, end: steps, low: 0.002, high: 5, ticks: [0.01, 0.1, 1], log: true, mark, axis: of }, palette, width, 150);
    const scores = lines((v) => v.scores, (v) => percent(last(v.scores)));
    const share = { low: 0, high: 1, ticks: [0, 0.5, 1], percent: true };
    this.exact.draw({ lines: scores, end: steps, goal: data.goal, mark, axis: of, ...share }, palette, width, 150);
    const spans = data.variants.flatMap((v) => v.lengths.map(([length]) => length));
    this.lengths.node.hidden = new Set(spans).size < 2;
    const ends = { start: Math.min(...spans), end: Math.max(...spans) };
    const buckets = lines((v) => v.lengths, (v) => v.lengths.map(([length, value]) => `${length} characters ${percent(value)}`).join(", "));
    if (!this.lengths.node.hidden) {
      this.lengths.draw({ lines: buckets.map((b) => ({ ...b, dots: true })), ...ends, axis: (end) => `${end} characters`, ...share }, palette, width, 150);
    }
  }
}
