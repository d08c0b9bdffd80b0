// What stands in one place of a page: rebuilt for a new trace, told about new options, closed when it goes.

import { keepClicks, make } from "../elements.js";
import { ASK, LETTER } from "../lives.js";
import { prefersReducedMotion } from "../motion.js";
import { Clock } from "./clock.js";
import { Transport } from "./frame.js";
import { hearKeys, stopHearing } from "./hall.js";
import { Player } from "./player.js";

// Without a trace: a play button and a scrubber for the players of a group.
class ClockBar {
  constructor(root, data, options, layout, tell) {
    this.tell = tell;
    this.root = root;
    this.data = data;
    this.options = { ...options };
    this.clock = new Clock(data.length, layout, (kind) => this.moveTo(kind), () => {}, true);
    if (!this.clock.playing) {
      this.clock.speed = options.speed;
      this.clock.position = Math.min(options.step ?? data.length, data.length);
      this.clock.share();
    }
    this.transport = new Transport(this);
    this.frame = make("div", "player", null, { role: "group", tabindex: "0", "aria-label": "Playback of all players" });
    this.frame.append(this.transport.node);
    this.frame.onkeydown = (event) => this.key(event);
    root.replaceChildren(this.frame);
    this.transport.update();
    if (layout.autoplay && options.step === null && !prefersReducedMotion()) this.clock.restart();
  }

  set(name, value) {
    this.options[name] = value;
    if (name === "speed") this.clock.setSpeed(value);
    if (name === "step") this.clock.seek(value ?? this.clock.end);
    this.report();
  }

  apply(name, value) {
    this.options[name] = value;
  }

  moveTo(kind) {
    if (!this.transport) return;
    this.transport.update();
    if (kind === "seek" || kind === "end") this.report();
  }

  key(event) {
    Player.prototype.key.call(this, event);
  }

  report() {
    Player.prototype.report.call(this);
  }

  placeNow() {
    return Player.prototype.placeNow.call(this);
  }

  arrange() {}

  recolor() {}

  close() {
    Player.prototype.close.call(this);
  }
}

function canonical(value) {
  return JSON.stringify(value, value && typeof value === "object" ? Object.keys(value).sort() : undefined);
}

export class Instance {
  constructor(parent) {
    this.root = make("div", "player-root");
    parent.append(this.root);
    this.width = 0;
    this.reports = []; // what was told and has not come back yet
    this.observer = new ResizeObserver(() => this.resize());
    this.observer.observe(this.root);
    this.tall = () => this.player?.arrange();
    window.addEventListener("resize", this.tall);
    document.addEventListener("fullscreenchange", this.tall);
    this.asked = () => this.player?.tellAgain?.();
    window.addEventListener(ASK, this.asked);
    this.pointed = ({ detail }) => this.player?.light?.(detail);
    window.addEventListener(LETTER, this.pointed);
    this.left = () => clearTimeout(this.player?.timer);
    window.addEventListener("popstate", this.left); // another entry is on its way: what this one has still to tell would call it back
    keepClicks(this.root);
    hearKeys(this);
    document.fonts?.ready.then(() => this.player?.arrange());
  }

  update({ player, options, layout }, tell) {
    this.tell = tell;
    this.page = window.location.pathname;
    const key = player.id + canonical(layout);
    const given = canonical(options);
    if (key !== this.key) this.rebuild(player, given === this.given ? { ...this.player.options, step: options.step } : options, layout);
    else if (given !== this.given && !this.reports.includes(given)) this.take(options);
    this.reports.splice(0, this.reports.lastIndexOf(given) + 1);
    if (key === this.key) this.recolor();
    this.key = key;
    this.given = given;
  }

  rebuild(data, options, layout) {
    const focused = this.root.contains(this.root.getRootNode().activeElement);
    const before = this.player;
    const own = this.untold(data, layout);
    const moving = Boolean(before?.clock.moves) && (options.step === null || options.step === before.given);
    before?.close();
    this.colors = this.colorKey(); // while nothing is new: the browser would work out the style of all that is
    const kind = data.kind === "clock" ? ClockBar : Player;
    this.player = new kind(this.root, data, { ...options, ...own }, layout, {
      click: (place) => this.tell.click(place),
      options: (values) => this.report(values),
    });
    this.width = this.root.clientWidth;
    this.player.arrange();
    this.player.given = options.step;
    if (focused) this.player.frame.focus({ preventScroll: true });
    if (own) this.player.report();
    else if (moving && !this.player.clock.moves) this.player.clock.restart();
  }

  // The same output in another layout: where a person has gone meanwhile, which the page has not heard of, counts.
  untold(data, layout) {
    const { player } = this;
    const own = player?.data.id === data.id && !layout.autoplay && (player.untold || this.reports.length > 0);
    return own ? player.placeNow() : null;
  }

  take(options) {
    const { player } = this;
    for (const [name, value] of Object.entries(options)) if (name !== "step" && name !== "read") player.apply(name, value);
    if (!player.clock.follows) player.clock.seek((player.placeOf ? player.placeOf(options) : options.step) ?? player.clock.end); // in a group the page tells the bar
    clearTimeout(player.timer);
  }

  report(values) {
    if (this.page !== window.location.pathname) return; // the page is being left
    const said = canonical(values);
    if (said === (this.reports.at(-1) ?? this.given)) return;
    this.reports.push(said);
    this.tell.options(values);
  }

  colorKey() {
    const style = getComputedStyle(this.root);
    return ["background-color", "text-color", "primary-color"].map((name) => style.getPropertyValue(`--st-${name}`)).join();
  }

  recolor() {
    if (this.colors === this.colorKey()) return;
    this.colors = this.colorKey();
    this.player.recolor();
  }

  resize() {
    if (this.root.clientWidth === this.width || !this.player) return;
    this.width = this.root.clientWidth;
    this.player.arrange();
  }

  close() {
    this.observer.disconnect();
    window.removeEventListener("resize", this.tall);
    document.removeEventListener("fullscreenchange", this.tall);
    window.removeEventListener(ASK, this.asked);
    window.removeEventListener(LETTER, this.pointed);
    window.removeEventListener("popstate", this.left);
    stopHearing(this);
    this.player?.close();
  }
}
