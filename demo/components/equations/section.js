// What the equations are made of: sentences with formulas in them, lines of formulas, and tables. All of it is text.

import { make } from "../elements.js";
import { formulaPieces } from "./mathml.js";

// A sentence: text and LaTeX in turn.
export function saidOf(pieces) {
  return pieces.flatMap((piece, i) => (i % 2 ? formulaPieces(piece) : [piece]));
}

export function equationOf(latex) {
  const line = make("div", "equation");
  line.append(...formulaPieces(latex));
  return line;
}

// A thing that is computed: its name, a sentence, its equations, a table. What has not changed stays.
export class Section {
  constructor(place) {
    this.place = place;
    this.node = make("section");
    this.says = make("p");
    this.lines = make("div");
    this.node.append(this.says, this.lines);
    this.drawn = [];
  }

  show({ name, says, lines, table }) {
    this.name = name;
    const said = JSON.stringify([name, says]);
    if (said !== this.said) this.says.replaceChildren(make("strong", "", `${this.place}. ${name}.`), " ", ...saidOf(says));
    this.said = said;
    lines.forEach((latex, i) => {
      const line = (this.drawn[i] ??= this.lines.appendChild(make("div", "equation")));
      if (line.latex !== latex) line.replaceChildren(...formulaPieces(latex));
      line.latex = latex;
    });
    this.drawn.splice(lines.length).forEach((line) => line.remove());
    const tabled = JSON.stringify(table ?? null);
    if (tabled === this.tabled) return;
    this.tabled = tabled;
    this.table?.remove();
    this.table = table ? this.node.appendChild(tableOf(table)) : null;
  }
}

// Columns with their names. An arrow says what is meant: a row, or before a name a column.
export function tableOf(columns) {
  const rows = columns[0][1].map((_, row) => columns.map(([, cells]) => cells[row]));
  const place = make("div", "table-place", null, { tabindex: "0" }); // a wide one is scrolled
  const table = place.appendChild(make("table"));
  const now = (i, [first]) => first === "\u2192" || columns[i][0].startsWith("\u2192");
  const line = (tag, texts) => {
    const made = make("tr");
    made.append(...texts.map((text, i) => make(text ? tag : "td", tag === "td" && now(i, texts) ? "now" : "", text)));
    return made;
  };
  table.append(line("th", columns.map(([name]) => name)), ...rows.map((texts) => line("td", texts)));
  return place;
}
