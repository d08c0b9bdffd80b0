// A photo in four quarters, each of them a button; a click tells Python which.

import { make } from "../elements.js";

const mounted = new WeakMap();

export default function mountQuarters({ data, parentElement, setTriggerValue }) {
  let place = mounted.get(parentElement);
  if (!place) {
    place = { root: make("div", "quarters", null, { role: "group", "aria-label": "Quarters of the photo" }), content: null };
    parentElement.append(place.root);
    mounted.set(parentElement, place);
  }
  place.choose = (i) => setTriggerValue("choose", i);
  const content = JSON.stringify(data);
  if (content === place.content) return;
  place.content = content;
  const buttons = data.names.map((name, i) => {
    const button = make("button", "", null, { type: "button", "aria-label": name, title: name });
    button.onclick = () => place.choose(i);
    return button;
  });
  place.root.replaceChildren(make("img", "", null, { src: data.url, alt: data.alt, draggable: "false" }), ...buttons);
}
