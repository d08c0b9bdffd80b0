// All the numbers of one vector: a strip of bars, and a sentence on them or on the one under the pointer.

import { Palette } from "../colours.js";
import { make, setText } from "../elements.js";
import { formula } from "../formula.js";
import { decimals } from "../numbers.js";
import { drawStrip } from "../strip.js";

const HIGH = 64; // pixels

// Thousandths, whole numbers of so many bits, lowest byte first.
export function unpacked({ bits, values }) {
  const bytes = Uint8Array.from(atob(values), (sign) => sign.charCodeAt(0));
  return Array.from(new (bits === 16 ? Int16Array : Int32Array)(bytes.buffer), (thousandths) => thousandths / 1000);
}

export class VectorStrip {
  constructor(root) {
    this.root = root;
    this.node = make("div", "letters-vector");
    this.said = make("p", "letters-name", null, { "aria-live": "polite" });
    this.canvas = make("canvas", "", null, { role: "img" });
    this.node.append(this.said, this.canvas);
    this.node.hidden = true;
    this.name = null;
    this.canvas.onpointermove = (event) => this.describe(Math.floor((event.offsetX / this.canvas.clientWidth) * this.values.length));
    this.canvas.onpointerleave = () => this.describe(null);
  }

  // A vector, or undefined where this moment has none of that name: it comes again with the next that has. null: no longer wanted.
  // Without its numbers it waits for them.
  show(vector) {
    if (vector === null) this.name = null;
    if (vector && vector.name !== this.name) this.said.replaceChildren(formula(vector.name), make("span", "letters-said"));
    this.name = vector?.name ?? this.name;
    this.node.hidden = !vector?.values;
    this.values = vector?.values ? unpacked(vector) : [];
    this.draw();
    this.describe(null);
  }

  draw() {
    if (this.node.hidden || !this.root.clientWidth) return;
    drawStrip(this.canvas, this.values, new Palette(this.root), this.root.clientWidth, HIGH);
  }

  // Under the pointer one of the numbers, else how many they are and which is the largest.
  describe(at) {
    if (!this.values.length) return;
    const largest = this.values.reduce((best, value, i) => (Math.abs(value) > Math.abs(this.values[best]) ? i : best), 0);
    const number = (i) => `number ${i + 1}: ${decimals(this.values[i], 3)}`;
    const said = at !== null && at >= 0 && at < this.values.length ? number(at) : `${this.values.length} numbers, the largest is ${number(largest)}`;
    setText(this.said.lastChild, said);
    this.canvas.setAttribute("aria-label", `${this.name}: ${said}`);
  }
}
