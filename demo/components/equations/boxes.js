// Equations that stand still: boxes beside each other, each a name, a sentence, its equations and a table; then a sentence and a table.

import { make } from "../elements.js";
import { equationOf, saidOf, tableOf } from "./section.js";

function box({ name, says, lines, table }) {
  const node = make("section", "box");
  const said = make("p");
  said.append(...saidOf(says));
  node.append(make("h4", "", name), said, ...lines.map(equationOf));
  if (table.length) node.append(tableOf(table));
  return node;
}

export class Boxes {
  constructor(parent) {
    this.root = parent.appendChild(make("div", "equations"));
  }

  update({ id, title, boxes, says, table }) {
    if (id === this.id) return;
    this.id = id;
    const grid = make("div", "boxes");
    grid.append(...boxes.map(box));
    this.root.replaceChildren(make("h3", "boxes-title", title), grid, make("p", "", says), tableOf(table));
  }

  close() {}
}
