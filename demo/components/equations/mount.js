// The equations of the moment that the player is at. Whoever points at a letter, here or in an equation, sees where it lives in the drawing;
// whoever clicks on a number of a vector, or on its letter, sees all its numbers.

import { make, setText } from "../elements.js";
import { formula } from "../formula.js";
import { ask, ASK_WHOLE, askWhole, MOMENT, WHOLE, tellLetter, tellWhole } from "../lives.js";
import { keepIn } from "../places.js";
import { Boxes } from "./boxes.js";
import { Section } from "./section.js";
import { VectorStrip } from "./vector.js";

const placed = new WeakMap();
const ELSEWHERE = { "six parts": ".st-key-parts", library: ".st-key-by_pytorch" }; // what stands below the equations
const FADED = 30; // pixels at the edge of the box, where there is more
const [TRIES, LATER, PAUSE_MS] = [40, 10, 100]; // until it has come, and what makes room for it

class Equations {
  constructor(parent) {
    this.root = make("div", "equations");
    this.title = make("h2", "equations-title");
    this.letters = make("div", "letters-row", null, { role: "group", "aria-label": "Letters of the equations" });
    this.strip = new VectorStrip(this.root);
    this.box = make("div", "equations-box", null, { role: "region", tabindex: "0", "aria-label": "Equations" });
    this.root.append(this.title, this.letters, this.strip.node, this.box);
    parent.append(this.root);
    this.buttons = [];
    this.sections = [];
    this.box.onpointerover = (event) => this.over(event.target);
    this.box.onpointerout = () => this.out();
    this.box.onclick = (event) => this.click(event.target);
    this.box.onscroll = () => this.mark();
    this.observer = new ResizeObserver(() => {
      this.strip.draw();
      this.mark();
    });
    this.observer.observe(this.root);
    this.heard = ({ detail }) => {
      this.told = detail;
      this.show();
    };
    this.numbersCame = ({ detail }) => {
      this.numbers = detail;
      if (this.moment) this.showVector(this.strip.name);
    };
    window.addEventListener(MOMENT, this.heard);
    window.addEventListener(WHOLE, this.numbersCame);
    askWhole();
  }

  update(data) {
    const begins = data.begin !== this.begin;
    this.begin = data.begin;
    if (data.id !== this.data?.id) {
      this.data = data;
      if (this.told) this.show();
      else ask();
    }
    if (begins) this.open(TRIES);
  }

  // The section that a link names stands first; once, as it opens.
  open(tries) {
    clearTimeout(this.opening);
    const [section, other] = [this.sections.find(({ name }) => this.begin && name.startsWith(this.begin)), ELSEWHERE[this.begin]];
    const place = other && document.querySelector(other);
    if (place) {
      place.style.scrollMarginTop = `${FADED}px`;
      place.scrollIntoView({ block: "start" });
      tries = place.getBoundingClientRect().top > FADED + 1 ? Math.min(tries, LATER) : 0; // what stands below may still come
    }
    if (section || !this.begin) this.box.scrollTop = section ? section.node.offsetTop - this.box.offsetTop - FADED : 0;
    else if (tries) this.opening = setTimeout(() => this.open(tries - 1), PAUSE_MS);
  }

  // What is shown at a token: of a word its first.
  momentNow() {
    const { data, told } = this;
    const last = (moments, at) => moments.findLast((moment) => moment.at <= at) ?? moments[0];
    if (told.step !== undefined) return last(data.steps, told.step);
    return (told.read === null ? data.read : last(data.reads, told.read)) ?? data.read ?? data.steps[0];
  }

  show() {
    if (!this.data) return;
    this.moment = this.momentNow();
    setText(this.title, this.moment.title);
    this.showLetters();
    this.moment.sections.forEach((section, i) => (this.sections[i] ??= this.section(i)).show(section));
    this.sections.splice(this.moment.sections.length).forEach(({ node }) => node.remove());
    if (this.lit && !this.lit.isConnected) this.out();
    this.showVector(this.strip.name);
    this.mark();
  }

  section(place) {
    const section = new Section(place + 1);
    this.box.append(section.node);
    return section;
  }

  // The buttons stay while their letters do, so that the focus stays where it is.
  showLetters() {
    const texts = this.moment.letters.map(({ text }) => text).join(" ");
    if (texts === this.texts) return;
    this.texts = texts;
    const focused = this.buttons.indexOf(this.root.getRootNode().activeElement);
    this.buttons = this.moment.letters.map((letter, i) => this.button(letter, i));
    this.letters.replaceChildren(make("span", "letters-hint", "Where is it?"), ...this.buttons);
    if (focused >= 0) this.buttons[Math.min(focused, this.buttons.length - 1)]?.focus({ preventScroll: true });
  }

  button({ text, vector }, i) {
    const button = make("button", "letters-letter", null, { type: "button" });
    button.append(formula(text));
    button.onpointerenter = button.onfocus = () => this.point(this.moment.letters[i].lives);
    button.onpointerleave = button.onblur = () => tellLetter(null);
    if (vector === null) return button;
    button.classList.add("vector");
    button.title = "All its numbers";
    button.onclick = () => this.showVector(this.strip.name === text ? null : text);
    return button;
  }

  point([role, at]) {
    tellLetter({ role, at });
  }

  over(target) {
    const symbol = livingAt(target);
    const table = this.moment.tables[this.sections.findIndex(({ node }) => node.contains(target))];
    const found = symbol?.keys.map((key) => table?.[key]).find(Boolean);
    if (!found) return;
    this.lit = symbol;
    symbol.classList.add("lit");
    this.point(found);
  }

  out() {
    if (!this.lit) return;
    this.lit.classList.remove("lit");
    this.lit = null;
    tellLetter(null);
  }

  click(target) {
    const key = target.closest("[data-vector]")?.dataset.vector;
    const found = this.moment.vectors.find((vector) => vector.key === key);
    if (found) this.showVector(found.name);
  }

  showVector(name) {
    const vector = name === null ? null : this.moment.vectors.find((each) => each.name === name);
    this.strip.show(vector && { name, ...this.numbers?.[vector.at] });
    this.buttons.forEach((button, i) => {
      const { text, vector } = this.moment.letters[i];
      if (vector !== null) button.setAttribute("aria-pressed", String(text === this.strip.name));
    });
  }

  // Whether there is more above and below than is seen.
  mark() {
    this.box.classList.toggle("before", this.box.scrollTop > 4);
    this.box.classList.toggle("more", this.box.scrollTop + this.box.clientHeight < this.box.scrollHeight - 4);
  }

  close() {
    clearTimeout(this.opening);
    window.removeEventListener(MOMENT, this.heard);
    window.removeEventListener(WHOLE, this.numbersCame);
    this.observer.disconnect();
    tellLetter(null);
  }
}

// The innermost letter with indices that something stands in.
function livingAt(target) {
  let found = null;
  for (let node = target; node && node.tagName !== "math"; node = node.parentElement) {
    if (node.keys && (!found || node.firstElementChild === found)) found = node;
  }
  return found;
}

// The numbers of all vectors, which come after the page: they are kept for whoever asks.
class Numbers {
  constructor(parent) {
    this.root = parent.appendChild(make("div"));
    this.say = () => tellWhole(this.numbers);
    window.addEventListener(ASK_WHOLE, this.say);
  }

  update({ numbers }) {
    this.numbers = numbers;
    this.say();
  }

  close() {
    window.removeEventListener(ASK_WHOLE, this.say);
  }
}

export default function mountEquations(component) {
  const { boxes, numbers } = component.data;
  return keepIn(placed, component, (parent) => (boxes ? new Boxes(parent) : numbers ? new Numbers(parent) : new Equations(parent)));
}
