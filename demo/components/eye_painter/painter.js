// A photo under a grid whose cells can be painted: look only here, or do not look here. All text is set as text.

import { make } from "../elements.js";

const BRUSHES = { look: "Look only here", block: "Do not look here", free: "Erase" };
const SAID = { look: "look only here", block: "do not look here", free: "free" };
const FINE = 32; // columns: beyond it lines between them would hide what is under them
const MOVES = { ArrowRight: [0, 1], ArrowLeft: [0, -1], ArrowDown: [1, 0], ArrowUp: [-1, 0] };

export class EyePainter {
  constructor(root, data, tell) {
    Object.assign(this, { root, data, tell, brush: "look", painting: false, unsent: false, at: 0 });
    this.cells = Array.from({ length: data.rows * data.columns }, () => "free");
    for (const cell of data.look) this.cells[cell] = "look";
    for (const cell of data.block) this.cells[cell] = "block";
    this.prepare();
    root.replaceChildren(this.brushes(), this.photo(), this.actions());
    this.draw();
  }

  prepare() {}

  // After another painter in the same place: its brush, and what was painted there and not told yet.
  follow(other, cell) {
    this.brush = other.brush;
    this.at = cell >= 0 ? cell : Math.min(other.at, this.cells.length - 1);
    this.unsent = other.unsent && other.data.url === this.data.url;
    if (this.unsent) this.cells = other.cells;
    this.draw();
  }

  // New data have to wait for the end of a stroke.
  busy() {
    return this.painting;
  }

  // A stroke is over.
  ended() {
    this.idle();
  }

  brushes() {
    const bar = make("div", "eye-brushes", null, { role: "group", "aria-label": "Brush" });
    this.brushButtons = Object.entries(BRUSHES).map(([name, label]) => {
      const button = make("button", `eye-${name}`, label, { type: "button" });
      button.onclick = () => {
        this.brush = name;
        this.draw();
      };
      bar.append(button);
      return [name, button];
    });
    return bar;
  }

  photo() {
    const { data } = this;
    const frame = make("div", "eye-photo");
    frame.style.aspectRatio = `${data.width} / ${data.height}`;
    frame.style.width = `min(100%, ${Math.round((data.tall * data.width) / data.height)}px)`;
    const image = make("img", "", null, { alt: `The ${data.thing}, under a grid of ${data.cells}`, draggable: "false" });
    image.src = data.url;
    const grid = make("div", `eye-grid${data.columns > FINE ? " fine" : ""}`, null, { role: "group", "aria-label": `The ${data.cells}: arrows move, Enter or Space paints` });
    grid.style.gridTemplateColumns = `repeat(${data.columns}, 1fr)`;
    grid.style.gridTemplateRows = `repeat(${data.rows}, 1fr)`;
    this.buttons = this.cells.map(() => make("button", "eye-cell", null, { type: "button", tabindex: "-1" }));
    grid.append(...this.buttons);
    grid.onpointerdown = (event) => this.begin(event);
    grid.onpointermove = (event) => this.painting && this.strokeTo(this.cellAt(event));
    grid.onpointerup = grid.onpointercancel = () => this.lift();
    grid.onkeydown = (event) => this.key(event);
    grid.onclick = (event) => event.detail === 0 && this.press(this.buttons.indexOf(event.target)); // by keyboard or a screen reader
    this.grid = grid;
    frame.append(image, grid);
    return frame;
  }

  actions() {
    const bar = make("div", "eye-actions");
    const label = make("label", "", "from ");
    this.from = make("select");
    for (const [step, word] of this.data.words) this.from.append(make("option", "", word, { value: String(step) }));
    this.from.value = String(this.data.from);
    label.append(this.from);
    this.go = make("button", "eye-go", this.data.act, { type: "button" });
    this.go.onclick = () => this.send();
    const clear = make("button", "", "Clear", { type: "button" });
    clear.onclick = () => {
      this.cells.fill("free");
      this.draw();
      this.send();
    };
    this.note = make("span", "eye-note", "", { role: "status" });
    bar.append(label, this.go, clear, this.note);
    return bar;
  }

  cellAt(event) {
    const box = this.grid.getBoundingClientRect();
    const place = (value, size, count) => Math.min(count - 1, Math.max(0, Math.floor((value / size) * count)));
    return place(event.clientY - box.top, box.height, this.data.rows) * this.data.columns + place(event.clientX - box.left, box.width, this.data.columns);
  }

  begin(event) {
    if (event.button) return;
    event.preventDefault();
    this.grid.setPointerCapture(event.pointerId);
    this.painting = true;
    this.paint(this.cellAt(event));
  }

  // A quick stroke jumps over narrow cells: those between are painted too.
  strokeTo(cell) {
    const { columns } = this.data;
    const [from, to] = [this.at, cell].map((one) => [Math.floor(one / columns), one % columns]);
    const steps = Math.max(Math.abs(to[0] - from[0]), Math.abs(to[1] - from[1]), 1);
    const between = (axis, step) => Math.round(from[axis] + ((to[axis] - from[axis]) * step) / steps);
    for (let step = 1; step <= steps; step++) this.paint(between(0, step) * columns + between(1, step));
  }

  lift() {
    if (!this.painting) return;
    this.painting = false;
    this.ended();
  }

  press(cell) {
    this.paint(cell);
    this.ended();
  }

  key(event) {
    const move = MOVES[event.key];
    if (!move) return;
    event.preventDefault();
    const { rows, columns } = this.data;
    const row = Math.min(rows - 1, Math.max(0, Math.floor(this.at / columns) + move[0]));
    const column = Math.min(columns - 1, Math.max(0, (this.at % columns) + move[1]));
    this.at = row * columns + column;
    this.draw();
    this.buttons[this.at].focus();
  }

  paint(cell) {
    if (cell < 0) return;
    this.at = cell;
    this.cells[cell] = this.brush;
    this.unsent = true;
    this.draw();
  }

  painted(kind) {
    return this.cells.flatMap((state, cell) => (state === kind ? [cell] : []));
  }

  draw() {
    this.grid.classList.toggle("looking", this.cells.includes("look"));
    this.drawCells();
    const blocked = this.painted("block").length;
    const all = blocked === this.cells.length;
    this.go.disabled = all;
    this.note.textContent = all ? `Leave at least one ${this.data.cell} free.` : this.counts();
  }

  drawCells() {
    this.cells.forEach((state, cell) => {
      const button = this.buttons[cell];
      button.className = `eye-cell eye-${state}`;
      button.tabIndex = cell === this.at ? 0 : -1;
      button.setAttribute("aria-label", `${this.place(cell)}: ${this.said(cell)}`);
    });
    for (const [name, button] of this.brushButtons) button.setAttribute("aria-pressed", String(name === this.brush));
  }

  place(cell) {
    if (this.data.names.length) return this.data.names[cell];
    return `row ${Math.floor(cell / this.data.columns) + 1}, column ${(cell % this.data.columns) + 1}`;
  }

  said(cell) {
    return SAID[this.cells[cell]];
  }

  counts() {
    const counts = [[this.painted("look").length, "to look at"], [this.painted("block").length, "blocked"]];
    return counts.filter(([count]) => count).map(([count, what]) => `${count} ${what}`).join(", ");
  }

  send() {
    this.unsent = false;
    this.tell({ look: this.painted("look"), block: this.painted("block"), from: Number(this.from.value) });
  }
}
