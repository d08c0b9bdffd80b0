// One editor per place on the page, made anew when its row is another one; it takes over from the one before what a person set there.

import { isDark } from "../colours.js";
import { keepClicks, make } from "../elements.js";
import { RowEditor } from "./editor.js";
import { RowOracle } from "./oracle.js";

const editors = new WeakMap();

export default function mountRow({ data, parentElement, setTriggerValue }) {
  let place = editors.get(parentElement);
  if (!place) {
    place = { root: make("div", "row-editor"), id: null, editor: null };
    keepClicks(place.root);
    parentElement.append(place.root);
    editors.set(parentElement, place);
  }
  place.tell = (change) => setTriggerValue("change", change);
  if (!place.editor?.busy() && (place.id !== data.id || place.editor.dark !== isDark(place.root))) {
    const focused = place.root.getRootNode().activeElement;
    const label = focused?.getAttribute("aria-label") ?? focused?.textContent;
    place.editor?.close();
    const kind = data.kind === "oracle" ? RowOracle : RowEditor;
    place.editor = new kind(place.root, data, (change) => place.tell(change), place.editor);
    place.id = data.id;
    restore(place.root, focused, label);
  }
  return () => {
    place.editor?.close();
    editors.delete(parentElement);
  };
}

// A person at the keyboard stays where they were.
function restore(root, focused, label) {
  if (!focused || root.contains(focused)) return;
  const same = [...root.querySelectorAll("[role=slider], button")].find((node) => (node.getAttribute("aria-label") ?? node.textContent) === label);
  same?.focus();
}
