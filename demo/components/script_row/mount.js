// Words with their own script above them; a screen reader reads both, each in its language.

import { make } from "../elements.js";

const mounted = new WeakMap();

// No ruby text: browsers spread it, and tear signs from their letters.
function word([latin, above], language) {
  const node = make("span", "pair");
  node.append(make("span", "above", above || "\u00a0", { lang: language }), make("span", "", latin, { lang: `${language}-Latn` }));
  return node;
}

export default function mountScriptRow({ data, parentElement }) {
  let place = mounted.get(parentElement);
  if (!place) {
    place = { root: make("div", "script-row"), content: null };
    parentElement.append(place.root);
    mounted.set(parentElement, place);
  }
  const content = JSON.stringify(data);
  if (content === place.content) return;
  place.content = content;
  const line = make("div", "pairs", null, { "aria-label": data.name, role: "group" });
  line.append(...data.words.map((one) => word(one, data.language)));
  place.root.replaceChildren(line, ...(data.note ? [make("p", "note", data.note)] : []));
}
