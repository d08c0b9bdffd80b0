// What is read off equations that KaTeX has set: the letter under the pointer with its indices, and the vectors that a row prints.

const SIGNS_ABOVE = /[\u200b\s~^\u02c9\u2192\u2190]/g; // hats and arrows, which are letters of their own in KaTeX's text
const PRINTED = /\[([-\d.,]+)(?:,?\u2026)?\]\u2208[R\u211d](\d+)/g;
const NEAR = 8; // signs between a letter and the end of the index in brackets behind it

export function clean(text) {
  return text.replace(SIGNS_ABOVE, "").replaceAll("\u2212", "-");
}

// The vectors that stand in a row's text, each from where to where, by the numbers that are printed of it and its size.
export function printed(text) {
  return [...clean(text).matchAll(PRINTED)].map((found) => ({ start: found.index, end: found.index + found[0].length, key: `${found[1].replace(/,$/, "")}|${found[2]}` }));
}

// What is written under the pointer: the rows of an equation overlap, and the uppermost need not be the one that is seen.
export function writtenAt({ target, clientX, clientY }) {
  if (!target.closest?.(".katex-html")) return target;
  const written = (node) => node.closest(".katex-html") && !node.childElementCount && clean(node.textContent);
  return document.elementsFromPoint(clientX, clientY).find(written) ?? target;
}

// The element of a letter with its indices: the innermost that has indices of its own, or the sign itself.
export function symbolAt(node) {
  for (let at = node; at && !at.classList.contains("base"); at = at.parentElement) {
    if ([...at.children].some((child) => child.classList.contains("msupsub"))) return at;
  }
  return node.classList.contains("mord") ? node : null;
}

// Its sign and all its indices; one that stands behind it in brackets too.
export function keyOf(symbol) {
  const own = clean(symbol.textContent);
  let [behind, at] = ["", symbol.nextElementSibling];
  for (let i = 0; i < NEAR && at && !behind.endsWith("]"); i++, at = at.nextElementSibling) {
    behind += clean(at.textContent);
    if (!behind.startsWith("[")) break;
  }
  return /^\[[^[\]]*\]$/.test(behind) && !symbol.querySelector(".msupsub") ? own + behind : own;
}

// The row of an equation that a node stands in: of those under each other, the outermost within its column.
export function rowOf(node) {
  const column = node.closest("[class*=col-align]");
  let row = column ?? node.closest(".base");
  for (let at = node; column && at !== column; at = at.parentElement) if (at.parentElement.classList.contains("vlist")) row = at;
  return row;
}
