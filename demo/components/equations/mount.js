// The letters of the equations: whoever points at one, here or in an equation, sees where it lives in the drawing; whoever clicks on a
// number of a vector, or on its letter here, sees all its numbers.

import { Palette } from "../colours.js";
import { make, setText } from "../elements.js";
import { formula } from "../formula.js";
import { tellLetter } from "../lives.js";
import { decimals } from "../numbers.js";
import { keepIn } from "../places.js";
import { drawStrip } from "../strip.js";
import { clean, keyOf, printed, rowOf, symbolAt, writtenAt } from "./symbols.js";

const EQUATIONS = ".st-key-equations";
const HIGH = 64; // pixels of a strip
const placed = new WeakMap();

class Letters {
  constructor(parent) {
    this.root = make("div", "letters", null, { role: "group", "aria-label": "Letters of the equations" });
    this.row = make("div", "letters-row");
    this.whole = make("div", "letters-vector");
    this.name = make("p", "letters-name", null, { "aria-live": "polite" });
    this.canvas = make("canvas", "", null, { role: "img" });
    this.whole.append(this.name, this.canvas);
    this.whole.hidden = true;
    this.root.append(this.row, this.whole);
    parent.append(this.root);
    this.heard = { pointerover: (event) => this.over(writtenAt(event)), pointerout: () => this.out(), click: (event) => this.click(writtenAt(event)) };
    for (const [name, hear] of Object.entries(this.heard)) document.addEventListener(name, hear);
    this.canvas.onpointermove = (event) => this.describe(Math.floor((event.offsetX / this.canvas.clientWidth) * this.values.length));
    this.canvas.onpointerleave = () => this.describe(null);
    this.observer = new ResizeObserver(() => this.draw());
    this.observer.observe(this.root);
  }

  update(data) {
    this.data = data;
    const open = data.vectors.findIndex((each) => each.name === this.open);
    this.row.replaceChildren(make("span", "letters-hint", "Where is it?"));
    this.buttons = data.letters.map((letter) => this.button(letter));
    this.row.append(...this.buttons);
    this.show(open < 0 ? null : open);
  }

  button(letter) {
    const button = make("button", "letters-letter", null, { type: "button" });
    button.append(formula(letter.text));
    const tell = () => tellLetter({ role: letter.lives[0], at: letter.lives[1] });
    button.onpointerenter = tell;
    button.onfocus = tell;
    button.onpointerleave = () => tellLetter(null);
    button.onblur = () => tellLetter(null);
    if (letter.vector === null) return button;
    button.classList.add("vector");
    button.title = "All its numbers";
    button.onclick = () => this.show(this.open === letter.text ? null : letter.vector);
    return button;
  }

  // What of the equations is under the pointer: the letter's element, and where it lives.
  symbol(target) {
    const math = target.closest?.(`${EQUATIONS} .katex-html`);
    const symbol = math && symbolAt(target);
    if (!symbol) return null;
    const displays = [...document.querySelectorAll(`${EQUATIONS} .katex-display`)];
    const before = displays.filter((each) => each.compareDocumentPosition(math) & Node.DOCUMENT_POSITION_FOLLOWING || each.contains(math)).length;
    const inside = math.closest(".katex-display") ? before - 1 : before; // a sentence stands before its equations
    const found = this.data.tables[inside]?.[keyOf(symbol)];
    return found ? { symbol, where: { role: found[0], at: found[1] } } : null;
  }

  over(target) {
    const found = this.symbol(target);
    if (!found) {
      if (target.closest?.(`${EQUATIONS} .katex-html`) && this.vectorAt(target) !== null) target.style.cursor = "pointer";
      return;
    }
    this.lit = found.symbol;
    Object.assign(found.symbol.style, { boxShadow: "0 2px 0 currentColor", cursor: "help" });
    tellLetter(found.where);
  }

  out() {
    if (!this.lit) return;
    Object.assign(this.lit.style, { boxShadow: "", cursor: "" });
    this.lit = null;
    tellLetter(null);
  }

  // Of several vectors in a row the one that the node stands in or before.
  vectorAt(target) {
    const row = rowOf(target);
    if (!row) return null;
    const range = document.createRange();
    range.setStart(row, 0);
    range.setEndAfter(target);
    const at = clean(range.toString()).length;
    const found = printed(row.textContent).find(({ start, end }) => start < at && at <= end);
    const place = found ? this.data.vectors.findIndex(({ key }) => key === found.key) : -1;
    return place < 0 ? null : place;
  }

  click(target) {
    if (!target.closest?.(`${EQUATIONS} .katex-html`)) return;
    const place = this.vectorAt(target);
    if (place !== null) this.show(place);
  }

  show(place) {
    const vector = place === null ? null : this.data.vectors[place];
    this.open = vector?.name ?? null;
    this.values = vector?.values ?? [];
    this.whole.hidden = !vector;
    this.buttons.forEach((button, i) => {
      const { text, vector: own } = this.data.letters[i];
      if (own !== null) button.setAttribute("aria-pressed", String(vector !== null && text === this.open));
    });
    this.draw();
    this.describe(null);
  }

  draw() {
    if (this.whole.hidden || !this.root.clientWidth) return;
    drawStrip(this.canvas, this.values, new Palette(this.root), this.root.clientWidth, HIGH);
  }

  // Under the pointer one of the numbers, else how many they are and which is the largest.
  describe(at) {
    if (!this.values.length) return;
    const largest = this.values.reduce((best, value, i) => (Math.abs(value) > Math.abs(this.values[best]) ? i : best), 0);
    const number = (i) => `number ${i + 1}: ${decimals(this.values[i], 3)}`;
    const said = at !== null && at >= 0 && at < this.values.length ? number(at) : `${this.values.length} numbers, the largest is ${number(largest)}`;
    if (this.shownName !== this.open) this.name.replaceChildren(formula(this.open), make("span", "letters-said"));
    this.shownName = this.open;
    setText(this.name.lastChild, said);
    this.canvas.setAttribute("aria-label", `${this.open}: ${said}`);
  }

  close() {
    for (const [name, hear] of Object.entries(this.heard)) document.removeEventListener(name, hear);
    this.observer.disconnect();
    tellLetter(null);
  }
}

export default function mountLetters(component) {
  return keepIn(placed, component, (parent) => new Letters(parent));
}
