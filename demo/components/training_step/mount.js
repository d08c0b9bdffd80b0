// One training step: the loss of every token, then the gradient's way back place by place, then the update. All of it is here from the
// beginning, so that playing sends nothing.

import { Palette } from "../colours.js";
import { make, setText } from "../elements.js";
import { prefersReducedMotion } from "../motion.js";
import { clamp } from "../numbers.js";
import { keepIn } from "../places.js";
import { Overview } from "./overview.js";
import { fillPanel, headline } from "./panel.js";

const PLACE_MS = 1100; // at speed 1
const PACES = [0.5, 1, 2, 4];
const REST_MS = 500;
const journeys = new WeakMap();

class Journey {
  constructor(parent) {
    this.root = make("div", "journey", null, { role: "group", "aria-label": "One training step" });
    this.overview = new Overview(this.root, (place) => this.seek(place));
    this.buildControls();
    this.title = make("h2", "journey-title", "", { "aria-live": "polite" });
    this.panel = make("div", "journey-panel");
    for (const event of ["pointerover", "focusin"]) this.panel.addEventListener(event, ({ target }) => this.light(target));
    for (const event of ["pointerleave", "focusout"]) this.panel.addEventListener(event, () => this.light(null));
    this.root.append(this.controls, this.title, this.panel);
    parent.append(this.root);
    this.place = 0;
    this.cell = null;
    this.pace = 1;
    this.observer = new ResizeObserver(() => {
      if (this.root.clientWidth !== this.width) this.draw();
    });
    this.observer.observe(this.root);
  }

  buildControls() {
    this.controls = make("div", "journey-controls");
    const button = (name, label, act) => {
      const made = make("button", "journey-button", label, { type: "button", "aria-label": name, title: name });
      made.onclick = act;
      this.controls.append(made);
      return made;
    };
    const last = () => this.data.places.length - 1; // to the left is back through time, as in the drawing
    button("All the way back, to the update", "|\u25c0", () => this.seek(last()));
    button("One place further back", "\u25c0", () => this.seek(this.place + 1));
    this.playButton = button("Play", "Play", () => (this.timer ? this.seek(this.place) : this.play()));
    button("One place forward again", "\u25b6", () => this.seek(this.place - 1));
    button("To the loss", "\u25b6|", () => this.seek(0));
    this.scrub = make("input", "", null, { type: "range", min: "0", step: "1", "aria-label": "Place on the way back" });
    this.scrub.oninput = () => this.seek(Number(this.scrub.value));
    const paces = make("select", "", null, { "aria-label": "Speed" });
    PACES.forEach((pace) => paces.append(make("option", "", `${pace}\u00d7`, { value: String(pace) })));
    paces.value = "1";
    paces.onchange = () => {
      this.pace = Number(paces.value);
      if (this.timer) this.play();
    };
    this.controls.append(this.scrub, paces);
    this.root.onkeydown = (event) => this.pressed(event);
  }

  pressed(event) {
    if (event.target.tagName === "INPUT" || event.target.tagName === "SELECT" || event.ctrlKey || event.metaKey || event.altKey) return;
    const by = { ArrowLeft: 1, ArrowRight: -1 }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    this.seek(this.place + by);
  }

  update(data) {
    const { id, place, rate, autoplay, round } = data;
    const other = !this.data || this.data.id !== id;
    this.data = data;
    if (other || this.round !== round) {
      this.pause();
      this.cell = null;
      this.rate = rate;
      this.place = place < 0 ? data.places.length - 1 : Math.min(place, data.places.length - 1);
      if (autoplay && (this.round !== undefined || round > 0)) {
        this.place = 0;
        this.play();
      }
    }
    this.round = round;
    this.draw();
  }

  play() {
    this.pause();
    if (this.place >= this.data.places.length - 1) this.place = 0;
    const step = () => {
      this.place += 1;
      this.began = performance.now();
      if (this.place >= this.data.places.length - 1) this.pause();
      this.draw();
      this.rest();
    };
    this.timer = setInterval(step, PLACE_MS / this.pace);
    this.draw();
  }

  pause() {
    clearInterval(this.timer);
    this.timer = null;
  }

  seek(place) {
    clearInterval(this.timer);
    this.timer = null;
    this.place = clamp(place, 0, this.data.places.length - 1);
    this.began = performance.now();
    this.draw();
    this.rest();
  }

  // Where a person leaves it belongs to the link; while it plays nothing is said.
  rest() {
    clearTimeout(this.resting);
    if (this.timer || !this.data) return;
    this.resting = setTimeout(() => this.tell("rest", [this.place, this.rate]), REST_MS);
  }

  draw() {
    this.width = this.root.clientWidth;
    if (!this.data || !this.width) return;
    const { data } = this;
    this.palette = new Palette(this.root);
    setText(this.playButton, this.timer ? "Pause" : "Play");
    this.playButton.setAttribute("aria-label", this.timer ? "Pause" : "Play");
    this.scrub.max = String(data.places.length - 1);
    this.scrub.value = String(this.place);
    const said = headline(data, data.places[this.place]);
    this.scrub.setAttribute("aria-valuetext", said);
    setText(this.title, said);
    this.frame();
    this.root.classList.toggle("narrow", this.width < 760);
    fillPanel(this.panel, this);
  }

  // The newest bar grows for a moment.
  frame() {
    const share = prefersReducedMotion() || !this.began ? 1 : clamp((performance.now() - this.began) / 200, 0, 1);
    this.overview.draw(this.data, this.place, share, this.palette, this.width);
    if (share < 1) requestAnimationFrame(() => this.frame());
  }

  // Whoever points at a symbol sees where it lives in the drawing; at a way, where its part of the gradient comes from.
  light(target) {
    const names = target?.closest("[data-lives]")?.dataset.lives ?? "";
    if (names === this.overview.lit) return;
    this.overview.lit = names;
    this.overview.draw(this.data, this.place, 1, this.palette, this.width);
  }

  chooseRate(rate) {
    this.rate = rate;
    this.rest();
  }

  chooseCell(cell) {
    this.cell = cell;
    fillPanel(this.panel, this);
  }

  close() {
    clearInterval(this.timer);
    clearTimeout(this.resting);
    this.observer.disconnect();
  }
}

export default function mountTrainingStep(component) {
  return keepIn(journeys, component, (parent) => new Journey(parent));
}
