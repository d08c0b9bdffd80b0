// Formulas in text: x_t, W_att, e^{-t} get their indices below and above. Everything else stands as it is written.

import { make } from "./elements.js";

const INDEX = /([_^])(?:\{([^{}]*)\}|([\p{L}\p{N}]+))/gu;

export function formula(text, className = "formula") {
  const node = make("span", className);
  let end = 0;
  for (const found of text.matchAll(INDEX)) {
    node.append(text.slice(end, found.index), make(found[1] === "_" ? "sub" : "sup", "", found[2] ?? found[3]));
    end = found.index + found[0].length;
  }
  node.append(text.slice(end));
  return node;
}
