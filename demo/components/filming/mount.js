// Two seconds before the camera become a film strip. Only while the button is on does anything look.

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

const mounted = new WeakMap();
const pause = (ms) => new Promise((done) => setTimeout(done, ms));

class Filming {
  constructor() {
    this.root = make("div", "filming");
    this.video = make("video", "", null, { playsinline: "", "aria-label": "What the camera sees, as in a mirror" });
    this.video.muted = true;
    this.video.hidden = true;
    this.button = make("button", "", READY, { type: "button" });
    this.said = make("p", "", "", { role: "status" });
    this.button.onclick = () => this.film();
    this.root.append(this.video, this.button, this.said);
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

  // Frames evenly apart, from left to right, row under row; of a wide picture its middle.
  async taken() {
    const { rows, columns } = this;
    const canvas = make("canvas", "", null, { width: columns * WIDTH, height: rows * HEIGHT });
    const context = canvas.getContext("2d");
    const { videoWidth, videoHeight } = this.video;
    const [width, height] = [Math.min(videoWidth, (videoHeight * WIDTH) / HEIGHT), Math.min(videoHeight, (videoWidth * HEIGHT) / WIDTH)];
    const [left, top] = [(videoWidth - width) / 2, (videoHeight - height) / 2];
    const began = performance.now();
    for (let frame = 0; frame < rows * columns; frame++) {
      await pause(began + ((frame + 0.5) * FILM_MS) / (rows * columns) - performance.now());
      const [row, column] = [Math.floor(frame / columns), frame % columns];
      context.drawImage(this.video, left, top, width, height, column * WIDTH, row * HEIGHT, WIDTH, HEIGHT);
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
  [place.rows, place.columns] = [data.rows, data.columns];
  place.done = (film) => setTriggerValue("film", film);
}
