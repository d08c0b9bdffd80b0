// A model without a source: each token with its probability, as rows of bars or as running text.

import { make } from "../elements.js";
import { clamp, probability } from "../numbers.js";
import { isRightToLeft } from "../text.js";
import { tokenButton, oneTabStop, fade, keepInView } from "./tokens.js";

const ROW_OF_LETTERS = 1.55; // how high a row is, in sizes of its letters

export class BarsView {
  constructor(player) {
    this.player = player;
    this.node = make("div", "bars-scroll", null, { tabindex: "0", role: "group", "aria-label": "Tokens and their probabilities" });
    this.list = make("div");
    this.node.append(this.list);
    this.node.onpointerleave = () => player.hoverAt(null);
    this.node.onkeydown = (event) => {
      if (event.key === "Enter" && event.target === this.node) player.choose(player.focusRow, null);
    };
    this.fill();
  }

  fill() {
    const { player } = this;
    const running = player.options.view === "curves";
    this.list.className = running ? "flow probable" : "bars";
    this.list.dir = isRightToLeft(player.data.target.text ?? "") ? "rtl" : "ltr";
    this.tokens = player.units.target.map((unit, row) => tokenButton(player, unit, row, null));
    this.rows = this.tokens.map((token, row) => {
      const p = Math.exp(player.units.step(row).logprob);
      const node = make("div", running ? "probable-token" : "bar-row");
      const fill = make("span", "bar-fill");
      const bar = make("span", "bar");
      bar.append(fill);
      fill.style.transform = `scaleX(${p})`;
      node.append(token, bar);
      if (!running) node.append(make("span", "value", probability(p)));
      return node;
    });
    this.list.replaceChildren(...this.rows);
    oneTabStop(this.tokens);
    this.shown = null;
  }

  layout(width, height) {
    this.node.style.maxHeight = `${height}px`;
    const largest = this.player.alone ? 38 : width < 480 ? 17 : 24;
    const size = this.player.options.view === "map" ? clamp(height / this.tokens.length / ROW_OF_LETTERS, 16, largest) : largest;
    this.list.style.setProperty("--token", `${size}px`);
    this.paint();
    keepInView(this.player, this.node, this.rows[this.player.current], true);
  }

  paint() {
    const { clock, current, hover } = this.player;
    const moment = this.player.moment();
    if (moment === this.moment) return;
    this.moment = moment;
    this.rows.forEach((row, i) => {
      row.classList.toggle("unseen", i >= clock.shown);
      row.classList.toggle("current", i === current);
      row.classList.toggle("hovered", hover?.row === i);
      fade(row, i === current ? clock.progress : 1);
    });
    keepInView(this.player, this.node, this.rows[current]);
  }
}
