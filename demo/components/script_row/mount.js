// Words with their own script above them, as ruby text: a screen reader reads both, each in its language.

import { make } from "../elements.js";

const mounted = new WeakMap();

function word([latin, above], language) {
  const node = make("ruby", "", latin, { lang: `${language}-Latn` });
  node.append(make("rt", "", above || "\u00a0", { lang: language }));
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
  const line = make("p", "words", null, { "aria-label": data.name, role: "group" });
  line.append(...data.words.flatMap((one, i) => (i ? [" ", word(one, data.language)] : [word(one, data.language)])));
  place.root.replaceChildren(line, ...(data.note ? [make("p", "note", data.note)] : []));
}
