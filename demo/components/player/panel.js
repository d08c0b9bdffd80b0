// Beside the picture: what the model had to choose from at the focused step, and what that step cost.

import { make, setText } from "../elements.js";
import { actionButtons } from "./tip.js";
import { range, decimals, probabilities, probability } from "../numbers.js";
import { inWords, visible } from "../text.js";

const LISTED = 6; // pieces of a word that are named

export class Panel {
  constructor(player) {
    this.player = player;
    this.node = make("section", "panel", null, { "aria-label": "The current step" });
    this.title = make("p", "panel-title");
    this.list = make("ul", "candidates", null, { "aria-label": "Most probable tokens" });
    this.note = make("p", "panel-note");
    this.said = make("span");
    this.note.append(this.said);
    this.numbers = make("dl", "numbers");
    const most = Math.max(0, ...player.data.steps.map((step) => step.candidates.length));
    this.rows = range(most).map(() => this.candidateRow());
    this.list.append(...this.rows.map((row) => row.node));
    this.values = {
      logprob: this.number("log p", "Natural logarithm of the probability of this token, given what came before"),
      total: this.number("total", "Sum of the log-probabilities up to here"),
      entropy: this.number("attention entropy", "0 bit: all weight on one position. The second number is that of equal weights."),
    };
    if (!player.data.map) this.values.entropy.parentElement.hidden = true;
    this.actions = actionButtons(this.player);
    this.node.append(this.title, this.list, this.actions, this.numbers, this.note);
  }

  candidateRow() {
    const node = make("li", "candidate");
    const [mark, token, bar] = [make("span", "mark"), make("span", "token-text"), make("span", "bar")];
    const [fill, value] = [make("span", "bar-fill"), make("span", "value")];
    token.dir = "auto";
    bar.append(fill);
    node.append(token, bar, value, mark);
    return { node, mark, token, fill, value };
  }

  number(label, hint) {
    const cell = make("div", "", null, { title: hint });
    const value = make("dd");
    cell.append(make("dt", "", label), value);
    this.numbers.append(cell);
    return value;
  }

  update(row) {
    if (this.row === row && this.units === this.player.units) return;
    if (this.units !== this.player.units) this.keepRoom(this.player.units);
    [this.row, this.units] = [row, this.player.units];
    const whole = this.isWhole(row);
    this.player.tools.follow(whole ? -1 : row);
    this.list.setAttribute("aria-label", whole ? "Least probable words" : "Most probable tokens");
    if (row < 0) this.showNothing();
    else if (whole) this.showWhole(row);
    else this.showStep(row, this.units.step(row));
  }

  // A step without a note leaves the room of the longest: else the buttons below would move as it plays.
  keepRoom(units) {
    const notes = units.target.map((unit, row) => this.noteOf(unit, units.step(row)));
    this.note.dataset.room = notes.reduce((longest, note) => (note.length > longest.length ? note : longest), "");
  }

  // A word of several pieces: how likely each was.
  noteOf(unit, { pieces }) {
    if (pieces.length < 2) return "";
    const texts = this.player.data.target.tokens;
    const rest = pieces.length - LISTED;
    const list = pieces.slice(0, LISTED).map((piece, i) => `${visible(texts[unit.start + i].trim())} ${probability(Math.exp(piece.logprob))}`);
    return `The bars are for the first of ${pieces.length}: ${list.join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`;
  }

  showNothing() {
    setText(this.title, this.player.clock.at < 0 ? "The source is being read" : this.player.data.kind === "none" ? "Nothing written yet" : "The source is read; nothing written yet");
    setText(this.said, "");
    this.actions.style.visibility = "hidden";
    for (const value of Object.values(this.values)) setText(value, "\u2013");
    for (const { node } of this.rows) node.style.visibility = "hidden";
  }

  // A picture that is described is seen whole at its end, and nobody looks for the end sign there.
  isWhole(row) {
    const { target } = this.units;
    return this.player.data.kind === "image" && row > 0 && row === target.length - 1 && Boolean(target[row].special);
  }

  showWhole(row) {
    const own = this.units.target.map((unit, i) => [` ${unit.label}`, Math.exp(this.units.step(i).logprob), unit]).filter(([, , unit]) => !unit.special && !unit.given && !unit.forced);
    const unsure = own.sort(([, one], [, other]) => one - other).slice(0, this.rows.length);
    const chances = probabilities(unsure.map(([, chance]) => chance));
    setText(this.title, unsure.length ? "All is written; it was least sure of" : "All is written");
    this.title.title = "";
    setText(this.said, "");
    this.actions.style.visibility = "hidden";
    this.rows.forEach((parts, i) => this.showCandidate(parts, unsure[i], chances[i], false, ""));
    for (const value of Object.values(this.values)) setText(value, "\u2013");
    setText(this.values.total, decimals(this.units.step(row).total));
  }

  showStep(row, step) {
    setText(this.title, `${this.player.stepName(row)}${this.context(this.units.target[row].start)}`);
    this.title.title = this.title.textContent;
    this.actions.style.visibility = "";
    setText(this.said, this.noteOf(this.units.target[row], step));
    const chances = probabilities(step.candidates.map(([, chance]) => chance));
    this.rows.forEach((parts, i) => this.showCandidate(parts, step.candidates[i], chances[i], i === step.chosen, this.units.target[row].given ? "given" : step.forced ? "forced" : "chosen"));
    setText(this.values.logprob, decimals(step.logprob));
    setText(this.values.total, decimals(step.total));
    const parts = this.units.seen();
    const entropies = parts.map((part) => {
      const { name, first, end } = this.units.parts[part];
      return `${this.units.parts.length > 1 ? `${name} ` : ""}${decimals(this.units.entropy(row, part))} of ${decimals(Math.log2(end - first), 1)} bit`;
    });
    if (parts.length) setText(this.values.entropy, entropies.join("\n"));
  }

  // The last words before a step, as they are read.
  context(start) {
    const text = this.player.data.target.tokens.slice(0, start).join("").trim();
    const words = text.split(" ");
    const tail = words.length > 3 ? `\u2026 ${words.slice(-3).join(" ")}` : text;
    return start === 0 ? ": the first" : `: after \u201c${tail.length > 24 ? `\u2026${tail.slice(-22)}` : tail}\u201d`;
  }

  showCandidate({ node, mark, token, fill, value }, candidate, chance, chosen, how) {
    node.style.visibility = candidate ? "visible" : "hidden";
    if (!candidate) return;
    node.classList.toggle("chosen", chosen);
    setText(mark, chosen ? how : "");
    setText(token, candidateLabel(candidate[0], this.player.writesPieces, this.player.layout.plain));
    token.title = candidate[0];
    setText(value, chance);
    fill.style.transform = `scaleX(${candidate[1]})`;
  }
}

// A piece that goes on inside a word shows that it does.
function candidateLabel(text, pieces, plain) {
  if (plain && inWords(text) !== text) return inWords(text);
  const label = visible(text.trim() === "" ? text : text.trim());
  return pieces && !text.startsWith(" ") && /^[\p{L}\p{M}]/u.test(text) ? `\u00b7${label}` : label;
}
