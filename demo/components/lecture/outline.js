// The outline of a lecture: every idea is a link to the page that shows it.

import { make } from "../elements.js";
import { formula } from "../formula.js";
import { list } from "./ideas.js";

const mounted = new WeakMap();

function outline(data) {
  const root = list(data.ideas, data.place, data.whole);
  if (!data.letters) return root;
  const letters = make("details", "letters");
  letters.open = data.whole;
  letters.append(make("summary", "", "Its letters, and the lab’s"), formula(data.letters, "text"));
  root.prepend(letters);
  return root;
}

export default function mountOutline({ data, parentElement }) {
  const content = JSON.stringify(data);
  let state = mounted.get(parentElement);
  if (state?.content !== content) {
    state?.root.remove();
    state = { content, root: outline(data) };
    parentElement.append(state.root);
    mounted.set(parentElement, state);
    state.root.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
  }
  return () => {
    mounted.get(parentElement)?.root.remove();
    mounted.delete(parentElement);
  };
}
