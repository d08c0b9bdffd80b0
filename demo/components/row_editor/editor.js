// The row editor: a slider per source token, and whole-row operations. Text is set as text.

import { isDark, shade } from "../colours.js";
import { make, action, reachChoice } from "../elements.js";
import { normalised, evenRow, oneHotRow, powerRow, shiftedRow, swappedRow, withWeight, roundedRow, sameRow } from "../rows.js";

const SEND_MS = 300;
const KEYS = { ArrowUp: 0.05, ArrowDown: -0.05, PageUp: 0.2, PageDown: -0.2 };

export class RowEditor {
  constructor(root, data, tell, old) {
    Object.assign(this, { root, data, tell, row: data.row.slice(), hidden: new Set(data.hidden), onward: data.onward, timer: null });
    this.place = `${data.step} of ${data.tokens.join()}`;
    const same = old?.place === this.place;
    this.at = same ? old.at : data.row.indexOf(Math.max(...data.row));
    this.swapping = same && old.swapping;
    this.dark = isDark(root);
    this.bars = make("div", "row-bars", null, { role: "group", "aria-label": "Attention of this step: one slider per source token" });
    this.columns = data.tokens.map((token, j) => this.column(token, j));
    this.bars.append(...this.columns.map((column) => column.node));
    this.note = make("p", "row-note", "", { role: "status" });
    root.replaceChildren(this.bars, this.operations(), this.reachChoice(), this.note);
    this.draw();
  }

  column(token, j) {
    const node = make("div", "row-column");
    const value = make("span", "row-value");
    const track = make("div", "row-track", null, { role: "slider", "aria-label": token, "aria-valuemin": "0", "aria-valuemax": "1", "aria-orientation": "vertical", tabindex: "0" });
    const fill = make("div", "row-fill");
    const own = make("div", "row-own");
    own.style.bottom = `${this.data.own[j] * 100}%`;
    track.append(fill, own);
    const name = make("button", "row-token", token, { type: "button", tabindex: "-1", title: token });
    name.onclick = () => this.pick(j);
    track.onkeydown = (event) => this.key(event, j);
    track.onfocus = () => this.choose(j);
    track.onpointerdown = (event) => this.press(event, j);
    track.onpointermove = (event) => { if (this.dragging === j) this.dragTo(event, j); };
    track.onpointerup = () => this.release();
    track.onpointercancel = () => this.release();
    node.append(value, track, name);
    return { node, value, track, fill, name };
  }

  operations() {
    const bar = make("div", "row-operations", null, { role: "group", "aria-label": "Change the whole row" });
    const { data } = this;
    const act = (name, help, change) => action(bar, name, help, change);
    act("one-hot", "All weight on the chosen token", () => this.set(oneHotRow(this.row.length, this.at)));
    act("uniform", "The same weight everywhere", () => this.set(evenRow(this.row.length, this.hidden)));
    act("sharpen", "Square the weights", () => this.set(powerRow(this.row, 2, this.hidden)));
    act("flatten", "Take the root of the weights", () => this.set(powerRow(this.row, 0.5, this.hidden)));
    act("\u2190 shift", "Every weight one token to the left", () => this.set(shiftedRow(this.row, -1, this.hidden)));
    act("shift \u2192", "Every weight one token to the right", () => this.set(shiftedRow(this.row, 1, this.hidden)));
    this.swapButton = act("swap", "Exchange the weights of the chosen token and the next one you click", () => this.startSwap());
    this.maskButton = act("mask", "Hide the chosen token from the model, at every step", () => this.mask());
    act("model\u2019s own", "Give the model its row back", () => this.tell({ step: data.step, row: null, onward: false }));
    return bar;
  }

  reachChoice() {
    return reachChoice("row-reach", this.onward, (onward) => {
      this.onward = onward;
      this.send();
    });
  }

  draw() {
    this.columns.forEach(({ node, value, track, fill, name }, j) => {
      const weight = this.row[j];
      const hidden = this.hidden.has(j);
      value.textContent = hidden ? "masked" : weight.toFixed(2);
      fill.style.height = `${weight * 100}%`;
      fill.style.backgroundColor = shade(Math.max(0.25, weight), this.dark);
      track.setAttribute("aria-valuenow", weight.toFixed(2));
      track.setAttribute("aria-valuetext", hidden ? "masked" : weight.toFixed(2));
      track.setAttribute("aria-disabled", String(hidden));
      node.classList.toggle("masked", hidden);
      node.classList.toggle("at", j === this.at);
      name.setAttribute("aria-pressed", String(j === this.at));
    });
    this.maskButton.textContent = this.hidden.has(this.at) ? "unmask" : "mask";
    this.swapButton.setAttribute("aria-pressed", String(this.swapping));
    this.note.textContent = this.swapping ? `Click the token to swap with \u201c${this.data.tokens[this.at]}\u201d.` : "";
  }

  choose(j) {
    if (this.swapping || this.at === j) return;
    this.at = j;
    this.draw();
  }

  pick(j) {
    if (this.swapping && j !== this.at) {
      this.swapping = false;
      this.set(swappedRow(this.row, this.at, j));
    } else {
      this.swapping = false;
      this.at = j;
    }
    this.draw();
  }

  startSwap() {
    this.swapping = !this.swapping;
    this.draw();
  }

  mask() {
    const hidden = new Set(this.hidden);
    if (!hidden.delete(this.at)) hidden.add(this.at);
    if (hidden.size === this.row.length) {
      this.note.textContent = "At least one token must stay visible.";
      return;
    }
    this.tell({ step: this.data.step, row: null, onward: false, hidden: [...hidden].sort((a, b) => a - b) });
  }

  press(event, j) {
    if (this.swapping) return this.pick(j);
    if (this.hidden.has(j)) return undefined;
    this.dragging = j;
    event.currentTarget.setPointerCapture(event.pointerId);
    this.choose(j);
    return this.dragTo(event, j);
  }

  dragTo(event, j) {
    const box = this.columns[j].track.getBoundingClientRect();
    const weight = 1 - (event.clientY - box.top) / box.height;
    this.row = withWeight(this.row, j, Math.round(weight * 100) / 100, this.hidden);
    this.draw();
  }

  release() {
    if (this.dragging === undefined) return;
    this.dragging = undefined;
    this.send();
  }

  key(event, j) {
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      return this.pick(j);
    }
    const target = event.key === "Home" ? 0 : event.key === "End" ? 1 : this.row[j] + (KEYS[event.key] ?? NaN);
    if (event.key === "ArrowLeft" || event.key === "ArrowRight") {
      this.columns[j + (event.key === "ArrowLeft" ? -1 : 1)]?.track.focus();
      return undefined;
    }
    if (Number.isNaN(target) || this.hidden.has(j)) return undefined;
    event.preventDefault();
    this.row = withWeight(this.row, j, Math.round(target * 100) / 100, this.hidden);
    this.draw();
    this.close();
    this.timer = setTimeout(() => {
      this.timer = null;
      this.send();
    }, SEND_MS);
    return undefined;
  }

  set(row) {
    this.row = normalised(row, this.hidden);
    this.draw();
    this.send();
  }

  send() {
    const row = roundedRow(this.row);
    this.tell({ step: this.data.step, row: sameRow(row, this.data.own) ? null : row, onward: this.onward });
  }

  // A row that comes in while a person changes this one has to wait: what they do next is told from here.
  busy() {
    return this.dragging !== undefined || this.timer !== null;
  }

  close() {
    clearTimeout(this.timer);
    this.timer = null;
  }
}
