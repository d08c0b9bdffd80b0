// The sound under a spectrogram: it plays while the player does and leads its time, and a word that is clicked is heard alone.

export class Voice {
  constructor(player) {
    this.player = player;
    this.stretches = player.data.sound.stretches;
    this.audio = new Audio(player.data.sound.url);
    this.audio.preload = "auto";
    this.until = null; // where a single word ends
    this.sounds = false; // whether the sound leads the time
    this.audio.ontimeupdate = () => this.stopAtEnd();
    this.audio.onended = () => (this.sounds = false);
  }

  // The end of step `row`; the end sign, and what looks nowhere, is at the end of the sound.
  endOf(row) {
    const { target } = this.player.units;
    const last = this.audio.duration || 0;
    if (!this.stretches.length) return (last * (row + 1)) / target.length;
    return target[row].special ? last : this.stretches[row][1];
  }

  beginOf(row) {
    return row > 0 ? this.endOf(row - 1) : 0;
  }

  // Where the sound stands, in steps; null: it is not heard, and the clock goes by itself.
  position() {
    const { audio, player } = this;
    if (!this.sounds || audio.paused) return null;
    const count = player.units.target.length;
    for (let row = 0; row < count; row++) {
      const [begin, end] = [this.beginOf(row), this.endOf(row)];
      if (audio.currentTime < end) return row + Math.max(0.001, (audio.currentTime - begin) / Math.max(end - begin, 0.01));
    }
    return count - 0.001;
  }

  moved(kind) {
    const { clock } = this.player;
    if (kind === "play") this.follow();
    else if (!clock.playing && this.until === null) this.stop();
    this.audio.playbackRate = clock.speed;
  }

  follow() {
    const { clock } = this.player;
    const row = Math.min(Math.floor(clock.position), this.player.units.target.length - 1);
    this.until = null;
    this.start(this.beginOf(row), () => (this.sounds = clock.playing));
  }

  say(row) {
    const unit = this.player.units.target[row];
    if (!unit || unit.special || !this.stretches.length) return;
    this.until = this.stretches[row][1];
    this.start(this.stretches[row][0], () => {});
  }

  // A browser may refuse to sound before anything was clicked: then the player goes on in silence.
  start(at, then) {
    this.sounds = false;
    this.audio.currentTime = at;
    this.audio.play().then(then, () => {});
  }

  stop() {
    this.sounds = false;
    this.until = null;
    this.audio.pause();
  }

  stopAtEnd() {
    if (this.until !== null && this.audio.currentTime >= this.until) this.stop();
  }

  close() {
    this.stop();
    this.audio.removeAttribute("src");
  }
}
