// The bar of a lecture: the idea, what to say, the way to the next one and back, on whatever page it is shown.

import { make, setText } from "../elements.js";
import { formula } from "../formula.js";
import { SAID, go, list, plainly } from "./ideas.js";

const mounted = new WeakMap();
const PATIENCE_MS = 5000;
const LONG = 90; // signs: then the sentence is smaller, and has three lines
const FIELDS = "input, textarea, select, [contenteditable], [role=combobox], [role=textbox]";

// n and b, or Shift with the keys of a presenter; never while something is typed.
export function wayOf(event) {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return null;
  const [target] = event.composedPath();
  if (target instanceof Element && target.matches(FIELDS)) return null;
  if (event.shiftKey) return { PageDown: "next", PageUp: "back" }[event.key] ?? null;
  return { n: "next", b: "back", s: "say", i: "ideas" }[event.key.toLowerCase()] ?? null;
}

class Bar {
  constructor(parent) {
    this.root = make("section", "lecture-bar", null, { "aria-label": "Lecture" });
    this.panel = make("div", "panel");
    this.panel.onclick = (event) => this.chosen(event);
    this.back = make("a", "step", "Back");
    this.next = make("a", "step", "Next");
    this.count = make("span", "place");
    this.idea = make("p", "said", null, { "aria-live": "polite" });
    this.again = make("a", "again", "Show it again");
    this.say = this.toggle("say", "Notes", "What to say (s)");
    this.ideas = this.toggle("ideas", "Ideas", "All ideas (i)");
    this.leave = make("a", "leave", "Leave");
    this.leave.onclick = plainly(() => go(this.leave.href));
    this.back.title = "The idea before (b, or Shift and Page Up)";
    this.next.title = "The next idea (n, or Shift and Page Down)";
    this.leave.title = "To the outline of the lecture, without the bar";
    const ways = make("nav", "ways", null, { "aria-label": "Ideas" });
    ways.append(this.back, this.count, this.next);
    const more = make("div", "more");
    more.append(this.again, this.say, this.ideas, this.leave);
    const line = make("div", "line");
    line.append(ways, this.idea, more);
    this.root.append(this.panel, line);
    parent.append(this.root);
    this.opened = "";
    this.listener = (event) => this.key(event);
    window.addEventListener("keydown", this.listener);
    this.main = document.querySelector("[data-testid=stMain]");
    this.observer = new ResizeObserver(() => this.place());
    if (this.main) this.observer.observe(this.main);
    this.place();
  }

  toggle(name, text, title) {
    const button = make("button", "", text, { type: "button", "aria-expanded": "false", title });
    button.onclick = () => this.open(this.opened === name ? "" : name);
    return button;
  }

  // Beside the sidebar, as wide as the page.
  place() {
    const box = this.main?.getBoundingClientRect();
    this.root.style.left = `${box?.left ?? 0}px`;
    this.root.style.width = box ? `${this.main.clientWidth}px` : "100%";
  }

  // To another idea, which the bar shows at once; what the server still says of ideas on the way there is passed over.
  step(place) {
    this.expected = { place, until: performance.now() + PATIENCE_MS };
    this.show({ ...this.data, place, strayed: false });
    go(this.data.ideas[place].address);
  }

  update(data) {
    if (this.expected && data.id === this.data.id && data.place !== this.expected.place && performance.now() < this.expected.until) return;
    this.expected = null;
    this.show(data);
  }

  show(data) {
    const content = JSON.stringify(data);
    if (content === this.content) return;
    const moved = this.data && (this.data.place !== data.place || this.data.id !== data.id);
    this.content = content;
    this.data = data;
    const { ideas, place } = data;
    const idea = ideas[place];
    setText(this.count, `${place + 1} / ${ideas.length}`);
    this.idea.replaceChildren(make("span", "text", idea.text));
    this.idea.classList.toggle("long", idea.text.length + idea.equation.length > LONG);
    if (idea.equation) this.idea.append(" ", formula(idea.equation));
    if (SAID[idea.shown]) this.idea.append(" ", make("span", "shown", SAID[idea.shown]));
    this.again.hidden = !data.strayed;
    this.lead(this.back, place - 1);
    this.lead(this.next, place + 1);
    this.lead(this.again, place);
    this.leave.href = data.home;
    this.open(moved && this.opened === "ideas" ? "" : this.opened);
  }

  lead(node, place) {
    const there = this.data.ideas[place];
    if (there) node.href = there.address;
    else node.removeAttribute("href");
    node.setAttribute("aria-disabled", `${!there}`);
    node.onclick = plainly(() => there && this.step(place));
  }

  open(name) {
    this.opened = name;
    this.say.setAttribute("aria-expanded", `${name === "say"}`);
    this.ideas.setAttribute("aria-expanded", `${name === "ideas"}`);
    this.panel.hidden = !name;
    const idea = this.data.ideas[this.data.place];
    if (name === "say") {
      const said = [idea.say || "Nothing is written down for this idea.", idea.lacks && `Not in the lab: ${idea.lacks}`].filter(Boolean);
      this.panel.replaceChildren(...said.map((text) => make("p", "", text)));
    } else if (name === "ideas") {
      this.panel.replaceChildren(list(this.data.ideas, this.data.place));
      this.panel.querySelector("[aria-current]")?.scrollIntoView({ block: "center" });
    }
  }

  // The list closes on any choice, also of the idea that is shown already.
  chosen(event) {
    if (event.defaultPrevented && event.target.closest(".idea")) this.open("");
  }

  key(event) {
    if (event.key === "Escape" && this.opened) return this.open("");
    const way = wayOf(event);
    if (!way) return undefined;
    event.preventDefault();
    if (way === "say" || way === "ideas") return this.open(this.opened === way ? "" : way);
    return this[way].click();
  }

  close() {
    window.removeEventListener("keydown", this.listener);
    this.observer.disconnect();
    this.root.remove();
  }
}

export default function mountBar({ data, parentElement }) {
  let bar = mounted.get(parentElement);
  if (!bar) mounted.set(parentElement, (bar = new Bar(parentElement)));
  bar.update(data);
  return () => {
    bar.close();
    mounted.delete(parentElement);
  };
}
