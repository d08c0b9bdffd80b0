// What a step of the network does, in one sentence: for everyone who reads it, and for whoever hears the page read out.

import { decimals, range } from "../numbers.js";
import { indexOf } from "./network_layout.js";

const quote = (text) => `\u201c${text}\u201d`;
const NUMBERS = ["no", "one", "two", "three"];

function layersOf(count) {
  return `${NUMBERS[count]} layer${count === 1 ? "" : "s"}`;
}

// What is drawn, once.
export function describe({ data, units }) {
  const { network } = data;
  const cell = network.body === "transformer" ? "Transformer" : network.cell.toUpperCase();
  const decoder = `a decoder (${cell}, ${layersOf(network.decoder_layers)}) that writes ${units.target.length} words one by one`;
  if (!units.parts.length) return `The network: ${decoder}.`;
  const reads = units.parts.map((part, i) => (data.parts[i].kind === "grid" ? `the ${part.end - part.first} cells of the ${part.name}` : `${part.end - part.first} words`));
  const ways = network.bidirectional && network.body === "recurrent" ? ", in both directions" : "";
  const link = { none: "the decoder begins with h_T, one vector for all of it", "every-step": "the decoder is given h_T, one vector for all of it, at every step" }[data.link];
  return `The network: an encoder reads ${reads.join(" and ")}${ways}; ${link ?? "attention leads from its states to the decoder"}; ${decoder}.`;
}

// The encoder at a position.
export function saysRead(player, column) {
  const { units, data } = player;
  const letter = player.letter("h");
  const { network } = data;
  const { label, start, end } = units.source[column];
  const h = `${letter}${indexOf(start, end)}`;
  if (network.body === "transformer") return `${h}: ${quote(label)} looks at every word of the source, layer by layer.`;
  const before = start > 0 ? ` and ${letter}${indexOf(start - 1, start)}` : ", and nothing before it";
  const count = units.source.at(-1).end;
  const back = network.bidirectional ? (end < count ? `; the other direction has come to it from ${letter}${indexOf(end, end + 1)}` : "; the other direction begins here") : "";
  return `${h} is made of ${quote(label)}${before}${back}.`;
}

// The decoder at a step.
export function saysStep(player, row) {
  const { units, data } = player;
  const { network } = data;
  const unit = units.target[row];
  const state = (start, end) => `${player.letter("s")}${indexOf(start, end)}`;
  const [s, before] = [state(unit.start, unit.end), row ? state(units.target[row - 1].end - 1, units.target[row - 1].end) : state(-1, 0)];
  const input = row ? quote(units.target[row - 1].label) : "the start sign";
  const said = `${quote(unit.label)} (${decimals(Math.exp(units.step(row).logprob))})`;
  const says = unit.given ? `is given ${said}` : unit.special ? `ends the output (${decimals(Math.exp(units.step(row).logprob))})` : `says ${said}`;
  if (network.body === "transformer") return `${s} looks at all that is said so far, from the start sign to ${input}, and in the source most at ${places(player, row)}; it ${says}.`;
  if (!data.map) {
    const whole = `${player.letter("h")}_T`;
    const first = row === 0 && data.link ? `, which was made of ${whole},` : "";
    const again = data.link === "every-step" ? `, ${input} and once more ${whole}` : ` and ${input}`;
    return `${s} comes from ${before}${first}${again}; it ${says}.`;
  }
  const c = `${player.letter("c")}${indexOf(unit.start, unit.end)}`;
  if (network.wiring === "input") return `${before} looks most at ${places(player, row)}; what it finds, ${c}, goes into ${s} with ${input}, and ${s} ${says}.`;
  if (network.wiring === "state") {
    const old = row ? before.replace(player.letter("s"), player.letter("c")) : before;
    return `${s} comes from ${old} and ${input}; it looks most at ${places(player, row)}, and what it finds, ${c}, takes its place and ${says}.`;
  }
  return `${s} comes from ${before} and ${input}; it looks most at ${places(player, row)}, and together with what it finds, ${c}, it ${says}.`;
}

function places({ units, data }, row) {
  const name = (column) => (data.parts[units.source[column].part].kind === "grid" ? units.source[column].label : quote(units.source[column].label));
  const glimpse = data.network.attention === "hard" ? data.marks.find((mark) => mark.position) : null;
  if (glimpse) {
    const column = units.columnOf(units.mark(glimpse, row));
    if (column >= 0) return `${name(column)} alone`;
  }
  return units.seen().map((part) => {
    const strong = units.strongest(row, part).filter((column, i) => i === 0 || units.weight(row, column) >= 0.1).slice(0, 2);
    return strong.map((column) => `${name(column)} (${decimals(units.weight(row, column))})`).join(" and ");
  }).join(", ");
}

// What several columns hold that are folded into one.
export function foldTitle(list, { from, to }) {
  return range(to - from).map((i) => list[from + i].label).join(" ");
}
