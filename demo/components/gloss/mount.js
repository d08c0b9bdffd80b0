// One listener for the whole page: components are in open shadow roots, which its events come out of. All text is set as text.

import { make } from "../elements.js";
import { clamp } from "../numbers.js";
import { finder } from "./find.js";

const REST_MS = 350; // that the pointer stays on a word
const SHOWN_MS = 8000; // after a tap, which has no end
const NEAR = 6; // pixels
// Words that a person or a model wrote are not the lab's.
const THEIRS = "input, textarea, select, .token, .said, .line-text, .word, .place-token, [contenteditable], svg text";

class Gloss {
  constructor(app) {
    this.app = app;
    this.node = make("div", "gloss", null, { popover: "manual", role: "status" });
    app.append(this.node);
    document.addEventListener("pointerover", (event) => this.wait(event), true);
    document.addEventListener("pointermove", (event) => this.wait(event), true);
    document.addEventListener("pointerdown", (event) => (event.pointerType === "mouse" ? this.hide() : this.look(event, event.composedPath(), SHOWN_MS)), true);
    document.addEventListener("focusin", (event) => this.reach(event), true);
    document.addEventListener("focusout", () => this.hide(), true);
    document.addEventListener("scroll", () => this.hide(), true);
    document.addEventListener("keydown", (event) => event.key === "Escape" && this.hide(), true);
  }

  know({ terms, labels }) {
    this.said = new Map(Object.entries({ ...labels, ...terms }).map(([word, said]) => [word.toLowerCase(), said]));
    this.inText = finder(Object.keys(terms));
    this.asLabel = finder([...this.said.keys()]);
  }

  wait(event) {
    clearTimeout(this.timer);
    if (event.pointerType !== "mouse") return;
    if (this.box && !within(this.box, event)) this.hide();
    const path = event.composedPath(); // it is gone when the event is over
    this.timer = setTimeout(() => this.look(event, path), REST_MS);
  }

  look(event, path, forMs = 0) {
    const found = this.found(event, path);
    if (!found) return this.hide();
    this.show(found.word, found.box);
    if (forMs) this.timer = setTimeout(() => this.hide(), forMs);
  }

  // An element that says nothing but a known word, or the known word of a text that is under the pointer.
  found(event, path) {
    const element = path[0];
    if (!(element instanceof Element) || element.closest(THEIRS)) return null;
    if (event.pointerType === "mouse" && element.closest("[title]:not([title=''])")) return null; // it says so itself
    const label = this.label(element);
    if (label) return label;
    const roots = path.filter((node) => node instanceof ShadowRoot);
    const at = document.caretPositionFromPoint?.(event.clientX, event.clientY, { shadowRoots: roots });
    if (at?.offsetNode?.nodeType !== Node.TEXT_NODE) return null;
    for (const { word, begin, end } of this.inText(at.offsetNode.data)) {
      const range = new Range();
      range.setStart(at.offsetNode, begin);
      range.setEnd(at.offsetNode, end);
      const box = range.getBoundingClientRect();
      if (within(box, event)) return { word, box };
    }
    return null;
  }

  label(element) {
    const text = element.textContent.trim();
    const [only] = text.length < 40 ? this.asLabel(text) : [];
    return only && only.begin === 0 && only.end === text.length ? { word: only.word, box: element.getBoundingClientRect() } : null;
  }

  reach(event) {
    const [element] = event.composedPath();
    if (!(element instanceof Element) || element.closest(THEIRS) || !element.matches(":focus-visible")) return;
    const found = this.label(element);
    if (found) this.show(found.word, found.box);
  }

  show(word, box) {
    this.box = box;
    this.node.replaceChildren(make("strong", "", word), ` ${this.said.get(word)}`);
    if (!this.node.matches(":popover-open")) this.node.showPopover();
    const { offsetWidth: width, offsetHeight: height } = this.node;
    const above = box.top - NEAR - height;
    this.node.style.left = `${clamp(box.left, NEAR, Math.max(NEAR, window.innerWidth - width - NEAR))}px`;
    this.node.style.top = `${above >= NEAR ? above : box.bottom + NEAR}px`;
  }

  hide() {
    clearTimeout(this.timer);
    this.box = null;
    if (this.node.matches(":popover-open")) this.node.hidePopover();
  }
}

function within(box, { clientX, clientY }) {
  return box.left - 2 <= clientX && clientX <= box.right + 2 && box.top - 2 <= clientY && clientY <= box.bottom + 2;
}

let gloss = null;

export default function mountGloss({ data }) {
  if (typeof HTMLElement.prototype.showPopover !== "function") return;
  gloss ??= new Gloss(document.querySelector("[data-testid=stApp]") ?? document.body);
  if (!gloss.node.isConnected) gloss.app.append(gloss.node);
  gloss.know(data);
}
