// The oracle: a grid of target steps and source tokens; a click says where to look at that step.

import { isDark, shade } from "../colours.js";
import { make, action, radios } from "../elements.js";
import { normalised, evenRow, oneHotRow, roundedRow, sameRow } from "../rows.js";

const HOW = { one: "all weight there", share: "shared by all clicked", soft: "most there, some beside" };
const BESIDE = 0.25; // of a soft row, on each neighbour, for 1 on the token itself

export class RowOracle {
  constructor(root, data, tell, old) {
    Object.assign(this, { root, data, tell, how: old?.how ?? "one", dark: isDark(root), hidden: new Set(data.hidden) });
    const table = make("table", data.tokens.length > 7 ? "oracle many" : "oracle");
    const head = make("tr");
    head.append(make("td"));
    for (const token of data.tokens) head.append(make("th", "", token, { scope: "col" }));
    const top = make("thead");
    top.append(head);
    const body = make("tbody");
    data.targets.forEach((target, step) => body.append(this.line(target, step)));
    table.append(top, body);
    const scroll = make("div", "oracle-scroll", null, { tabindex: "0", role: "group", "aria-label": "Say where to look: target steps down, source tokens across" });
    scroll.append(table);
    scroll.onkeydown = (event) => this.key(event);
    root.replaceChildren(this.choice(), scroll, this.fillings());
  }

  choice() {
    return radios("row-reach", "What a click gives", "how", Object.entries(HOW), this.how, (how) => { this.how = how; });
  }

  fillings() {
    const { data } = this;
    const size = data.tokens.length;
    const last = Math.max(1, data.targets.length - 1);
    const bar = make("div", "row-operations", null, { role: "group", "aria-label": "Fill in every row" });
    const act = (name, help, row) => action(bar, name, help, () => this.tell({ rows: data.targets.map((_, step) => row(step)) }));
    act("diagonal", "Word by word from left to right", (step) => this.one(size, Math.round((step / last) * (size - 1))));
    act("its own peaks", "Where the model itself looks most, with all the weight", (step) => this.one(size, data.own[step].indexOf(Math.max(...data.own[step]))));
    act("uniform", "The same weight everywhere", () => roundedRow(evenRow(size, this.hidden)));
    act("clear", "The model\u2019s own rows again", () => null);
    return bar;
  }

  one(size, place) {
    return this.hidden.has(place) ? null : oneHotRow(size, place);
  }

  // The row that a click makes; null gives the model its own row back.
  clicked(step, j) {
    const { data, hidden } = this;
    const row = data.rows[step];
    const given = data.given[step];
    const size = row.length;
    if (this.how === "share") {
      const chosen = new Set(given ? row.flatMap((weight, k) => (weight > 0.001 ? [k] : [])) : []);
      if (!chosen.delete(j)) chosen.add(j);
      return chosen.size ? roundedRow(normalised(row.map((_, k) => (chosen.has(k) ? 1 : 0)), hidden)) : null;
    }
    const next = oneHotRow(size, j);
    if (this.how === "soft") {
      for (const k of [j - 1, j + 1]) if (k >= 0 && k < size) next[k] = BESIDE;
    }
    const wanted = roundedRow(normalised(next, hidden));
    return given && sameRow(wanted, row, 1e-3) ? null : wanted;
  }

  line(target, step) {
    const { data } = this;
    const line = make("tr", data.given[step] ? "given" : "");
    line.append(make("th", "", `${step + 1}  ${target}`, { scope: "row" }));
    data.tokens.forEach((token, j) => {
      const weight = data.rows[step][j];
      const full = data.given[step] && weight > 0.999;
      const cell = make("button", "", weight >= 0.005 ? weight.toFixed(2).replace(/^0/, "") : "", {
        type: "button", "aria-pressed": String(full), "aria-label": `${step + 1}, ${target}: look at ${token}, now ${weight.toFixed(2)}`, tabindex: step === 0 && j === 0 ? "0" : "-1",
      });
      cell.dataset.step = step;
      cell.dataset.place = j;
      cell.disabled = data.hidden.includes(j);
      cell.style.backgroundColor = shade(weight, this.dark);
      cell.style.color = (weight > 0.45) === this.dark ? "#000000" : "#ffffff";
      cell.onclick = () => this.tell({ step, row: this.clicked(step, j), onward: false });
      const box = make("td");
      box.append(cell);
      line.append(box);
    });
    return line;
  }

  key(event) {
    const cell = event.target.closest("button");
    const moves = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
    if (!cell || !moves[event.key]) return;
    const [down, right] = moves[event.key];
    const next = this.root.querySelector(`button[data-step="${Number(cell.dataset.step) + down}"][data-place="${Number(cell.dataset.place) + right}"]`);
    if (!next) return;
    event.preventDefault();
    cell.tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
  }

  busy() {
    return false;
  }

  close() {}
}
