// A photo under a grid whose cells can be painted: look only here, or do not look here. All text is set as text.

function piece(tag, className = "", text = null, attributes = {}) {
  const node = document.createElement(tag);
  if (className) node.className = className;
  if (text !== null) node.textContent = text;
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  return node;
}

const BRUSHES = { look: "Look only here", block: "Do not look here", free: "Erase" };
const SAID = { look: "look only here", block: "do not look here", free: "free" };
const MOVES = { ArrowRight: [0, 1], ArrowLeft: [0, -1], ArrowDown: [1, 0], ArrowUp: [-1, 0] };

class EyePainter {
  constructor(root, data, tell) {
    Object.assign(this, { root, data, tell, brush: "look", painting: false, at: 0 });
    this.cells = Array.from({ length: data.rows * data.columns }, () => "free");
    for (const cell of data.look) this.cells[cell] = "look";
    for (const cell of data.block) this.cells[cell] = "block";
    this.prepare();
    root.replaceChildren(this.brushes(), this.photo(), this.actions());
    this.draw();
  }

  prepare() {}

  hold(brush, cell) {
    this.brush = brush;
    this.at = Math.max(0, cell);
    this.drawCells();
  }

  // A stroke is over.
  ended() {}

  brushes() {
    const bar = piece("div", "eye-brushes", null, { role: "group", "aria-label": "Brush" });
    this.brushButtons = Object.entries(BRUSHES).map(([name, label]) => {
      const button = piece("button", `eye-${name}`, label, { type: "button" });
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
    const frame = piece("div", "eye-photo");
    frame.style.aspectRatio = `${data.width} / ${data.height}`;
    frame.style.width = `min(100%, ${Math.round((data.tall * data.width) / data.height)}px)`;
    const image = piece("img", "", null, { alt: "The photo, under a grid of cells", draggable: "false" });
    image.src = data.url;
    const grid = piece("div", "eye-grid", null, { role: "group", "aria-label": "Cells: arrows move, Enter or Space paints" });
    grid.style.gridTemplateColumns = `repeat(${data.columns}, 1fr)`;
    grid.style.gridTemplateRows = `repeat(${data.rows}, 1fr)`;
    this.buttons = this.cells.map(() => piece("button", "eye-cell", null, { type: "button", tabindex: "-1" }));
    grid.append(...this.buttons);
    grid.onpointerdown = (event) => this.begin(event);
    grid.onpointermove = (event) => this.painting && this.paint(this.cellAt(event));
    grid.onpointerup = grid.onpointercancel = () => this.lift();
    grid.onkeydown = (event) => this.key(event);
    grid.onclick = (event) => event.detail === 0 && this.press(this.buttons.indexOf(event.target)); // by keyboard or a screen reader
    this.grid = grid;
    frame.append(image, grid);
    return frame;
  }

  actions() {
    const bar = piece("div", "eye-actions");
    const label = piece("label", "", "from ");
    this.from = piece("select");
    for (const [step, word] of this.data.words) this.from.append(piece("option", "", word, { value: String(step) }));
    this.from.value = String(this.data.from);
    label.append(this.from);
    this.go = piece("button", "eye-go", "Caption again", { type: "button" });
    this.go.onclick = () => this.send();
    const clear = piece("button", "", "Clear", { type: "button" });
    clear.onclick = () => {
      this.cells.fill("free");
      this.draw();
      this.send();
    };
    this.note = piece("span", "eye-note", "", { role: "status" });
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
    this.note.textContent = all ? "Leave at least one cell free." : this.counts();
  }

  drawCells() {
    this.cells.forEach((state, cell) => {
      const button = this.buttons[cell];
      button.className = `eye-cell eye-${state}`;
      button.tabIndex = cell === this.at ? 0 : -1;
      const where = `row ${Math.floor(cell / this.data.columns) + 1}, column ${(cell % this.data.columns) + 1}`;
      button.setAttribute("aria-label", `${where}: ${this.said(cell)}`);
    });
    for (const [name, button] of this.brushButtons) button.setAttribute("aria-pressed", String(name === this.brush));
  }

  said(cell) {
    return SAID[this.cells[cell]];
  }

  counts() {
    const counts = [[this.painted("look").length, "to look at"], [this.painted("block").length, "blocked"]];
    return counts.filter(([count]) => count).map(([count, what]) => `${count} ${what}`).join(", ");
  }

  send() {
    this.tell({ look: this.painted("look"), block: this.painted("block"), from: Number(this.from.value) });
  }
}
