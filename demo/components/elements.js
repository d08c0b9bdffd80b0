// Elements for every component. Text reaches the page through textContent and attributes alone.

export function make(tag, className = "", text = null, attributes = {}) {
  const node = document.createElement(tag);
  if (className) node.className = className;
  if (text !== null) node.textContent = text;
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  return node;
}

// A button at the end of a bar; `help` is shown to whoever rests on it.
export function action(bar, name, help, act) {
  const button = make("button", "", name, { type: "button", title: help });
  button.onclick = () => act();
  bar.append(button);
  return button;
}

// One of several: `choices` are pairs of a value and its name, `group` keeps the buttons together.
export function radios(className, label, group, choices, chosen, choose) {
  const box = make("div", className, null, { role: "radiogroup", "aria-label": label });
  for (const [value, name] of choices) {
    const line = make("label");
    const input = make("input", "", null, { type: "radio", name: group });
    input.checked = value === chosen;
    input.onchange = () => choose(value);
    line.append(input, name);
    box.append(line);
  }
  return box;
}

// What was pressed may be drawn anew before it is let go: the browser makes no click of that, so what stands there now is clicked.
export function keepClicks(root) {
  let pressed = null;
  root.addEventListener("pointerdown", ({ target }) => (pressed = target));
  root.addEventListener("pointerup", ({ clientX, clientY }) => {
    const gone = pressed && !pressed.isConnected;
    pressed = null;
    const there = gone ? root.getRootNode().elementFromPoint(clientX, clientY) : null;
    if (root.contains(there)) there.dispatchEvent(new MouseEvent("click", { bubbles: true, composed: true, detail: 1, clientX, clientY }));
  });
}

export function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

// How long an edited row holds: both editors ask it alike.
export function reachChoice(className, onward, choose) {
  return radios(className, "How long the row holds", className, [[false, "this step only"], [true, "from here on"]], onward, choose);
}
