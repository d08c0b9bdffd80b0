// The same photo and brushes for one attention row: the veil is the weight that a cell has not got. Every stroke is told at once.

import { make, action, reachChoice } from "../elements.js";
import { normalised, evenRow, oneHotRow, powerRow, swappedRow, roundedRow, sameRow } from "../rows.js";
import { EyePainter } from "./painter.js";

const GRID_SEND_MS = 400;
const SHIFTS = { "\u2190": [0, -1], "\u2191": [-1, 0], "\u2193": [1, 0], "\u2192": [0, 1] };
const SHIFT_NAMES = { "\u2190": "left", "\u2191": "up", "\u2193": "down", "\u2192": "right" };

export class RowPainter extends EyePainter {
  prepare() {
    Object.assign(this, { row: this.data.row.slice(), onward: this.data.onward, changed: "", timer: null, swapping: false });
    this.hidden = new Set(this.data.block);
  }

  actions() {
    const bar = make("div", "eye-actions", null, { role: "group", "aria-label": "Change the whole row" });
    const act = (name, help, change) => action(bar, name, help, change);
    const size = this.cells.length;
    act("one-hot", "All weight on the cell painted or chosen last", () => this.set(oneHotRow(size, this.at)));
    act("uniform", "The same weight everywhere", () => this.set(evenRow(size, this.hidden)));
    act("sharpen", "Square the weights", () => this.set(powerRow(this.row, 2, this.hidden)));
    act("flatten", "Take the root of the weights", () => this.set(powerRow(this.row, 0.5, this.hidden)));
    for (const [arrow, move] of Object.entries(SHIFTS)) {
      if (this.data.rows === 1 && move[0]) continue;
      act(arrow, `Shift every weight one ${this.data.cell} ${SHIFT_NAMES[arrow]}`, () => this.set(normalised(this.shifted(move), this.hidden)));
    }
    this.swapButton = act("swap", "Exchange the weights of the cell chosen last and of the next one you choose", () => {
      this.swapping = !this.swapping;
      this.draw();
    });
    act("model\u2019s own", "Give the model its row back", () => this.tell({ step: this.data.step, row: null, onward: false }));
    this.note = make("span", "eye-note", "", { role: "status" });
    const whole = make("div", "eye-whole");
    whole.append(bar, ...(this.data.reach ? [this.reach()] : []), this.note);
    return whole;
  }

  reach() {
    return reachChoice("eye-reach", this.onward, (onward) => {
      this.onward = onward;
      this.send();
    });
  }

  // Around the edges of the grid.
  shifted([down, right]) {
    const { rows, columns } = this.data;
    const moved = this.row.map(() => 0);
    this.row.forEach((weight, cell) => {
      const row = (Math.floor(cell / columns) + down + rows) % rows;
      moved[row * columns + (((cell % columns) + right + columns) % columns)] = weight;
    });
    return moved;
  }

  paint(cell) {
    if (cell < 0) return;
    this.at = cell;
    const before = this.cells[cell];
    const next = this.brush === "look" && before === "block" ? "block" : this.brush; // a blocked cell is erased first
    if (next !== before) {
      if (next === "block" || before === "block") this.changed = "hidden";
      else this.changed ||= "row";
      this.cells[cell] = next;
      this.spread();
    }
    this.draw();
  }

  // All weight on the painted cells, evenly; none painted: the model's own.
  spread() {
    this.hidden = new Set(this.painted("block"));
    const look = this.painted("look");
    const row = look.length ? this.row.map((_, cell) => (this.cells[cell] === "look" ? 1 : 0)) : this.changed === "row" ? this.data.own : this.row;
    if (this.hidden.size < this.cells.length) this.row = normalised(row, this.hidden);
  }

  busy() {
    return this.painting || this.timer !== null;
  }

  begin(event) {
    if (this.swapping && !event.button) {
      event.preventDefault();
      this.exchange(this.cellAt(event));
    } else {
      this.close();
      super.begin(event);
    }
  }

  press(cell) {
    if (this.swapping) this.exchange(cell);
    else super.press(cell);
  }

  follow(other, cell) {
    this.swapping = other.swapping;
    super.follow(other, cell);
  }

  exchange(cell) {
    const row = normalised(swappedRow(this.row, this.at, cell), this.hidden);
    this.at = cell;
    this.set(row);
  }

  ended() {
    this.close();
    if (!this.changed) return this.idle();
    if (this.hidden.size === this.cells.length) return undefined;
    this.timer = setTimeout(() => {
      const { changed } = this;
      this.timer = null;
      this.changed = "";
      this.send(changed === "hidden" ? { hidden: [...this.hidden].sort((a, b) => a - b) } : {});
    }, GRID_SEND_MS);
    return undefined;
  }

  set(row) {
    this.swapping = false;
    this.cells = this.cells.map((state) => (state === "look" ? "free" : state));
    this.row = row;
    this.draw();
    this.send();
  }

  // `masked`: with other blocked cells the row is only told when it was painted.
  send(masked = {}) {
    const look = this.painted("look");
    const row = look.length ? this.cells.map((state) => (state === "look" ? 1 : 0)) : roundedRow(this.row);
    const own = !look.length && (masked.hidden || sameRow(this.row, this.data.own, 1e-9));
    this.tell({ step: this.data.step, row: own ? null : row, onward: this.onward, ...masked });
  }

  said(cell) {
    return this.cells[cell] === "block" ? "blocked" : `weight ${this.row[cell].toFixed(2)}`;
  }

  draw() {
    this.drawCells();
    const most = Math.max(...this.row);
    this.buttons.forEach((button, cell) => {
      const weight = this.cells[cell] === "block" ? 0 : this.row[cell];
      button.style.backgroundColor = this.cells[cell] === "block" ? "" : `rgb(8 8 12 / ${(0.78 * (1 - weight / most)).toFixed(3)})`;
      button.title = this.said(cell);
    });
    this.swapButton.setAttribute("aria-pressed", String(this.swapping));
    if (this.swapping) this.note.textContent = `Choose the ${this.data.cell} to exchange with ${this.place(this.at)}.`;
    else this.note.textContent = this.hidden.size === this.cells.length ? `Leave at least one ${this.data.cell} free.` : [`largest weight ${most.toFixed(2)}`, this.counts()].filter(Boolean).join(", ");
  }

  close() {
    clearTimeout(this.timer);
    this.timer = null;
  }
}
