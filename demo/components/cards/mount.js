// Cards that lead to pages. Everything is set as text; a plain click is told to Python, which changes the page without a reload.

import { isDark } from "../colours.js";
import { make } from "../elements.js";

const SVG = "http://www.w3.org/2000/svg";
const mounted = new WeakMap();

function shape(tag, attributes) {
  const node = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  return node;
}

function drawn(one) {
  if (one.kind === "cell") {
    const [x, y, width, height] = one.at;
    const node = shape("rect", { x, y, width, height, rx: 2 });
    node.style.setProperty("--light", one.colours[0]);
    node.style.setProperty("--dark", one.colours[1]);
    return node;
  }
  if (one.kind === "photo") {
    const [x, y, width, height] = one.at;
    return shape("image", { x, y, width, height, href: one.url, preserveAspectRatio: "xMidYMid slice" });
  }
  if (one.kind === "line") return shape("path", { d: one.path, class: one.role, "stroke-width": one.width });
  if (one.kind === "dot") return shape("circle", { cx: one.at[0], cy: one.at[1], r: one.at[2], class: one.role });
  const node = shape("text", { x: one.at[0], y: one.at[1], "text-anchor": one.anchor, "font-size": one.size, class: one.role });
  node.textContent = one.text;
  return node;
}

function picture(shapes, [width, height]) {
  const svg = shape("svg", { viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true", focusable: "false" });
  svg.append(...shapes.map(drawn));
  return svg;
}

function card(one, size, open) {
  const link = make(one.still ? "div" : "a", "card");
  if (!one.still) link.href = one.name;
  if (!one.still) link.onclick = (event) => {
    if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return; // a new tab is the browser's affair
    event.preventDefault();
    open(one.name);
  };
  link.append(make("strong", "name", one.title), ...(one.picture.length ? [picture(one.picture, size)] : []), make("span", "about", one.about));
  const item = make("li");
  item.append(link);
  return item;
}

function section({ title, cards }, size, open, form) {
  const node = make("section", form);
  const list = make("ul");
  list.setAttribute("role", "list");
  list.append(...cards.map((one) => card(one, size, open)));
  if (title) node.append(make("h2", "", title));
  node.append(list);
  if (title) node.setAttribute("aria-label", title);
  return node;
}

export default function mountCards({ data, parentElement, setTriggerValue }) {
  const content = JSON.stringify(data);
  let state = mounted.get(parentElement);
  if (!state) {
    state = { root: make("div", "cards") };
    parentElement.append(state.root);
    mounted.set(parentElement, state);
  }
  if (state.content !== content) {
    state.root.replaceChildren(...data.groups.map((group) => section(group, data.size, (name) => setTriggerValue("open", name), data.form)));
    state.content = content;
  }
  state.root.classList.toggle("dark", isDark(state.root));
  return () => {
    state.root.remove();
    mounted.delete(parentElement);
  };
}
