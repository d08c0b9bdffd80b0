// Small pictures to choose from, in two rows; a click tells Python which.

import { make } from "../elements.js";

const mounted = new WeakMap();

export default function mountPhotoStrip({ data, parentElement, setTriggerValue }) {
  let place = mounted.get(parentElement);
  if (!place) {
    place = { root: make("div", "photo-strip", null, { role: "group", "aria-label": "Photos to choose from" }), content: null };
    parentElement.append(place.root);
    mounted.set(parentElement, place);
  }
  place.choose = (i) => setTriggerValue("choose", i);
  const content = JSON.stringify(data.thumbs);
  if (content !== place.content) {
    place.content = content;
    place.root.style.setProperty("--columns", Math.ceil(data.thumbs.length / 2));
    place.root.replaceChildren(...data.thumbs.map(({ title, tip, url }, i) => {
      const button = make("button", "", null, { type: "button", title: `${title}: ${tip}` });
      button.append(make("img", "", null, { src: url, alt: title, draggable: "false" }));
      button.onclick = () => place.choose(i);
      return button;
    }));
  }
  [...place.root.children].forEach((button, i) => button.setAttribute("aria-pressed", String(i === data.chosen)));
}
