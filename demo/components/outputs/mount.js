// Outputs as text and numbers. Everything is set as text; a chosen row is told to Python.

import { make } from "../elements.js";
import { ask } from "../lives.js";

const mounted = new WeakMap();
const LONG = 110; // letters of a line that is written smaller, so that it does not push away what stands below it
const WORDS = 20; // a value with more letters than this is a text: its column breaks into lines as the first one does

// How unsure the model was of a word: the last limit that its probability is below.
const UNSURE = [0.5, 0.2, 0.05];

function unsureOf(chances) {
  return chances.map(([begin, end, p]) => ({ begin, end, p, level: UNSURE.filter((limit) => p < limit).length })).filter(({ level }) => level);
}

function line({ text, figures, language, note, chances }) {
  const said = make("p", text ? "line-text" : "line-text empty", text || "(nothing)");
  said.classList.toggle("long", text.length > LONG);
  said.lang = language;
  said.dir = "auto";
  const numbers = make("dl", "figures");
  for (const [name, value, tip] of figures) {
    const pair = make("div", "figure");
    pair.title = tip;
    pair.append(make("dt", "", name), make("dd", "", value));
    numbers.append(pair);
  }
  const row = make("div", "line");
  row.setAttribute("role", "status");
  row.append(make("h2", "unseen", "Output")); // the player's own headings stand below it
  row.append(said);
  const unsure = unsureOf(chances);
  if (unsure.length) numbers.append(legend(text, unsure));
  if (numbers.childElementCount) row.append(numbers);
  return note ? [row, make("p", "note", note)] : [row];
}

// What the tint means, and for who cannot see it or wants the numbers, which words have it.
function legend(text, unsure) {
  const node = make("div", "figure");
  const named = unsure.map(({ begin, end, p }) => `\u201c${text.slice(begin, end)}\u201d ${p < 0.01 ? "below 0.01" : p.toFixed(2)}`).join(", ");
  node.title = `The stronger the colour, the less probable the word was to the model, after those before it: ${named}.`;
  node.append(make("dt", "", "unsure"), make("dd", "swatch"), make("dd", "unseen", named));
  return node;
}

// While a player of the same text plays, what it has not written yet is grey. The text itself stays as it is: a screen reader reads it once.
const written = { text: null, letters: 0 };
const grey = CSS.highlights ? new Highlight() : null;
if (grey) CSS.highlights.set("unwritten", grey);
window.addEventListener("attention-player-written", ({ detail }) => {
  Object.assign(written, detail);
  for (const place of lines) greyRest(place);
});
const lines = new Set();
const tints = CSS.highlights ? UNSURE.map(() => new Highlight()) : [];
tints.forEach((tint, i) => CSS.highlights.set(`unsure-${i + 1}`, tint));

function forget(place) {
  for (const range of place.tinted ?? []) tints.forEach((tint) => tint.delete(range));
  if (place.rest) grey?.delete(place.rest);
  place.tinted = [];
  place.rest = null;
}

function tint(place, chances) {
  const text = place.root.querySelector(".line-text")?.firstChild;
  if (!text || !tints.length) return;
  for (const { begin, end, level } of unsureOf(chances)) {
    if (end > text.length) continue;
    const range = new Range();
    range.setStart(text, begin);
    range.setEnd(text, end);
    tints[level - 1].add(range);
    place.tinted.push(range);
  }
}

function greyRest(place) {
  const text = place.root.querySelector(".line-text")?.firstChild;
  if (place.rest) grey?.delete(place.rest);
  place.rest = null;
  if (!grey || !text || text.data !== written.text || written.letters >= text.length) return;
  place.rest = new Range();
  place.rest.setStart(text, written.letters);
  place.rest.setEnd(text, text.length);
  grey.add(place.rest);
}

function isWords(data) {
  return data.columns.map((_, i) => data.rows.some((row) => row.values[i]?.length > WORDS));
}

function headings({ title, header, columns }, words, hasLead, hasShare) {
  const row = make("tr");
  if (hasLead) row.append(make("td", "lead"));
  const text = make("th", "text", header === title ? "" : header);
  if (header === title) text.append(make("h2", "title", title));
  row.append(text);
  if (hasShare) row.append(make("td", "share"));
  columns.forEach(([name, , tip], i) => {
    const cell = make("th", words[i] ? "text" : "", name);
    cell.scope = "col";
    cell.title = tip;
    row.append(cell);
  });
  const head = make("thead");
  head.append(row);
  return head;
}

function said(row, language, choose) {
  const text = make(choose ? "button" : "span", "said");
  text.lang = language;
  text.dir = "auto";
  const [before, marked, after] = row.parts;
  text.append(before);
  if (marked) text.append(make("mark", "", marked));
  text.append(after);
  if (!row.parts.join("")) text.textContent = "(nothing)";
  if (choose) {
    text.type = "button";
    text.setAttribute("aria-pressed", String(row.chosen));
  }
  return text;
}

function bar(share) {
  const cell = make("td", "share");
  const frame = make("span", "bar");
  const fill = make("span", "bar-fill");
  fill.style.width = `${Math.max(0, Math.min(1, share ?? 0)) * 100}%`;
  frame.append(fill);
  cell.append(frame);
  return cell;
}

function lead(row) {
  const cell = make("td", "lead", row.lead);
  if (row.colors) {
    cell.classList.add("variant");
    cell.style.setProperty("--variant", `light-dark(${row.colors.join()})`);
  }
  return cell;
}

// A value below 0 has an empty bar.
function smallBar(share) {
  const frame = make("span", "bar small");
  const fill = make("span", share < 0 ? "bar-fill below" : "bar-fill");
  fill.style.width = `${Math.min(1, Math.abs(share)) * 100}%`;
  frame.append(fill);
  return frame;
}

function tableRow(row, index, data, words, hasLead, hasShare) {
  const line = make("tr", row.chosen ? "chosen" : "");
  line.dataset.row = index;
  const text = make("td", "text");
  text.append(said(row, data.language, data.choose));
  if (hasLead) line.append(lead(row));
  line.append(text);
  if (hasShare) line.append(bar(row.share));
  row.values.forEach((value, i) => {
    const cell = make("td", words[i] ? "words" : "", value);
    if (Number.isFinite(row.bars?.[i])) cell.append(smallBar(row.bars[i]));
    line.append(cell);
  });
  return line;
}

function table(data, choose) {
  const hasLead = data.rows.some((row) => row.lead);
  const hasShare = data.rows.some((row) => row.share !== null);
  const words = isWords(data);
  const whole = make("table", `${data.choose ? "choosable" : ""} ${data.dense ? "dense" : ""}`.trim());
  const body = make("tbody");
  data.rows.forEach((row, index) => body.append(tableRow(row, index, data, words, hasLead, hasShare)));
  whole.append(headings(data, words, hasLead, hasShare), body);
  if (data.choose) {
    body.onclick = (event) => {
      const row = event.target.closest("tr");
      if (!row) return;
      for (const other of body.children) {
        other.classList.toggle("chosen", other === row);
        other.querySelector("button").setAttribute("aria-pressed", String(other === row));
      }
      choose(Number(row.dataset.row));
    };
  }
  const nodes = data.header === data.title ? [whole] : [make("h2", "title", data.title), whole];
  return data.note ? [...nodes, make("p", "note", data.note)] : nodes;
}

export default function mountOutputs({ data, parentElement, setTriggerValue }) {
  let place = mounted.get(parentElement);
  if (!place) {
    place = { root: make("div", "outputs"), content: null };
    parentElement.append(place.root);
    mounted.set(parentElement, place);
  }
  const content = JSON.stringify(data);
  place.choose = (row) => setTriggerValue("choose", row);
  if (content !== place.content) {
    const nodes = data.kind === "line" ? line(data) : table(data, (row) => place.choose(row));
    forget(place);
    place.root.replaceChildren(...nodes);
    place.content = content;
    if (data.kind === "line") {
      lines.add(place);
      tint(place, data.chances);
      ask();
      greyRest(place);
    }
  }
  return () => {
    lines.delete(place);
    forget(place);
  };
}
