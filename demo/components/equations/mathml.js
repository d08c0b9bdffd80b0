// Formulas on the page, as MathML: what a browser sets itself, and a screen reader reads. Made of elements and text alone.

import { make } from "../elements.js";
import { piecesOf } from "./latex.js";

const MATHML = "http://www.w3.org/1998/Math/MathML";

function element(tag, attributes = {}, kids = []) {
  const made = document.createElementNS(MATHML, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...kids);
  return made;
}

function built({ tag, text, kids, keys, vector, form, width, upright }) {
  const attributes = {};
  if (tag === "mspace") attributes.width = `${width}em`;
  if (tag === "mo") attributes.stretchy = "false";
  if (form === "tight") Object.assign(attributes, { lspace: "0", rspace: "0" });
  else if (form) attributes.form = form;
  if (tag === "mover") attributes.accent = "true";
  if (tag === "mi") Object.assign(attributes, { mathvariant: "normal", class: upright || !/^[A-Za-zα-ωℓ]$/.test(text) ? "upright" : "letter" });
  const made = element(tag, attributes, kids ? kids.map(built) : [text]);
  made.keys = keys; // by which a letter may be known
  if (vector) made.dataset.vector = vector;
  return made;
}

// Pieces that stay whole; lines break between them.
export function formulaPieces(latex) {
  return piecesOf(latex).flatMap((items) => [element("math", { displaystyle: "true" }, items.map(built)), make("wbr")]);
}
