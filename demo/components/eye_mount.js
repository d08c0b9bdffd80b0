// One painter per place on the page, made anew when its data are others; brush and focus stay.
const painters = new WeakMap();

export default function mountPainter({ data, parentElement, setTriggerValue }) {
  let place = painters.get(parentElement);
  if (!place) {
    place = { root: piece("div", "eye-painter"), id: null };
    parentElement.append(place.root);
    painters.set(parentElement, place);
  }
  place.tell = (change) => setTriggerValue("change", change);
  if (place.id !== data.id) {
    const focused = place.root.getRootNode().activeElement;
    const had = place.root.contains(focused) ? focused : null;
    const cell = place.painter?.buttons.indexOf(had) ?? -1;
    const brush = place.painter?.brush;
    const kind = data.kind === "row" ? RowPainter : EyePainter;
    place.painter?.close?.();
    place.painter = new kind(place.root, data, (change) => place.tell(change));
    place.id = data.id;
    if (brush) place.painter.hold(brush, cell);
    if (cell >= 0) place.painter.buttons[cell].focus();
    else if (had) [...place.root.querySelectorAll(".eye-actions button")].find((node) => node.textContent === had.textContent)?.focus();
  }
  return () => painters.delete(parentElement);
}
