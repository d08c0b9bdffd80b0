// Two seconds before the camera, or a file that the browser can play, become a film strip. Only while the button is on does anything look.

import { make, setText } from "../elements.js";

const FILM_MS = 2000;
const BEFORE = [3, 2, 1]; // counted while one gets ready
const COUNT_MS = 700;
const WIDTH = 160;
const HEIGHT = 120; // pixels of a frame
const READY = "Film two seconds";
const WRONG = {
  NotAllowedError: "The browser does not give the camera: allow it for this page, or choose a file.",
  NotFoundError: "No camera was found; choose a file.",
};
const NONE = "A browser gives its camera to pages of this computer, and to others over HTTPS alone; choose a file.";
const OTHER = "The camera gives no picture; is another program using it?";

const LONGEST_S = 10; // of a file: its beginning
const SEEK_MS = 4000;
const CHOOSE = "An MP4 or WebM film";
const UNPLAYED = "The browser cannot play this file as a film; save it as MP4 (H.264), WebM or GIF and choose that.";

const mounted = new WeakMap();
const pause = (ms) => new Promise((done) => setTimeout(done, ms));

// The next event of its kind; nothing comes of a damaged file, and that is waited for no longer than this.
function heard(target, kind) {
  return new Promise((done, fail) => {
    const late = setTimeout(() => fail(new Error(kind)), SEEK_MS);
    const end = (how) => () => {
      clearTimeout(late);
      how();
    };
    target.addEventListener(kind, end(done), { once: true });
    target.addEventListener("error", end(() => fail(new Error("error"))), { once: true });
  });
}

class Filming {
  constructor() {
    this.root = make("div", "filming");
    this.video = make("video", "", null, { playsinline: "", "aria-label": "What the camera sees, as in a mirror" });
    this.video.muted = true;
    this.video.hidden = true;
    this.button = make("button", "", READY, { type: "button" });
    this.choose = make("button", "", CHOOSE, { type: "button" });
    this.input = make("input", "", null, { type: "file", accept: "video/mp4,video/webm,video/quicktime,.mp4,.webm,.mov", "aria-label": CHOOSE });
    this.input.hidden = true;
    this.said = make("p", "", "", { role: "status" });
    this.button.onclick = () => this.film();
    this.choose.onclick = () => this.input.click();
    this.input.onchange = () => this.input.files.length && this.read(this.input.files[0]);
    this.root.append(this.video, this.button, this.choose, this.input, this.said);
  }

  offer({ rows, columns, camera, file }) {
    Object.assign(this, { rows, columns });
    this.button.hidden = !camera;
    this.choose.hidden = !file;
  }

  // The file stays in the browser; what leaves it is the strip of its frames.
  async read(file) {
    this.choose.disabled = true;
    setText(this.said, "");
    const film = make("video", "", null, { playsinline: "", preload: "auto" });
    const url = URL.createObjectURL(file);
    film.muted = true;
    try {
      const known = heard(film, "loadeddata");
      film.src = url;
      await known;
      if (!Number.isFinite(film.duration)) await this.goTo(film, 1e7); // a recorder may not have written how long it is
      const seconds = Math.min(film.duration, LONGEST_S);
      this.chosen(await this.strip(film, (share) => this.goTo(film, share * seconds)));
      if (film.duration > LONGEST_S + 0.5) setText(this.said, `The film lasts ${Math.round(film.duration)} s: frames of its first ${LONGEST_S} were taken.`);
    } catch {
      setText(this.said, UNPLAYED);
    } finally {
      URL.revokeObjectURL(url);
      this.input.value = "";
      this.choose.disabled = false;
    }
  }

  async goTo(film, seconds) {
    const there = heard(film, "seeked");
    film.currentTime = seconds;
    await there;
  }

  async film() {
    this.button.disabled = true;
    setText(this.said, "");
    let stream = null;
    try {
      stream = await navigator.mediaDevices.getUserMedia({ video: { width: { ideal: 640 }, height: { ideal: 480 } } });
      this.video.srcObject = stream;
      await this.video.play();
      this.video.hidden = false;
      for (const count of BEFORE) {
        setText(this.button, `${count} …`);
        await pause(COUNT_MS);
      }
      setText(this.button, "Now");
      if (this.root.isConnected) this.done(await this.taken());
    } catch (error) {
      setText(this.said, navigator.mediaDevices ? (WRONG[error.name] ?? OTHER) : NONE);
    } finally {
      stream?.getTracks().forEach((track) => track.stop());
      this.video.srcObject = null;
      this.video.hidden = true;
      this.button.disabled = false;
      setText(this.button, READY);
    }
  }

  async taken() {
    const began = performance.now();
    return this.strip(this.video, (share) => pause(began + share * FILM_MS - performance.now()));
  }

  // Frames evenly apart, from left to right, row under row; of a wide picture its middle. `reach`: wait for this share of the film.
  async strip(video, reach) {
    const { rows, columns } = this;
    const canvas = make("canvas", "", null, { width: columns * WIDTH, height: rows * HEIGHT });
    const context = canvas.getContext("2d");
    const { videoWidth, videoHeight } = video;
    if (!videoWidth) throw new Error("no picture");
    const [width, height] = [Math.min(videoWidth, (videoHeight * WIDTH) / HEIGHT), Math.min(videoHeight, (videoWidth * HEIGHT) / WIDTH)];
    const [left, top] = [(videoWidth - width) / 2, (videoHeight - height) / 2];
    for (let frame = 0; frame < rows * columns; frame++) {
      await reach((frame + 0.5) / (rows * columns));
      const [row, column] = [Math.floor(frame / columns), frame % columns];
      context.drawImage(video, left, top, width, height, column * WIDTH, row * HEIGHT, WIDTH, HEIGHT);
    }
    return canvas.toDataURL("image/jpeg", 0.9);
  }
}

export default function mountFilming({ data, parentElement, setTriggerValue }) {
  let place = mounted.get(parentElement);
  if (!place) {
    place = new Filming();
    parentElement.append(place.root);
    mounted.set(parentElement, place);
  }
  place.offer(data);
  place.done = (film) => setTriggerValue("film", film);
  place.chosen = (film) => setTriggerValue("file", film);
}
