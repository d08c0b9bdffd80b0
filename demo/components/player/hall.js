// For a hall: the keys of a player work from anywhere on its page, and its figure may have the whole screen.

const FIELDS = "input, textarea, select, [contenteditable], [role=slider], [role=listbox], [role=combobox], [role=menu], [role=tab], [role=radio], [role=grid]";
const FIGURE = "[class*=st-key-figure_]"; // what a page has put around several players

const listening = new Set();
let last = null; // the one a person used last

export function hearKeys(instance) {
  if (!listening.size) document.addEventListener("keydown", onKey);
  listening.add(instance);
  instance.root.addEventListener("pointerdown", () => (last = instance));
}

export function stopHearing(instance) {
  listening.delete(instance);
  if (last === instance) last = null;
  if (!listening.size) document.removeEventListener("keydown", onKey);
}

// Not what is typed into a field, nor what a button does itself; and not for a player that is out of sight.
function onKey(event) {
  if (event.defaultPrevented) return;
  const [target] = event.composedPath();
  if (target.closest?.(FIELDS) || (event.key === " " && target.closest?.("button, a, summary, label"))) return;
  const able = [...listening].filter((one) => one.player?.transport.node.isConnected && inSight(one.root));
  const chosen = able.includes(last) ? last : able[0];
  chosen?.player.key(event);
}

function inSight(root) {
  const { top, bottom } = root.getBoundingClientRect();
  return bottom > 0 && top < window.innerHeight;
}

function figureOf(root) {
  const host = root.getRootNode().host ?? root;
  return host.closest(FIGURE) ?? root;
}

export function isAlone(root) {
  const figure = figureOf(root);
  return figure.getRootNode().fullscreenElement === figure;
}

// The figure alone on the screen, or back.
export function toggleAlone(root) {
  if (isAlone(root)) document.exitFullscreen();
  else figureOf(root).requestFullscreen?.().catch(() => {}); // where a page may not, nothing happens
}
