// Time: a position from 0 (nothing shown) to the number of target tokens, which moves by itself while playing.
// Where the source is read before, word by word, it begins below 0: at 0 all is read.
// Players with the same group name share one clock through events on the window; the one that was set going moves it for all.
// `leads`: the group's own bar, which knows how long its players are and where they stand; the others ask it.

import { prefersReducedMotion, easeOut } from "../motion.js";
import { clamp } from "../numbers.js";

const CHANNEL = "attention-player";
export const SPEEDS = [0.25, 0.5, 1, 2, 4];
const MOTION_MS = 220;
const FIRST = 0.001;
let clocks = 0;

export class Clock {
  constructor(length, layout, onChange, onOptions, leads = false) {
    this.length = length;
    this.first = 0; // below 0: so many steps of reading
    this.leads = leads;
    this.pace = layout.pace;
    this.group = layout.sync;
    this.onChange = onChange;
    this.onOptions = onOptions;
    this.position = length;
    this.speed = 1;
    this.playing = false;
    this.name = `${++clocks}-${Math.random()}`;
    this.others = new Map();
    this.led = () => null; // where something that plays stands, in steps: a sound
    this.mover = null; // who moves the time, while it moves
    if (this.group) this.join();
  }

  join() {
    this.listener = (event) => this.receive(event.detail);
    window.addEventListener(CHANNEL, this.listener);
    this.send("hello", { length: this.length });
  }

  get end() {
    return this.leads ? this.length : Math.max(this.length, ...this.others.values());
  }

  // How many tokens are shown, and how far the last of them has come in.
  get shown() {
    return Math.max(0, this.at);
  }

  // The step: below 0 while the source is read.
  get at() {
    return Math.min(this.length, Math.ceil(this.position));
  }

  get progress() {
    if (!this.playing || this.position > this.length || prefersReducedMotion()) return 1;
    const phase = this.position - (Math.ceil(this.position) - 1);
    return easeOut(clamp((phase * 1000) / (this.pace * this.speed) / Math.min(MOTION_MS, 700 / (this.pace * this.speed)), 0, 1));
  }

  // In a group whose bar, or another player, has told the time: what a page says of the step is meant for the bar, and may be late.
  get follows() {
    return this.group !== "" && !this.leads && this.mover !== null;
  }

  get moves() {
    return Boolean(this.request);
  }

  restart() {
    this.position = this.first;
    this.play();
  }

  play() {
    if (this.end === 0) return;
    if (this.position >= this.end) this.position = this.first;
    this.position = Math.min(this.end, this.position + FIRST); // the next token begins to come in at once, not with a later frame
    this.playing = true;
    this.share();
    this.lead();
    this.onChange("play");
  }

  lead() {
    if (this.request) return;
    this.last = performance.now();
    this.request = requestAnimationFrame((now) => this.tick(now));
  }

  tick(now) {
    const elapsed = clamp(now - this.last, 0, 250);
    this.last = now;
    this.position = Math.min(this.end, this.led() ?? this.position + (elapsed / 1000) * this.pace * this.speed);
    this.playing = this.position < this.end;
    this.request = this.playing ? requestAnimationFrame((next) => this.tick(next)) : null;
    this.share();
    this.onChange(this.playing ? "tick" : "end");
  }

  stop() {
    if (this.request) cancelAnimationFrame(this.request);
    this.request = null;
    this.playing = false;
  }

  pause() {
    this.seek(Math.ceil(this.position));
  }

  seek(position) {
    this.stop();
    this.position = clamp(Math.round(position), this.first, this.end);
    this.share();
    this.onChange("seek");
  }

  toggle() {
    if (this.playing) this.pause();
    else this.play();
  }

  setSpeed(speed) {
    this.speed = speed;
    this.share();
  }

  // A view by words has fewer steps than one by pieces: the shown part stays the same.
  setLength(length, position) {
    this.length = length;
    if (position !== null) this.position = position;
    if (this.group) this.send("length", { length });
  }

  share(options = null) {
    if (this.group) this.send("state", { position: this.position, playing: this.playing, speed: this.speed, options });
  }

  send(type, detail) {
    window.dispatchEvent(new CustomEvent(CHANNEL, { detail: { type, group: this.group, from: this.name, ...detail } }));
  }

  receive(message) {
    if (message.group !== this.group || message.from === this.name) return;
    if (message.type === "state") this.follow(message);
    else this.meet(message);
    if (message.type === "hello") this.welcome();
  }

  // One comes, goes, or has become longer or shorter: who rests at the end goes on resting there, and only the mover's going stops the time.
  meet(message) {
    const resting = !this.playing && this.position >= this.end;
    if (message.type === "bye") this.others.delete(message.from);
    else this.others.set(message.from, message.length);
    const stopped = message.type === "bye" && this.playing && this.mover === message.from;
    if (stopped) this.playing = false;
    if (resting) this.position = this.end;
    else if (stopped) this.position = Math.min(this.end, Math.ceil(this.position));
    if (stopped || resting) this.onChange("follow");
  }

  // Who comes is told the time by whoever moves it, and while it stands by the group's bar.
  welcome() {
    this.send("length", { length: this.length });
    if (this.moves || (this.leads && !this.playing)) this.share();
  }

  follow(message) {
    if (this.request) cancelAnimationFrame(this.request);
    this.request = null;
    this.playing = message.playing;
    this.mover = message.from;
    this.speed = message.speed;
    if (message.options) this.onOptions(message.options);
    this.position = message.position;
    this.onChange("follow");
  }

  close() {
    this.stop();
    if (!this.group) return;
    window.removeEventListener(CHANNEL, this.listener);
    this.send("bye", {});
  }
}
