// The controls around the picture: the transport (play, scrub, speed) and the tools (view, units, colours).

import { css } from "../colours.js";
import { make, setText } from "../elements.js";
import { prefersReducedMotion } from "../motion.js";
import { range, decimals } from "../numbers.js";
import { SPEEDS } from "./clock.js";
import { toggleAlone } from "./hall.js";
import { HEAT } from "./image.js";
import { hasGroups } from "./units.js";

function iconButton(icon, label, onPress) {
  const button = make("button", "icon-button", null, { type: "button", "aria-label": label, title: label });
  button.append(make("span", `icon icon-${icon}`));
  button.onclick = onPress;
  return button;
}

export class Transport {
  constructor(player) {
    this.clock = player.clock;
    const clock = this.clock;
    this.node = make("div", "transport", null, { role: "group", "aria-label": "Playback" });
    this.play = iconButton("play", "Play", () => clock.toggle());
    this.play.classList.add("play");
    this.scrub = make("input", "scrub", null, { type: "range", step: "any", "aria-label": "Step" });
    this.scrub.oninput = () => clock.seek(Number(this.scrub.value));
    this.count = make("span", "count");
    this.speed = make("select", "speed", null, { "aria-label": "Speed", title: "Speed" });
    for (const speed of SPEEDS) this.speed.append(make("option", "", `${speed}\u00d7`, { value: String(speed) }));
    this.speed.onchange = () => player.set("speed", Number(this.speed.value));
    this.node.append(
      iconButton("first", "To the beginning (Home)", () => clock.seek(clock.first)),
      iconButton("back", "One step back (left arrow)", () => clock.seek(clock.at - 1)),
      this.play,
      iconButton("forward", "One step forward (right arrow)", () => clock.seek(clock.at + 1)),
      iconButton("last", "To the end (End)", () => clock.seek(clock.end)),
      this.scrub, this.count, this.speed,
      iconButton("alone", "The figure alone on the full screen (F), and back (Esc)", () => toggleAlone(player.root)),
    );
  }

  update() {
    const { clock } = this;
    const end = clock.end;
    const shown = Math.ceil(Math.min(clock.position, end));
    const state = clock.playing ? "pause" : clock.position >= end ? "replay" : "play";
    if (this.state !== state) {
      this.state = state;
      const label = { pause: "Pause", replay: "Replay", play: "Play" }[state];
      this.play.firstChild.className = `icon icon-${state}`;
      this.play.setAttribute("aria-label", label);
      this.play.title = `${label} (space)`;
    }
    if (this.scrub.max !== String(end) || this.scrub.min !== String(clock.first)) [this.scrub.min, this.scrub.max] = [String(clock.first), String(end)];
    this.scrub.value = String(prefersReducedMotion() ? shown : clock.position);
    this.scrub.style.setProperty("--done", `${end ? (100 * (clock.position - clock.first)) / (end - clock.first) : 0}%`);
    if (this.shown !== shown || this.end !== end) {
      [this.shown, this.end] = [shown, end];
      const read = `${shown - clock.first} / ${-clock.first - 1}`;
      this.scrub.setAttribute("aria-valuetext", shown < 0 ? `word ${read.replace("/", "of")} is read` : `step ${shown} of ${end}`);
      setText(this.count, shown < 0 ? `reads ${read}` : `${shown} / ${end}`);
    }
    if (this.speed.value !== String(clock.speed)) this.speed.value = String(clock.speed);
  }
}

function segmented(player, name, label, choices) {
  const group = make("div", "segmented", null, { role: "group", "aria-label": label });
  const buttons = choices.map(([value, text]) => {
    const button = make("button", "", text, { type: "button" });
    button.onclick = () => player.set(name, value);
    group.append(button);
    return [value, button];
  });
  const update = () => buttons.forEach(([value, button]) => button.setAttribute("aria-pressed", String(player.options[name] === value)));
  return { node: group, update };
}

function checkbox(player, name, label, hint) {
  const node = make("label", "check", null, { title: hint });
  const input = make("input", "", null, { type: "checkbox" });
  input.onchange = () => player.set(name, input.checked);
  node.append(input, make("span", "", label));
  return { node, update: () => (input.checked = player.options[name]) };
}

function chooser(player, name, label, choices) {
  const node = make("select", "", null, { "aria-label": label, title: label });
  choices.forEach(([, text], i) => node.append(make("option", "", text, { value: String(i) })));
  node.onchange = () => player.set(name, choices[Number(node.value)][0]);
  return { node, update: () => (node.value = String(Math.max(0, choices.findIndex(([value]) => value === player.options[name])))) };
}

function slider(player, name, label) {
  const node = make("label", "slider");
  const input = make("input", "", null, { type: "range", min: "0", max: "1", step: "0.05" });
  input.oninput = () => player.set(name, Number(input.value));
  node.append(make("span", "", label), input);
  return { node, update: () => (input.value = String(player.options[name])) };
}

function namesOf(data, kind) {
  return data.parts.filter((part) => part.kind === kind).map((part) => part.name).join(", ");
}

function legend(player) {
  const node = make("div", "legend");
  const [low, bar, high, note] = [make("span", "", "0"), make("span", "ramp"), make("span"), make("span", "note")];
  node.append(note, low, bar, high);
  const update = () => {
    const relative = player.options.relative;
    bar.style.background = player.palette.gradient("to right");
    setText(high, relative ? "row's largest" : "1");
    setText(note, player.data.kind === "several" ? namesOf(player.data, "text") : "attention");
  };
  return { node, update };
}

// On a photo the weights are shown relative to the word's largest: spread over the whole grid they would be too faint.
function photoLegend(player) {
  const grid = player.data.parts.findIndex((part) => part.kind === "grid");
  const node = make("div", "legend");
  const [bar, high] = [make("span", "ramp"), make("span")];
  node.append(make("span", "note", player.data.kind === "several" ? namesOf(player.data, "grid") : "attention"), make("span", "", "0"), bar, high);
  const update = () => {
    bar.style.background = player.options.paint === "heat" && !player.data.parts[0].film ? `linear-gradient(to right, #c8c8c8, ${css(HEAT)})` : "linear-gradient(to right, #101014, #fff)";
  };
  const follow = (row) => setText(high, row < 0 ? "word's largest" : `${decimals(player.units.most(row, grid), 3)}, the word's largest`);
  return { node, update, follow };
}

const VIEWS = {
  text: [["map", "Map"], ["curves", "Curves"], ["network", "Network"], ["table", "Table"]],
  none: [["map", "Bars"], ["curves", "Text"], ["network", "Network"], ["table", "Table"]],
  image: [["map", "Photo"], ["network", "Network"], ["table", "Table"]],
  several: [["map", "Parts"], ["network", "Network"], ["table", "Table"]],
};

// What the page itself draws stands last.
export function viewsOf({ data, layout }) {
  const views = VIEWS[data.kind].map(([view, name]) => [view, name === "Photo" ? (data.sound ? "Spectrogram" : data.parts[0]?.film ? "Film strip" : name) : name]);
  return layout.explore ? [...views, ["explore", "Explore"]] : views;
}

function sentenceCase(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

// An average is one over the heads of a part; where each part has but one head there is nothing to average.
function headChoices(data) {
  const several = data.parts.some((_, part) => data.heads.filter((head) => head.part === part).length > 1);
  const all = data.parts.length === 1 ? "All heads, averaged" : several ? "All heads, averaged in each part" : "All heads";
  const choices = data.heads.map(({ name, part }, k) => {
    const where = data.parts.length > 1 && name !== data.parts[part].name ? `, at the ${data.parts[part].name}` : "";
    return [k, sentenceCase(name) + where];
  });
  return [[null, all], ...choices];
}

function buildTools(player) {
  const { data } = player;
  const tools = [segmented(player, "view", "View", viewsOf(player))];
  if (hasGroups(data)) {
    const [fine, coarse] = data.units.map(sentenceCase);
    tools.push(segmented(player, "words", "Units", [[true, coarse], [false, fine]]));
  }
  if (data.heads.length > 1) tools.push({ ...chooser(player, "head", "Attention head", headChoices(data)), views: ["map", "curves", "network", "table"] });
  if (["image", "several"].includes(data.kind) && data.map) {
    const overlay = [
      ...(data.parts[0].film ? [] : [segmented(player, "paint", "Overlay", [["spotlight", "Spotlight"], ["heat", "Heat"]])]), slider(player, "strength", "Overlay"),
      checkbox(player, "grid", "Grid", "Show the cells of the grid"), photoLegend(player),
    ];
    tools.push(...overlay.map((tool) => ({ ...tool, views: ["map"] })));
  }
  if (["text", "several"].includes(data.kind) && data.map) {
    tools.push({ ...checkbox(player, "numbers", "Numbers", "Show the weights in the cells"), views: ["map"] });
    tools.push({ ...chooser(player, "relative", "Colours", [[false, "Colours 0 to 1"], [true, "Colours per row"]]), views: ["map", "curves", "network"] });
    tools.push({ ...checkbox(player, "fit", "Whole map", "Show all of it, however small; Ctrl and the wheel zoom"), name: "fit" });
    tools.push({ ...legend(player), views: ["map", "curves", "network"] });
  }
  return tools;
}

export class Tools {
  constructor(player) {
    this.player = player;
    this.node = make("div", "tools");
    this.tools = buildTools(player);
    this.node.append(...this.tools.map((tool) => tool.node));
    this.fit = this.tools.find((tool) => tool.name === "fit");
  }

  update() {
    for (const tool of this.tools) tool.update();
    if (this.view === this.player.options.view) return;
    this.view = this.player.options.view;
    for (const tool of this.tools) if (tool.views) tool.node.hidden = !tool.views.includes(this.view);
  }

  follow(row) {
    for (const tool of this.tools) tool.follow?.(row);
  }

  offerFit(useful) {
    if (this.fit) this.fit.node.hidden = !useful;
  }
}
