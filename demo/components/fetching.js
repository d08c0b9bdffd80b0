// The page's own script says where the app is served, whatever stands before it in the address.
const page = document.querySelector("script[type=module][src]").src;
const address = new URL("../../components/ADDRESS", page).href;
const newest = new WeakMap();
let whole = null;

async function fetchWhole() {
  for (let pause = 500; ; pause *= 2) {
    try {
      return await import(pause === 500 ? address : `${address}?${performance.now()}`); // a browser remembers what it could not fetch
    } catch (error) {
      if (pause > 4000) throw error;
      await new Promise((done) => setTimeout(done, pause));
    }
  }
}

export default async function mount(component) {
  const { parentElement } = component;
  newest.set(parentElement, component);
  whole ??= fetchWhole().catch((error) => {
    whole = null; // the next answer tries again
    throw error;
  });
  try {
    const { default: draw, sheet } = await whole;
    if (newest.get(parentElement) !== component) return undefined; // given something newer while it was fetched
    if (!parentElement.adoptedStyleSheets.includes(sheet)) parentElement.adoptedStyleSheets.push(sheet);
    return draw(component);
  } finally {
    parentElement.host.dataset.drawn = ""; // demo/arrival.css lets what stands below be seen
  }
}
