// One painter per place on the page, made anew when its data are others; brush and focus stay, and no stroke is lost.

import { keepClicks, make } from "../elements.js";
import { EyePainter } from "./painter.js";
import { RowPainter } from "./row.js";

const painters = new WeakMap();

export default function mountPainter({ data, parentElement, setTriggerValue }) {
  let place = painters.get(parentElement);
  if (!place) {
    place = { root: make("div", "eye-painter"), painter: null };
    keepClicks(place.root);
    parentElement.append(place.root);
    painters.set(parentElement, place);
  }
  place.tell = (change) => setTriggerValue("change", change);
  place.data = data;
  if (!place.painter?.busy()) renew(place);
  return () => painters.delete(parentElement);
}

function renew(place) {
  const { data, painter: old } = place;
  if (old?.data.id === data.id) return;
  const focused = place.root.getRootNode().activeElement;
  const had = place.root.contains(focused) ? focused : null;
  const cell = old?.buttons.indexOf(had) ?? -1;
  const kind = data.kind === "row" ? RowPainter : EyePainter;
  old?.close?.();
  place.painter = new kind(place.root, data, (change) => place.tell(change));
  place.painter.idle = () => renew(place);
  if (old) place.painter.follow(old, cell);
  if (cell >= 0) place.painter.buttons[cell].focus();
  else if (had) [...place.root.querySelectorAll(".eye-actions button")].find((node) => node.textContent === had.textContent)?.focus();
}
