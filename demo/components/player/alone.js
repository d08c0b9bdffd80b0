// In a file of its own: no Python to tell, and the theme is that of the reader's system.

import { Instance } from "./instance.js";

const instance = new Instance(document.getElementById("place"));
instance.update(JSON.parse(document.getElementById("trace").textContent), { click: () => {}, options: () => {} });
window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => instance.recolor());
