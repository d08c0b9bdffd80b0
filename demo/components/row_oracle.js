// The oracle: a grid of target steps and source tokens; a click says where to look at that step.

class RowOracle {
  constructor(root, data, tell) {
    Object.assign(this, { root, data, tell, dark: isDark(root) });
    const table = part("table", "oracle");
    const head = part("tr");
    head.append(part("td"));
    for (const token of data.tokens) head.append(part("th", "", token, { scope: "col" }));
    const top = part("thead");
    top.append(head);
    const body = part("tbody");
    data.targets.forEach((target, step) => body.append(this.line(target, step)));
    table.append(top, body);
    const scroll = part("div", "oracle-scroll", null, { tabindex: "0", role: "group", "aria-label": "Say where to look: target steps down, source tokens across" });
    scroll.append(table);
    scroll.onkeydown = (event) => this.key(event);
    root.replaceChildren(scroll);
  }

  line(target, step) {
    const { data } = this;
    const line = part("tr", data.given[step] ? "given" : "");
    line.append(part("th", "", `${step + 1}  ${target}`, { scope: "row" }));
    data.tokens.forEach((token, j) => {
      const weight = data.rows[step][j];
      const full = data.given[step] && weight > 0.999;
      const cell = part("button", "", weight >= 0.005 ? weight.toFixed(2).replace(/^0/, "") : "", {
        type: "button", "aria-pressed": String(full), "aria-label": `step ${step + 1}: look at ${token}, now ${weight.toFixed(2)}`, tabindex: step === 0 && j === 0 ? "0" : "-1",
      });
      cell.dataset.step = step;
      cell.dataset.place = j;
      cell.disabled = data.hidden.includes(j);
      cell.style.backgroundColor = shade(weight, this.dark);
      cell.style.color = (weight > 0.45) === this.dark ? "#000000" : "#ffffff";
      cell.onclick = () => this.tell({ step, row: full ? null : oneHotRow(data.tokens.length, j), onward: false });
      const box = part("td");
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

  close() {}
}
