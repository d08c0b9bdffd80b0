// The player: holds the trace, the options and the clock, and lets one view at a time draw them.

import { Palette } from "../colours.js";
import { make, setText } from "../elements.js";
import { tellMoment } from "../lives.js";
import { prefersReducedMotion } from "../motion.js";
import { clamp, decimals } from "../numbers.js";
import { BarsView } from "./bars.js";
import { Clock } from "./clock.js";
import { CurvesView } from "./curves.js";
import { Transport, Tools, viewsOf } from "./frame.js";
import { isAlone, toggleAlone } from "./hall.js";
import { ImageView } from "./image.js";
import { MapView } from "./map.js";
import { NetworkView } from "./network.js";
import { Panel } from "./panel.js";
import { PartsView } from "./parts.js";
import { Said, tellWritten } from "./said.js";
import { Sums } from "./sums.js";
import { TableView } from "./table.js";
import { Units } from "./units.js";
import { Voice } from "./voice.js";

const SHARED = ["words", "view", "numbers", "relative"];
const REPORT_MS = 300;
const USUAL_SCREEN = 900; // pixels
const MARGIN = 24; // below a figure that is alone on the screen

export class Player {
  constructor(root, data, options, layout, tell) {
    Object.assign(this, { root, data, layout, tell, options: { ...options }, pointed: null, pinned: null, version: 0 });
    if (this.options.head !== null && this.options.head >= data.heads.length) this.options.head = null;
    if (!viewsOf(this).some(([view]) => view === this.options.view)) this.options.view = "map";
    this.palette = new Palette(root);
    this.units = new Units(data, this.options, layout.plain);
    this.writesPieces = data.units[0] === "pieces" && data.target.tokens.some((token) => token.startsWith(" "));
    this.clock = new Clock(this.units.target.length, layout, (kind) => this.moveTo(kind), (shared) => this.adopt(shared));
    this.clock.first = -this.readingSteps;
    this.voice = data.sound && layout.controls ? new Voice(this) : null;
    if (this.voice) this.clock.led = () => this.voice.position();
    this.build();
    this.start();
  }

  build() {
    this.stage = make("div", "stage");
    this.panel = new Panel(this);
    this.transport = new Transport(this);
    this.tools = new Tools(this);
    this.live = make("p", "visually-hidden", null, { "aria-live": "polite" });
    this.below = make("div", "below");
    this.sums = this.data.map && this.layout.tools ? new Sums(this) : null;
    this.said = this.data.said ? new Said(this.data) : null;
    this.frame = make("div", "player", null, { role: "group", tabindex: "0", "aria-label": this.data.title || "Attention player" });
    this.frame.dataset.kind = this.data.kind;
    if (this.data.title) this.frame.append(this.heading());
    if (this.said) this.frame.append(this.said.node);
    this.frame.append(this.stage);
    if (this.data.diverges !== null && this.data.diverges !== undefined) this.frame.append(make("p", "parting-note", "first token that parts"));
    const origins = this.origins();
    if (origins) this.frame.append(origins);
    this.frame.classList.toggle("plain", Boolean(this.layout.plain));
    if (this.layout.controls) this.frame.append(this.transport.node, ...(this.layout.tools ? [this.tools.node] : []));
    this.frame.append(this.below, this.live);
    this.frame.onkeydown = (event) => this.key(event);
    this.showView();
    this.root.replaceChildren(this.frame);
  }

  heading() {
    const title = make("p", "player-title", this.data.title);
    if (this.data.said?.note) title.append(make("span", "title-note", this.data.said.note));
    return title;
  }

  // How a token came to stand there, where not all of them are the model's own.
  origins() {
    const { target } = this.units;
    const kinds = [["given", "given to go on from"], ["forced", "forced by a person"], ["copied", "copied, more than half"]].filter(([kind]) => target.some((unit) => unit[kind]));
    const rings = this.data.kind === "image" ? [] : this.data.marks.filter((mark) => mark.position);
    if (!kinds.length && !rings.length) return null;
    const note = make("p", "origins");
    for (const [kind, text] of kinds) note.append(sample(kind, "word", text));
    if (kinds.length && !target.every((unit) => unit.given || unit.forced || unit.copied)) note.append(sample("", "word", "the model's own"));
    for (const { name } of rings) note.append(sample("ring", "", name));
    return note;
  }

  start() {
    const { clock, options, layout } = this;
    clock.speed = options.speed;
    if (!clock.playing) {
      const place = this.placeOf(options);
      if (place !== null && !clock.follows) clock.position = clamp(place, clock.first, clock.end);
      else if (!clock.follows && layout.autoplay && !prefersReducedMotion()) return clock.restart();
    }
    return this.moveTo("start");
  }

  showView() {
    const choice = { table: TableView, network: NetworkView }[this.options.view] ?? { text: this.options.view === "curves" ? CurvesView : MapView, none: BarsView, image: ImageView, several: PartsView }[this.data.kind];
    this.pointed = this.pinned = null;
    this.view = new choice(this);
    const side = make("div", "side");
    if (this.view.aside) side.append(this.view.aside);
    if (this.layout.panel) side.append(this.panel.node);
    this.stage.replaceChildren(this.view.node, ...(side.childElementCount ? [side] : []));
    this.stage.classList.toggle("alone", side.childElementCount === 0);
    this.below.replaceChildren(...[this.view.below, this.sums?.node].filter(Boolean));
    this.frame.classList.toggle("exploring", this.exploring);
  }

  // The page draws this view; here only the controls stay.
  get exploring() {
    return this.options.view === "explore";
  }

  // Called when the width or the theme has changed, and after every change of view.
  arrange() {
    const width = this.frame.clientWidth;
    if (width === 0) return;
    this.frame.classList.toggle("narrow", width < 700);
    this.alone = isAlone(this.root);
    this.frame.classList.toggle("alone-on-screen", this.alone);
    this.version += 1;
    this.tools.update();
    this.tools.offerFit(false);
    if (this.exploring) return;
    this.view.layout(this.view.node.clientWidth, this.height());
    this.draw();
  }

  // What a page gives on a screen of 900 pixels: less on a projector of 720 and where the page is zoomed, more on a large one.
  height() {
    if (this.alone) return Math.max(200, window.innerHeight - (this.frame.offsetHeight - this.stage.offsetHeight) - this.frame.getBoundingClientRect().top - MARGIN);
    return Math.round(this.layout.height * clamp(window.innerHeight / USUAL_SCREEN, 0.5, 1.5));
  }

  recolor() {
    this.palette = new Palette(this.root);
    this.view.shades = [];
    this.arrange();
  }

  // What the mouse rests on, else what was clicked last.
  get hover() {
    return this.pointed ?? this.pinned;
  }

  get current() {
    return this.clock.shown - 1;
  }

  // A letter of the equations that someone points at.
  light(where) {
    this.lives = where;
    this.view.light?.(where);
  }

  // A state's letter in the drawing, which has the letters of the equations beside it.
  letter(name) {
    return this.layout.letters?.["hsc".indexOf(name)] ?? name;
  }

  // The source position that the encoder is at; null: all is read.
  get reading() {
    const { clock } = this;
    return clock.at < 0 && clock.at > clock.first ? clock.at - clock.first - 1 : null;
  }

  // With `layout.reads` the time begins before the first token: a step for each word of a text, and one at which all is read.
  get readingSteps() {
    const text = this.layout.reads && this.data.kind === "text";
    return text ? this.units.source.length + 1 : 0;
  }

  // Where a link's step and word are in time; null: at the end.
  placeOf({ step, read }) {
    return step === 0 && read !== null && read !== undefined ? Math.min(0, this.clock.first + read) : step;
  }

  get focusRow() {
    return this.hover && this.hover.row !== null ? this.hover.row : this.current;
  }

  cursorColumn() {
    return this.data.map && this.focusRow >= 0 ? this.units.strongest(this.focusRow)[0] : null;
  }

  moveTo(kind) {
    if (!this.view) return;
    this.voice?.moved(kind);
    this.moved = kind !== "follow" || this.clock.playing;
    if (kind !== "tick" && kind !== "follow") this.pointed = null;
    if (this.pinned?.shown !== this.clock.shown) this.pinned = null;
    this.draw();
    this.moved = false;
    if (kind === "seek" || kind === "end") this.report();
    if (kind === "seek" && this.current >= 0) setText(this.live, this.sentence(this.current));
    else if (kind === "seek" && this.reading !== null) setText(this.live, `Reads ${this.units.source[this.reading].label}`);
  }

  draw() {
    if (this.layout.reads) this.showMoment();
    if (this.exploring) return;
    this.view.paint();
    this.panel.update(this.focusRow);
    this.transport.update();
    this.sums?.update();
    this.showWritten();
    this.frame.classList.toggle("fast", this.clock.pace * this.clock.speed > 4);
  }

  showWritten() {
    const written = this.current < 0 ? 0 : this.units.target[this.current].end;
    if (written === this.written) return;
    this.written = written;
    this.said?.show(written);
    tellWritten(this.data.target, written);
  }

  // For equations beside it: the token that is said, or read.
  showMoment() {
    const { current, reading, units } = this;
    const [kind, at] = current >= 0 ? ["step", units.target[current].start] : ["read", reading === null ? null : units.source[reading].start];
    if (this.told === `${kind} ${at}`) return;
    this.told = `${kind} ${at}`;
    tellMoment({ [kind]: at });
  }

  tellAgain() {
    this.written = this.told = null;
    this.showWritten();
    if (this.layout.reads) this.showMoment();
  }

  // What a picture of this moment depends on: while this stays the same nothing has to be drawn.
  moment() {
    const { clock, hover, version } = this;
    return [clock.at, clock.progress, hover?.row, hover?.column, version].join();
  }

  // Steps are counted in what is shown: words or pieces, and likewise for letters.
  stepName(row) {
    const [fine, coarse] = this.data.row_units;
    const name = this.options.words ? coarse : fine;
    return `${name.charAt(0).toUpperCase()}${name.slice(1, -1)} ${row + 1}`;
  }

  sentence(row) {
    const unit = this.units.target[row].label;
    const { given, forced, copied } = this.units.target[row];
    const said = `${this.stepName(row)}: ${unit}${given ? ", given," : forced ? ", forced," : copied ? ", copied," : ""}`;
    const looks = this.units.seen().map((part) => {
      const column = this.units.strongest(row, part)[0];
      const where = this.units.parts.length > 1 ? ` in the ${this.units.parts[part].name}` : "";
      return `at ${this.units.source[column].label}${where}, ${decimals(this.units.weight(row, column))}`;
    });
    return looks.length ? `${said} looks most ${looks.join(", and ")}` : said.replace(/,$/, "");
  }

  hoverAt(place) {
    const before = this.pointed;
    const same = place === before || (place && before && place.row === before.row && place.column === before.column);
    if (same) return;
    this.pointed = place;
    this.look();
  }

  look() {
    this.view.paint();
    this.panel.update(this.focusRow);
  }

  // A click goes there and stays: the step is set, and a column stays lit until the time moves or something else is clicked.
  choose(row, column) {
    if (row !== null && row >= 0) this.clock.seek(row + 1);
    if (row !== null && row >= 0) this.voice?.say(row);
    this.pinned = { row, column, shown: this.clock.shown };
    this.look();
    this.say(row, column);
  }

  // One of the layout's actions, for the step that is seen.
  act(name) {
    this.say(this.focusRow, null, name);
  }

  say(row, column, act = "") {
    const node = row === null || row < 0 ? null : this.data.steps[this.units.target[row].start].node;
    const source = column === null ? null : this.units.source[column].start;
    if (node !== null || source !== null) this.tell.click({ node, source, act });
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || (event.shiftKey && event.key.startsWith("Page"))) return; // a lecture's own keys
    const { clock } = this;
    const within = event.target.tagName;
    if (within === "SELECT" || (within === "INPUT" && event.target !== this.transport.scrub)) return;
    const moves = {
      ArrowLeft: () => clock.seek(clock.at - 1), ArrowRight: () => clock.seek(Math.floor(clock.position) + 1),
      PageUp: () => clock.seek(clock.at - 1), PageDown: () => clock.seek(Math.floor(clock.position) + 1), f: () => toggleAlone(this.root), F: () => toggleAlone(this.root),
      Home: () => clock.seek(clock.first), End: () => clock.seek(clock.end),
    };
    if (event.key === " " && (within !== "BUTTON" || event.target.classList.contains("token"))) moves[" "] = () => clock.toggle();
    if (!moves[event.key]) return;
    event.preventDefault();
    moves[event.key]();
  }

  // A person's change of an option: the group follows, Python hears of it later.
  set(name, value) {
    this.apply(name, value);
    if (SHARED.includes(name)) this.clock.share({ [name]: value });
    this.report();
  }

  adopt(shared) {
    for (const [name, value] of Object.entries(shared)) {
      const known = name !== "view" || viewsOf(this).some(([view]) => view === value);
      if (known && this.options[name] !== value) this.apply(name, value);
    }
  }

  apply(name, value) {
    if (this.options[name] === value) return;
    this.options[name] = value;
    if (name === "speed") this.clock.setSpeed(value);
    if (name === "words" || name === "head") this.regroup();
    if (name === "view") this.showView();
    this.tools.update();
    this.arrange();
  }

  regroup() {
    const atEnd = this.clock.position >= this.clock.length;
    const token = this.current >= 0 ? this.units.target[this.current].end - 1 : -1;
    this.units = new Units(this.data, this.options, this.layout.plain);
    const row = token < 0 ? 0 : this.units.rowOf(token) + 1;
    this.clock.stop();
    this.clock.first = -this.readingSteps;
    this.clock.setLength(this.units.target.length, atEnd ? this.units.target.length : row);
    this.pointed = this.pinned = null;
    this.view.fill();
  }

  // Not while playing: then the change waits for the pause. Only the player a person touched reports.
  report() {
    clearTimeout(this.timer);
    this.untold = true;
    this.timer = setTimeout(() => {
      if (this.clock.playing) return;
      this.untold = false;
      this.tell.options({ ...this.options, speed: this.clock.speed, ...this.placeNow() });
    }, REPORT_MS);
  }

  placeNow() {
    const { clock } = this;
    return { step: clock.position >= clock.end ? null : clock.shown, read: clock.at < 0 ? clock.at - clock.first : null };
  }

  close() {
    clearTimeout(this.timer);
    this.voice?.close();
    this.clock.close();
  }
}

// One entry of a legend: how it looks, and what that means.
function sample(kind, word, text) {
  const node = make("span", "entry");
  node.append(make("span", `sample ${kind}`, word), text);
  return node;
}
