// A training as it happens: curves, and for every model the watched example after each moment. Frames pile up here, so that scrubbing
// through the moments needs the browser alone.

import { Palette } from "../colours.js";
import { make, setText } from "../elements.js";
import { clamp } from "../numbers.js";
import { keepIn } from "../places.js";
import { Charts } from "./charts.js";
import { MapPicture } from "./map.js";

const FRAME_SECONDS = 0.12; // of a replay, per moment
const trainings = new WeakMap();

class Training {
  constructor(parent) {
    this.root = make("div", "training");
    this.status = make("p", "training-status", "", { role: "status" });
    this.stage = make("div", "training-stage");
    this.maps = make("div", "training-maps");
    this.stage.append(this.maps);
    this.charts = new Charts(this.stage);
    this.buildTimeline();
    this.root.append(this.status, this.stage, this.timeline);
    parent.append(this.root);
    this.columns = [];
    this.frames = [];
    this.photo = new Image();
    this.photo.onload = () => this.draw();
    this.width = 0;
    this.observer = new ResizeObserver(() => {
      if (this.root.clientWidth !== this.width) this.draw();
    });
    this.observer.observe(this.root);
  }

  buildTimeline() {
    this.timeline = make("div", "training-timeline");
    this.replay = make("button", "training-button", "Replay", { type: "button" });
    this.slider = make("input", "", null, { type: "range", min: "0", step: "1", "aria-label": "Moment of the training" });
    this.moment = make("output", "training-moment");
    this.timeline.append(this.replay, this.slider, this.moment);
    this.replay.onclick = () => (this.playing ? this.halt() : this.play());
    this.slider.oninput = () => {
      this.halt();
      this.goTo(Number(this.slider.value));
    };
    this.slider.onchange = () => this.tell("moment", this.following ? -1 : this.steps[this.position]);
  }

  update(data) {
    const same = this.data && this.data.id === data.id && this.data.text === data.text;
    if (!same) {
      this.halt();
      this.frames = data.variants.map(() => new Map());
      this.position = null;
      this.following = data.moment === null;
    }
    const first = !same;
    this.data = data;
    data.variants.forEach((variant, i) => variant.frames.forEach((frame) => this.frames[i].set(frame.step, frame)));
    this.steps = [...new Set(this.frames.flatMap((frames) => [...frames.keys()]))].sort((a, b) => a - b);
    if (data.source.url && this.photo.src !== data.source.url) this.photo.src = data.source.url;
    if (first && data.moment !== null) this.position = this.nearest(data.moment);
    if (this.following || this.position === null) this.position = this.steps.length - 1;
    this.draw();
  }

  nearest(step) {
    return this.steps.reduce((best, each, i) => (Math.abs(each - step) < Math.abs(this.steps[best] - step) ? i : best), 0);
  }

  goTo(position) {
    this.position = clamp(position, 0, Math.max(0, this.steps.length - 1));
    this.following = this.position === this.steps.length - 1;
    this.draw();
  }

  play() {
    this.playing = true;
    this.goTo(0);
    const next = () => {
      if (!this.playing) return;
      if (this.position >= this.steps.length - 1) return this.halt();
      this.goTo(this.position + 1);
      this.timer = setTimeout(next, 1000 * FRAME_SECONDS);
    };
    this.timer = setTimeout(next, 400);
    this.labels();
  }

  halt() {
    clearTimeout(this.timer);
    this.playing = false;
    this.labels();
  }

  labels() {
    setText(this.replay, this.playing ? "Stop" : "Replay");
  }

  frameOf(i) {
    const wanted = this.steps[this.position] ?? 0;
    const known = [...this.frames[i].keys()].filter((step) => step <= wanted);
    return this.frames[i].get(Math.max(...known)) ?? [...this.frames[i].values()][0];
  }

  column(i) {
    if (!this.columns[i]) {
      const node = make("section", "training-model");
      const head = make("header");
      const [swatch, name, figure] = [make("span", "swatch"), make("h2"), make("span", "figure")];
      head.append(swatch, name, figure);
      const says = make("p", "training-says");
      const note = make("p", "training-note");
      node.append(head, note);
      this.maps.append(node);
      this.columns[i] = { node, swatch, name, figure, note, says, picture: new MapPicture(node) };
      node.append(says);
    }
    return this.columns[i];
  }

  draw() {
    const data = this.data;
    this.width = this.root.clientWidth;
    if (!data || !this.width) return;
    this.palette = new Palette(this.root);
    this.root.classList.toggle("narrow", this.width < 800);
    this.root.classList.toggle("pair", data.variants.length > 1);
    setText(this.status, data.status);
    this.root.dataset.stage = data.stage;
    while (this.columns.length > data.variants.length) this.columns.pop().node.remove();
    data.variants.forEach((variant, i) => this.drawModel(variant, i));
    const many = this.steps.length > 1;
    this.slider.max = String(Math.max(0, this.steps.length - 1));
    this.slider.value = String(this.position);
    this.slider.disabled = this.replay.disabled = !many;
    const step = this.steps[this.position];
    setText(this.moment, step === undefined ? "" : `after step ${step.toLocaleString("en")}`);
    this.slider.setAttribute("aria-valuetext", `after step ${step ?? 0}`);
    this.charts.draw(data, this.palette, step ?? null);
  }

  drawModel(variant, i) {
    const { data, palette } = this;
    const column = this.column(i);
    column.swatch.style.background = variant.colours[palette.dark ? "dark" : "light"];
    setText(column.name, variant.name);
    const frame = this.frameOf(i);
    const at = this.steps[this.position] ?? 0;
    const score = variant.scores.filter(([step]) => step <= at).pop() ?? variant.scores[0];
    const speaks = data.source.kind === "none"; // a language model: nothing is looked at, and what it says is all there is to see
    setText(column.figure, score ? `${Math.round(score[1] * 100)} % ${speaks ? "of the next tokens guessed" : "right"}` : "");
    setText(column.note, variant.note);
    const nothing = { step: 0, tokens: [], text: "", rows: 0, columns: data.source.tokens.length, map: "" };
    const height = this.width < 800 ? 360 : 420;
    const scene = { ...data, name: variant.name, map: variant.map, everyStep: variant.name === "every-step" };
    column.node.classList.toggle("speaks", speaks);
    if (speaks) return setText(column.says, frame ? frame.text : "");
    column.picture.show({ ...scene, photo: this.photo, palette, width: column.node.clientWidth, height }, frame ?? nothing);
    const right = data.rightText;
    if (!frame) return setText(column.says, "");
    setText(column.says, right === null || frame.text === right ? frame.text : `${frame.text || "nothing"}  (right: ${right})`);
    return column.says.classList.toggle("is-right", frame.text === right);
  }

  close() {
    this.halt();
    this.observer.disconnect();
  }
}

export default function mountTraining(component) {
  return keepIn(trainings, component, (parent) => new Training(parent));
}
