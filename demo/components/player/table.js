// The same trace as a table, for a screen reader and for anyone who wants the numbers: "dog -> Hund 0.81".

import { make } from "../elements.js";
import { decimals, probability } from "../numbers.js";
import { tokenButton, oneTabStop, keepInView } from "./tokens.js";

const LOOKS = 3;

export class TableView {
  constructor(player) {
    this.player = player;
    this.node = make("div", "table-scroll", null, { tabindex: "0", role: "region", "aria-label": "Attention as a table" });
    this.fill();
  }

  fill() {
    const { player } = this;
    const table = make("table");
    const head = make("tr");
    const names = ["step", "token", ...(player.data.map ? ["looks at"] : []), ...player.data.marks.map((mark) => mark.name), "p", "log p", "total"];
    for (const name of names) head.append(make("th", "", name, { scope: "col" }));
    this.rows = player.units.target.map((unit, row) => this.row(unit, row));
    const [thead, tbody] = [make("thead"), make("tbody")];
    thead.append(head);
    tbody.append(...this.rows);
    oneTabStop(this.rows.map((row) => row.querySelector("button")));
    table.append(make("caption", "visually-hidden", "Each target token, where it looked, and its probability"), thead, tbody);
    this.node.replaceChildren(table);
  }

  row(unit, row) {
    const { player } = this;
    const step = player.units.step(row);
    const node = make("tr");
    const token = make("th", "", null, { scope: "row" });
    token.append(tokenButton(player, unit, row, null));
    node.append(make("td", "figure", String(row + 1)), token);
    if (player.data.map) node.append(this.looks(row));
    for (const mark of player.data.marks) node.append(make("td", mark.position ? "" : "figure", this.marked(mark, row)));
    for (const text of [probability(Math.exp(step.logprob)), decimals(step.logprob), decimals(step.total)]) node.append(make("td", "figure", text));
    return node;
  }

  looks(row) {
    const { units } = this.player;
    const cell = make("td");
    for (const part of units.seen()) {
      const line = units.parts.length > 1 ? make("div", "", `${units.parts[part].name} `) : cell;
      units.strongest(row, part).slice(0, LOOKS).forEach((column, i) => {
        if (i > 0 && units.weight(row, column) < 0.05) return;
        line.append(i ? ", " : "\u2192 ", make("bdi", "", units.source[column].label), ` ${decimals(units.weight(row, column))}`);
      });
      if (line !== cell) cell.append(line);
    }
    return cell;
  }

  marked(mark, row) {
    const { units } = this.player;
    const value = units.mark(mark, row);
    return mark.position ? (units.source[units.columnOf(value)]?.label ?? "") : decimals(value);
  }

  layout(width, height) {
    this.node.style.maxHeight = `${height}px`;
    this.player.tools.offerFit(false);
    this.paint();
    keepInView(this.player, this.node, this.rows[this.player.current], true);
  }

  paint() {
    const { clock, current } = this.player;
    const moment = this.player.moment();
    if (moment === this.moment) return;
    this.moment = moment;
    this.rows.forEach((row, i) => {
      row.classList.toggle("unseen", i >= clock.shown);
      row.classList.toggle("current", i === current);
    });
    keepInView(this.player, this.node, this.rows[current]);
  }
}
