// What a cell says when it is pointed at or tapped, and the buttons of what can be done at a step.

import { make, setText } from "../elements.js";
import { clamp } from "../numbers.js";

const NEAR = 6; // pixels between a cell and what is said of it

// Hidden while there is nothing to be done.
export function actionButtons(player) {
  const node = make("div", "actions", null, { role: "group", "aria-label": "Go on from this step" });
  for (const name of player.layout.actions) {
    const button = make("button", "action", name, { type: "button" });
    button.onclick = () => player.act(name);
    node.append(button);
  }
  node.hidden = !player.layout.actions.length;
  return node;
}

// Beside the cell, within the sheet it stands on: below it, or above where below there is no room. Where no panel shows what can be
// done, a cell or word that was clicked does.
export class Tip {
  constructor(player) {
    this.player = player;
    this.node = make("div", "tip");
    this.text = make("span");
    this.actions = actionButtons(player);
    this.node.append(this.text, this.actions);
    this.node.style.display = "none";
    this.node.onclick = (event) => event.stopPropagation();
    this.node.onpointermove = (event) => event.stopPropagation();
  }

  hide() {
    this.put("", null);
  }

  // `cell`: its left, right, top and bottom, and `room`: the same of what is in sight.
  show(text, cell, room) {
    const chosen = this.offers();
    if (this.chosen !== chosen) this.key = null;
    this.chosen = chosen;
    this.put(text, cell, room);
  }

  offers() {
    const { layout, pinned, hover } = this.player;
    return !layout.panel && layout.actions.length > 0 && pinned !== null && pinned.row !== null && hover?.row === pinned.row;
  }

  put(text, cell, room) {
    const key = cell ? [text, cell.left, cell.top, room.left, room.top].join() : "";
    if (this.key === key) return;
    this.key = key;
    this.node.style.display = cell ? "" : "none";
    if (!cell) return;
    setText(this.text, text);
    this.actions.hidden = !this.chosen;
    this.node.classList.toggle("chosen", this.chosen);
    const [width, height] = [this.node.offsetWidth, this.node.offsetHeight];
    const x = clamp((cell.left + cell.right - width) / 2, room.left, Math.max(room.left, room.right - width));
    const y = cell.bottom + NEAR + height <= room.bottom ? cell.bottom + NEAR : Math.max(room.top, cell.top - NEAR - height);
    this.node.style.transform = `translate(${Math.round(x)}px, ${Math.round(y)}px)`;
  }
}
