// Tokens as buttons: one tab stop per strip, up and down move within it, enter or a click tells Python.

import { make } from "../elements.js";

export function tokenButton(player, unit, row, column) {
  const node = make("button", "token", unit.label, { type: "button", tabindex: "-1", dir: "auto" });
  node.classList.toggle("special", Boolean(unit.special));
  node.classList.toggle("hidden-source", Boolean(unit.hidden));
  node.classList.toggle("rare", Boolean(unit.rare));
  node.classList.toggle("edited", Boolean(unit.edited));
  node.classList.toggle("diverges", Boolean(unit.diverges));
  node.classList.toggle("given", Boolean(unit.given));
  node.classList.toggle("forced", Boolean(unit.forced));
  node.classList.toggle("copied", Boolean(unit.copied));
  const remark = [unit.given && "given", unit.forced && "forced", unit.copied && "copied", unit.diverges && "parts here", unit.edited && "attention edited", unit.hidden && "hidden from the model", unit.rare && "rare to the model"].filter(Boolean);
  node.title = [unit.label, ...remark].join(", ");
  if (remark.length) node.setAttribute("aria-label", node.title);
  node.onpointerenter = () => player.hoverAt({ row, column });
  node.onfocus = () => node.matches(":focus-visible") && player.hoverAt({ row, column });
  node.onblur = () => player.hoverAt(null);
  node.onclick = () => player.choose(row, column);
  return node;
}

export function oneTabStop(tokens) {
  if (tokens.length) tokens[0].tabIndex = 0;
  tokens.forEach((token, i) => {
    token.onkeydown = (event) => {
      const way = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (!way) return;
      event.preventDefault();
      const next = tokens[i + way];
      if (!next || next.classList.contains("unseen")) return;
      token.tabIndex = -1;
      next.tabIndex = 0;
      next.focus();
    };
  });
}

export function fade(node, progress) {
  const opacity = progress < 1 ? String(progress) : "";
  if (node.style.opacity !== opacity) node.style.opacity = opacity;
}

// Scrolls the player, never the page, so that the current row stays in sight while time moves.
export function keepInView(player, scroller, row, always = false) {
  if (!row || !(always || player.moved || player.clock.playing)) return;
  const low = row.offsetTop + 2 * row.offsetHeight - scroller.clientHeight;
  if (scroller.scrollTop < low) scroller.scrollTop = low;
  if (scroller.scrollTop > row.offsetTop - row.offsetHeight) scroller.scrollTop = row.offsetTop - row.offsetHeight;
}
