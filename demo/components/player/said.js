// The output as a sentence: what is not written yet is grey, and words that another output does not have are marked.

import { make } from "../elements.js";

const WRITTEN = "attention-player-written";

// How many letters of the output's text the first tokens have written.
export function lettersWritten(target, count) {
  const special = new Set(target.special);
  const rest = target.tokens.filter((_, i) => i >= count && !special.has(i)).join("");
  const whole = target.text.length;
  if (count === 0) return 0;
  return target.text.endsWith(rest) ? whole - rest.length : Math.round((whole * count) / target.tokens.length);
}

// Tells whoever shows the same text elsewhere on the page how much of it is written.
export function tellWritten(target, count) {
  window.dispatchEvent(new CustomEvent(WRITTEN, { detail: { text: target.text, letters: lettersWritten(target, count) } }));
}

export class Said {
  constructor({ target, said }) {
    this.node = make("p", "said", null, { dir: "auto" });
    const marked = new Set(said.marked);
    const special = new Set(target.special);
    this.words = [];
    target.tokens.forEach((token, i) => {
      if (special.has(i)) return;
      const last = this.words.at(-1);
      if (last?.group === target.groups[i]) last.node.lastChild.append(token);
      else this.words.push(this.word(token, target.groups[i], i, marked));
    });
  }

  // The space before a word is no part of what is marked.
  word(token, group, start, marked) {
    const node = make("span");
    if (this.words.length && token.startsWith(" ")) node.append(" ");
    node.append(make(marked.has(group) ? "mark" : "span", "", token.trimStart()));
    this.node.append(node);
    return { group, start, node };
  }

  show(count) {
    for (const { node, start } of this.words) node.classList.toggle("unwritten", start >= count);
  }
}
