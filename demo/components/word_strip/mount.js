// Strips of words coloured by log-probability; the chosen word opens the distribution at its place. Everything is set as text.

import { make } from "../elements.js";

const strips = new WeakMap();

const both = ([light, dark]) => `light-dark(${light}, ${dark})`;
const choices = (entropy) => (2 ** entropy < 10 ? (2 ** entropy).toFixed(1) : Math.round(2 ** entropy).toLocaleString("en"));
const bits = (value) => `${value.toFixed(1)} bit`;

// What is drawn for one word: with its numbers under each other, as the names to the left of the first line say.
function wordButton(unit, most, entropy) {
  const word = make("button", "word", null, {
    type: "button", tabindex: "-1",
    "aria-label": `${unit.text}: probability ${unit.p}, log-probability ${unit.log}, entropy before it ${bits(unit.entropy)}`,
  });
  const text = make("span", unit.special ? "word-text special" : "word-text", unit.text);
  text.dir = "auto";
  text.style.background = both(unit.colors);
  text.style.color = both(unit.inks);
  word.append(text, make("span", "word-p", unit.p));
  if (!entropy) return word;
  const room = make("span", "word-room");
  const bar = make("span");
  bar.style.height = `${(100 * unit.entropy) / most}%`;
  room.append(bar);
  word.append(make("span", "word-log", unit.log), room, make("span", "word-bits", unit.entropy.toFixed(1)));
  return word;
}

function rowNames() {
  const names = make("li", "names", null, { "aria-hidden": "true" });
  const rows = [["word-text", "x"], ["word-p", "p"], ["word-log", "log p"], ["word-room", ""], ["word-bits", "entropy, bit"]];
  names.append(...rows.map(([kind, text]) => make("span", kind, text)));
  return names;
}

function legend(scale) {
  const node = make("div", "scale");
  const bar = make("div", "scale-bar");
  const colors = make("div", "scale-colors");
  const stops = scale.light.map((light, i) => both([light, scale.dark[i]]));
  colors.style.background = `linear-gradient(to right, ${stops.join(", ")})`;
  const ticks = make("div", "scale-ticks");
  for (const [name, at] of scale.ticks) {
    const tick = make("span", "", name);
    tick.style.left = `${100 * at}%`;
    ticks.append(tick);
  }
  bar.append(colors, ticks);
  node.append(make("span", "", "colour: log p, at p ="), bar);
  return node;
}

function fact(name, value) {
  const pair = make("div");
  pair.append(make("dt", "", name), make("dd", "", value));
  return pair;
}

function candidate([token, p, shown], actual) {
  const row = make("li", actual ? "actual" : "");
  const bar = make("span", "place-bar");
  const fill = make("span");
  fill.style.width = `${100 * p}%`;
  bar.append(fill);
  const name = make("span", "place-token", token);
  name.dir = "auto";
  row.append(name, bar, make("span", "place-p", shown));
  return row;
}

// The distribution that the first piece of the chosen word was read from.
function place(track, unit, many) {
  const node = make("section", "place");
  if (many) node.append(make("h3", "", track.name));
  const list = make("ol", "", null, { "aria-label": "Most probable pieces" });
  const within = unit.rank <= unit.top.length;
  unit.top.forEach((each, i) => list.append(candidate(each, i + 1 === unit.rank)));
  const [piece, p] = unit.pieces[0];
  if (!within) list.append(candidate([piece, 0, p], true));
  const facts = make("dl", "facts");
  facts.append(fact("place among all pieces", `${unit.rank.toLocaleString("en")} of ${track.size.toLocaleString("en")}`));
  facts.append(fact("entropy", many ? bits(unit.entropy) : `${bits(unit.entropy)}: as open as ${choices(unit.entropy)} equally likely pieces`));
  if (unit.pieces.length > 1) facts.append(fact("the word", `${unit.pieces.map((each) => each.join(" ")).join("  \u00d7  ")}  =  ${unit.p}`));
  node.append(list, facts);
  return node;
}

class Strips {
  constructor(parent) {
    this.root = make("div", "strips");
    parent.append(this.root);
    this.observer = new ResizeObserver(() => this.root.classList.toggle("narrow", this.root.clientWidth < 720));
    this.observer.observe(this.root);
  }

  update(data) {
    const content = JSON.stringify(data.tracks) + data.entropy;
    if (content === this.content) return;
    this.content = content;
    this.data = data;
    const many = data.tracks.length > 1;
    this.root.classList.toggle("many", many);
    this.root.classList.toggle("single", !many);
    this.buttons = data.tracks.map((track) => track.units.map((unit) => wordButton(unit, track.most, data.entropy)));
    this.places = make("div", "places", null, { "aria-live": "polite" });
    this.root.replaceChildren(legend(data.scale), ...data.tracks.map((track, i) => this.strip(track, this.buttons[i], many)), this.places);
    this.choose(data.chosen);
  }

  strip(track, buttons, many) {
    const node = make("section", "track", null, { "aria-label": `Words and their probabilities${many ? `, ${track.name}` : ""}` });
    if (many) {
      const name = make("div", "track-name", track.name);
      name.append(make("span", "track-note", track.note));
      node.append(name);
    }
    const list = make("ol", "words");
    if (this.data.entropy) list.append(rowNames());
    buttons.forEach((button, i) => {
      const item = make("li");
      item.style.minWidth = `${Math.max(5, Math.min(16, [...track.units[i].text].length)) * 0.62 + 1}em`;
      item.append(button);
      button.onclick = () => this.take(track.units[i], many ? -1 : i);
      button.onkeydown = (event) => this.key(event, buttons, i, track);
      list.append(item);
    });
    node.append(list);
    return node;
  }

  key(event, buttons, i, track) {
    const to = { ArrowLeft: i - 1, ArrowRight: i + 1, Home: 0, End: buttons.length - 1 }[event.key];
    if (to === undefined || !buttons[to]) return;
    event.preventDefault();
    this.take(track.units[to], this.data.tracks.length > 1 ? -1 : to);
    buttons[to].focus();
  }

  // The last character of a word: where it begins depends on the vocabulary, which may give it the space before.
  take(unit, at) {
    const character = Math.max(unit.begin, unit.end - 1);
    this.choose(character, at);
    this.tell(character);
  }

  // Every strip opens the word that holds this character; the end sign stands behind the last. `known`: which, where that is known.
  choose(character, known = -1) {
    const { tracks } = this.data;
    const open = tracks.map((track) => {
      if (known >= 0) return known;
      const at = track.units.findIndex((unit) => unit.begin <= character && character < unit.end);
      return at < 0 ? track.units.length - 1 : at;
    });
    this.buttons.forEach((buttons, t) => buttons.forEach((button, i) => {
      button.setAttribute("aria-pressed", String(i === open[t]));
      button.tabIndex = i === open[t] ? 0 : -1;
    }));
    const { before } = tracks[0].units[open[0]];
    const title = make("h2", "", `What ${tracks.length > 1 ? "the models expect" : "the model expects"} ${before ? `after \u201c${before}\u201d` : "at the start"}`);
    this.places.replaceChildren(title, ...tracks.map((track, t) => place(track, track.units[open[t]], tracks.length > 1)));
  }
}

export default function mountStrips({ data, parentElement, setTriggerValue }) {
  let shown = strips.get(parentElement);
  if (!shown) {
    shown = new Strips(parentElement);
    strips.set(parentElement, shown);
  }
  shown.tell = (character) => setTriggerValue("choose", character);
  shown.update(data);
  return () => {
    shown.observer.disconnect();
    shown.root.remove();
    strips.delete(parentElement);
  };
}
