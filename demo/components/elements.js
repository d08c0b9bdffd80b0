// Elements for every component. Text reaches the page through textContent and attributes alone.

function make(tag, className = "", text = null, attributes = {}) {
  const node = document.createElement(tag);
  if (className) node.className = className;
  if (text !== null) node.textContent = text;
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  return node;
}

// A button at the end of a bar; `help` is shown to whoever rests on it.
function action(bar, name, help, act) {
  const button = make("button", "", name, { type: "button", title: help });
  button.onclick = () => act();
  bar.append(button);
  return button;
}

// One of several: `choices` are pairs of a value and its name, `group` keeps the buttons together.
function radios(className, label, group, choices, chosen, choose) {
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
