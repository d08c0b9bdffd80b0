// The ideas of a lecture as a list of links, under the headings of its parts; and how one goes from page to page while it is given.

import { formula } from "../formula.js";
import { make } from "../elements.js";

export const SAID = { live: "", "in part": "in part", "not yet": "not in the lab yet" };

// To an address of this app without a reload: as if by the browser's own Back, after which all controls follow the address.
// The history's own method: others in the page may have put theirs in its place.
export function go(address) {
  const to = new URL(address, window.location.href);
  History.prototype.pushState.call(window.history, null, "", to);
  window.dispatchEvent(new PopStateEvent("popstate", { state: null }));
}

// What a plain click on a link does; with a key held it is the browser's affair, as a new tab.
export function plainly(act) {
  return (event) => {
    if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    act();
  };
}

function item(idea, i, chosen, whole) {
  const node = make("li", idea.shown.replaceAll(" ", "-"));
  const to = make("a", "idea", null, { href: idea.address });
  to.onclick = plainly(() => go(idea.address));
  to.append(make("span", "number", `${i + 1}`), make("span", "text", idea.text));
  if (idea.equation) to.append(" ", formula(idea.equation));
  if (SAID[idea.shown]) to.append(" ", make("span", "shown", SAID[idea.shown]));
  if (i === chosen) to.setAttribute("aria-current", "step");
  node.append(to);
  if (whole) for (const text of [idea.say, idea.lacks && `Not in the lab: ${idea.lacks}`]) if (text) node.append(make("p", "", text));
  return node;
}

export function list(ideas, chosen = null, whole = false) {
  const node = make("div", whole ? "ideas whole" : "ideas");
  let part = null;
  let items = null;
  ideas.forEach((idea, i) => {
    if (!items || idea.part !== part) {
      if (idea.part) node.append(make("h3", "", idea.part));
      items = make("ol", "", null, { role: "list" });
      node.append(items);
      part = idea.part;
    }
    items.append(item(idea, i, chosen, whole));
  });
  return node;
}
