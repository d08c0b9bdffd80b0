// What happens at one place: the gradient at everything the step computed, and the ways it came in by.

import { sizeCanvas } from "../canvas.js";
import { css } from "../colours.js";
import { make } from "../elements.js";
import { decimals, probability, range } from "../numbers.js";
import { drawStrip } from "../strip.js";
import { drawRows, indexed, measured, unpacked } from "./figures.js";

const NAMES = 104; // pixels, of the symbols before the pictures
const WAYS = {
  output: "its own output",
  query: "the query",
  "next state": "the next state",
  gate: "the gate of the context",
  "cell gate": "the gate into the cell",
  key: "the key",
  context: "the context",
  "first state": "the first state",
  "every input": "every input of the decoder",
};

const quoted = (token) => `\u201c${token}\u201d`;

export function headline(data, place) {
  const loss = data.of === null ? `L = ${decimals(data.loss)}` : `${indexed("L", data.of + 1)} = ${decimals(data.loss)}`;
  if (place.kind === "forward") return `Forwards: ${loss} nat. Play goes back from here.`;
  if (place.kind === "step") {
    const before = place.at ? `after ${quoted(data.target[place.at - 1])}` : "after the start sign";
    const counts = data.of === null || data.of === place.at;
    const said = `p = ${probability(data.chances[place.at])}${counts ? `, loss ${decimals(data.losses[place.at])} nat` : "; its own loss is left out"}`;
    return `${indexed(data.letters.s, place.at + 1)}: ${before}, ${quoted(data.target[place.at])} is right. ${said}`;
  }
  if (place.kind === "start") return `${indexed(data.letters.s, 0)}: the decoder\u2019s first state, made from the encoder\u2019s last`;
  if (place.kind === "source") return `${indexed(data.letters.h, place.at + 1)}: the encoder at ${quoted(data.source[place.at])}`;
  if (place.kind === "photo") return `${data.letters.h}: the cells of the photo, down to the features of the image network`;
  return "Update: every parameter moves a little against its gradient";
}

export function fillPanel(panel, journey) {
  const place = journey.data.places[journey.place];
  panel.replaceChildren();
  panel.className = `journey-panel ${place.kind}`;
  const [left, right] = [make("div", "journey-left"), make("div", "journey-right")];
  panel.append(left, right);
  const wide = journey.width >= 760;
  const { data, palette, rate, cell } = journey;
  const room = Math.floor(wide ? (journey.width - 32) / 2 : journey.width - 4) - NAMES; // of a picture in a row
  const page = { data, palette, rate, cell, room, place, chooseRate: (to) => journey.chooseRate(to), chooseCell: (to) => journey.chooseCell(to) };
  PLACES[place.kind](left, right, page, place.at);
}

// Where in the drawing above it stands; of a way, where what comes by it comes from. By the names of the columns.
function lives({ data, place: { kind, at } }, way = null) {
  const state = (number) => indexed(data.letters.s, number);
  const steps = range(data.target.length).map((t) => state(t + 1));
  const source = data.photo ? [data.letters.h] : range(data.source.length).map((j) => indexed(data.letters.h, j + 1));
  const here = { step: [steps[at]], start: [state(0)], source: [source[at]], photo: source }[kind] ?? [];
  const next = kind === "source" ? [source[at - 1], source[at + 1]] : [state(kind === "start" ? 1 : at + 2)];
  const from = { query: source, "next state": next, "cell gate": next, key: steps, context: steps, "first state": [state(0)], "every input": steps };
  return ((way && from[way]) ?? here).filter(Boolean).join(" ");
}

const PLACES = {
  forward(left, right, { data }) {
    tokenTable(left, ["right", "p", "\u2212log p"], data.target.map((token, t) => [token, probability(data.chances[t]), decimals(data.losses[t], 3)]));
    const sum = data.of === null ? `L = \u03a3 \u2212log p = ${decimals(data.loss, 3)} nat: all steps, summed.` : `Only ${indexed("L", data.of + 1)} = ${decimals(data.loss, 3)} nat goes back; the others are left out.`;
    note(right, sum);
    note(right, "Teacher forcing: each step was given the right word before it, whatever the model would have said.");
  },

  step(left, right, page, t) {
    const { data } = page;
    outputs(left, page, t);
    const look = data.looking;
    if (look) {
      vector(left, page, `\u2202L/\u2202${indexed(data.letters.c, t + 1)}`, "context", look.context[t]);
      attention(left, page, t);
      vector(right, page, `\u2202L/\u2202${indexed(data.letters.q, t + 1)}`, "query", look.queries[t]);
    }
    vector(right, page, `\u2202L/\u2202${indexed(data.letters.s, t + 1)}`, "state", data.decoder[t + 1]);
    ways(right, indexed(data.letters.s, t + 1), data.decoder[t + 1], page);
  },

  start(left, right, page) {
    const { data } = page;
    vector(left, page, `\u2202L/\u2202${indexed(data.letters.s, 0)}`, "first state", data.decoder[0]);
    ways(right, indexed(data.letters.s, 0), data.decoder[0], page);
  },

  source(left, right, page, j) {
    const { data } = page;
    const state = data.encoder[j];
    if (state.key) vector(left, page, `\u2202L/\u2202${indexed(data.letters.k, j + 1)}`, "key", state.key);
    vector(left, page, `\u2202L/\u2202${indexed(data.letters.h, j + 1)}`, "state", state);
    vector(left, page, `\u2202L/\u2202${indexed(data.letters.x, j + 1)}`, "embedding", state.given);
    ways(right, indexed(data.letters.h, j + 1), state, page);
  },

  photo(left, right, page) {
    const { data } = page;
    const cell = page.cell ?? data.encoder.reduce((best, state, j) => (state.norm > data.encoder[best].norm ? j : best), 0);
    photo(left, page, cell);
    note(left, `The less of a cell is seen, the less gradient reaches its features: at most ${measured(Math.max(...data.photo.norms))}. A click chooses a cell.`);
    ways(right, indexed(data.letters.h, cell + 1), data.encoder[cell], page);
    note(right, `At its features x arrives ${measured(data.photo.norms[cell])}. The image network itself does not learn.`);
  },

  update(left, right, page) {
    const { data } = page;
    const most = Math.max(...data.parts.map(([, norm]) => norm), 1e-30);
    heading(left, "Length of the gradient, part by part");
    data.parts.forEach(([name, norm]) => bar(left, name, norm / most, measured(norm)));
    bar(left, "all parameters", null, measured(data.length));
    rates(right, page);
  },
};

function heading(parent, text) {
  parent.append(make("h3", "journey-heading", text));
}

function note(parent, text) {
  parent.append(make("p", "journey-note", text));
}

function bar(parent, name, share, figure, className = "", where = "") {
  const row = make("div", `journey-bar ${className}`, null, where ? { "data-lives": where } : {});
  const room = make("span", "journey-bar-room");
  if (share !== null) {
    const fill = make("span", "journey-bar-fill");
    fill.style.width = `${Math.abs(share) * 50 * (row.className.includes("signed") ? 1 : 2)}%`;
    if (row.className.includes("signed")) fill.style[share < 0 ? "right" : "left"] = "50%";
    room.append(fill);
  }
  row.append(make("span", "journey-bar-name", name), room, make("span", "journey-figure", figure));
  parent.append(row);
}

// A symbol, what it is and its length, and a picture of it.
function row(parent, page, symbol, words, picture) {
  const made = make("div", "journey-row");
  const name = make("div", "journey-symbol", symbol, { "data-lives": lives(page), tabindex: "0" });
  words.forEach((line) => name.append(make("span", "journey-words", line)));
  const place = make("div", "journey-picture");
  place.append(picture);
  made.append(name, place);
  parent.append(made);
}

function vector(parent, page, symbol, words, vec) {
  const length = `\u2016\u00b7\u2016 ${measured(vec.norm)}`;
  const canvas = make("canvas", "", null, { role: "img", "aria-label": `${words}: length ${measured(vec.norm)}`, title: `${vec.size} numbers` });
  const box = make("div");
  box.append(canvas, make("div", "journey-first", `[${vec.first.map((value) => measured(value)).join(", ")}, \u2026]`));
  row(parent, page, symbol, [words, length], box);
  drawStrip(canvas, unpacked(vec.strip), page.palette, page.room);
}

// Under the source's words: the weights, and the gradient at them and at the scores; of each head.
function attention(parent, page, t) {
  const { looking, source, letters } = page.data;
  const rows = looking.rows[t].flatMap((weights, head) => {
    const named = looking.rows[t].length > 1 ? ` ${head + 1}` : "";
    return [
      { name: `${letters.α}${named}`, values: weights, signed: false },
      { name: `\u2202L/\u2202${letters.α}${named}`, values: looking.weights[t][head], signed: true },
      { name: `\u2202L/\u2202${letters.e}${named}`, values: looking.scores[t][head], signed: true },
    ];
  });
  const told = rows.map((each) => `${each.name}: ${each.values.map((value, j) => `${source[j]} ${measured(value)}`).join(", ")}`).join("; ");
  const canvas = make("canvas", "journey-attention", null, { role: "img", "aria-label": told, "data-lives": lives(page, "query") });
  parent.append(canvas);
  drawRows(canvas, rows, source, page.palette, page.room + NAMES);
}

function outputs(parent, page, t) {
  const box = make("div", "journey-outputs");
  const most = Math.max(...page.data.outputs[t].map(([, , gradient]) => Math.abs(gradient)), 1e-30);
  page.data.outputs[t].forEach(([token, chance, gradient], i) => {
    const name = `${token}${i === 0 ? " \u2190 right" : ""}`;
    bar(box, name, gradient / most, `${probability(chance)}${i === 0 ? " \u2212 1" : ""} = ${measured(gradient)}`, "signed");
  });
  const left_out = page.data.of !== null && page.data.of !== t;
  row(parent, page, `\u2202L/\u2202${indexed(page.data.letters.ℓ, t + 1)}`, ["output", left_out ? "not its loss" : "p \u2212 1, or p"], box);
}

function ways(parent, name, state, page) {
  heading(parent, `\u2202L/\u2202${name} comes in over`);
  const most = Math.max(...state.ways.map(([, share]) => Math.abs(share)), state.norm, 1e-30);
  state.ways.forEach(([way, share]) => bar(parent, WAYS[way] ?? way, share / most, measured(share), "signed", lives(page, way)));
  bar(parent, "sum", state.norm / most, measured(state.norm), "signed total");
  note(parent, `Along the direction of the whole, so that they add up; to the left: against the others. Their sum and autograd\u2019s gradient differ by at most ${measured(state.off)} in any of the ${state.size} numbers.`);
  if (page.data.remark) note(parent, page.data.remark);
}

function tokenTable(parent, names, rows) {
  const table = make("table", "journey-table");
  const head = make("tr");
  names.forEach((name) => head.append(make("th", "", name)));
  table.append(head);
  rows.forEach((cells) => {
    const line = make("tr");
    cells.forEach((cell) => line.append(make("td", "", cell)));
    table.append(line);
  });
  parent.append(table);
}

function rates(parent, page) {
  const { data } = page;
  const line = make("label", "journey-rate", "Learning rate \u03b7");
  const slider = make("input", "", null, { type: "range", min: "0", max: String(data.updates.length - 1), step: "1" });
  const said = make("output", "journey-figure");
  const box = make("div", "journey-right");
  const show = (rate) => {
    said.textContent = `\u03b7 = ${data.updates[rate].rate}`;
    slider.setAttribute("aria-valuetext", String(data.updates[rate].rate));
    box.replaceChildren();
    updated(box, data, data.updates[rate]);
  };
  slider.value = String(page.rate);
  slider.oninput = () => {
    page.chooseRate(Number(slider.value));
    show(Number(slider.value));
  };
  line.append(slider, said);
  parent.append(line, box);
  show(page.rate);
}

// The same pair, scored again.
function updated(box, data, chosen) {
  const after = data.of === null ? chosen.losses.reduce((sum, loss) => sum + loss, 0) : chosen.losses[data.of];
  heading(box, `L = ${decimals(data.loss, 3)} \u2192 ${decimals(after, 3)} nat`);
  const promised = measured(chosen.rate * data.length ** 2);
  note(box, `For a very small step it would fall by \u03b7\u2016\u2202L/\u2202\u03b8\u2016\u00b2 = ${promised}; it ${after <= data.loss ? "fell" : "rose"} by ${measured(Math.abs(data.loss - after))}.`);
  const rows = data.target.map((token, t) => [token, decimals(data.losses[t], 3), decimals(chosen.losses[t], 3), probability(Math.exp(-chosen.losses[t]))]);
  tokenTable(box, ["right", "\u2212log p before", "after", "p after"], rows);
  note(box, "\u03b8 \u2190 \u03b8 \u2212 \u03b7 \u2202L/\u2202\u03b8, on a copy: the model that everybody shares stays as it is.");
}

function photo(parent, page, cell) {
  const { data } = page;
  const { rows, columns: across, url, norms } = data.photo;
  const canvas = make("canvas", "journey-photo", null, { role: "img", "aria-label": "The photo, lit where the gradient arrives" });
  parent.append(canvas);
  const image = new Image();
  const side = Math.min(page.room + NAMES, 460);
  image.onload = () => {
    const height = Math.round((side * image.naturalHeight) / image.naturalWidth);
    const context = sizeCanvas(canvas, side, height);
    context.drawImage(image, 0, 0, side, height);
    const most = Math.max(...norms, 1e-30);
    const [w, h] = [side / across, height / rows];
    for (const j of range(norms.length)) {
      const [x, y] = [(j % across) * w, Math.floor(j / across) * h];
      context.fillStyle = css(page.palette.paper, 0.85 * (1 - norms[j] / most));
      context.fillRect(x, y, w + 0.5, h + 0.5);
      if (j !== cell) continue;
      Object.assign(context, { strokeStyle: css(page.palette.accent), lineWidth: 4 });
      context.strokeRect(x + 2, y + 2, w - 4, h - 4);
    }
  };
  image.src = url;
  canvas.onclick = (event) => page.chooseCell(Math.floor((event.offsetY / canvas.clientHeight) * rows) * across + Math.floor((event.offsetX / canvas.clientWidth) * across));
}
