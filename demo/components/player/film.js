// A film strip moves: the clip plays beside its frames, and the frame that is on is framed in the strip.

import { make } from "../elements.js";
import { prefersReducedMotion } from "../motion.js";

const FRAME_MS = 120;
const REST_FRAMES = 5; // the last frame stays a little before the clip begins again
const FINER = 2; // canvas pixels for one of the screen

export function frameAt(ms, count) {
  return Math.min(count - 1, Math.floor(ms / FRAME_MS) % (count + REST_FRAMES));
}

export class Film {
  constructor(view) {
    this.view = view;
    this.count = view.source.film;
    this.node = make("canvas", "screen", null, { role: "img", "aria-label": "The clip, playing" });
    this.runner = make("div", "runner", null, { "aria-hidden": "true" });
    this.on = -1;
  }

  // Plays for as long as it is on the page.
  start() {
    this.on = -1;
    if (this.request) return;
    const began = performance.now();
    const tick = (now) => {
      this.request = this.runner.isConnected ? requestAnimationFrame(tick) : null;
      this.show(prefersReducedMotion() ? this.mostSeen() : frameAt(Math.max(0, now - began), this.count));
    };
    this.request = requestAnimationFrame(tick);
  }

  // Where nothing may move: the frame that the word looks at most, the middle one where there is no map.
  mostSeen() {
    return this.view.player.cursorColumn() ?? Math.floor(this.count / 2);
  }

  show(frame) {
    const { image, source } = this.view;
    if (frame === this.on || !image.complete || !image.naturalWidth) return;
    this.on = frame;
    const [row, column] = [Math.floor(frame / source.columns), frame % source.columns];
    const [width, height] = [image.naturalWidth / source.columns, image.naturalHeight / source.rows];
    if (this.node.width !== FINER * width) [this.node.width, this.node.height] = [FINER * width, FINER * height];
    this.node.getContext("2d").drawImage(image, column * width, row * height, width, height, 0, 0, FINER * width, FINER * height);
    // Moved as drawn: a place that changes would be laid out anew with every frame.
    Object.assign(this.runner.style, { width: `${100 / source.columns}%`, height: `${100 / source.rows}%`, transform: `translate(${100 * column}%, ${100 * row}%)` });
  }
}
