// One choice of a page is one entry of the browser's history: what is set on a page replaces the entry it stands in.

const known = new WeakSet();

// Streamlit writes each parameter that a page sets as an entry of its own, and while pages change those of the new one under the old
// address. So an address that keeps its path replaces, and an entry that is left says again what it said before the change began.
export function keepOneEntryAPage(window, app) {
  if (known.has(window)) return;
  known.add(window);
  const { history, location } = window;
  const push = history.pushState.bind(history);
  let before = null;
  const watch = new window.MutationObserver(() => {
    if (app.dataset.testScriptState === "notRunning") before = null;
  });
  watch.observe(app, { attributes: true, attributeFilter: ["data-test-script-state"] });
  history.pushState = (state, title, url) => {
    before ??= location.href;
    const kept = new URL(url ?? location.href, location.href).pathname === location.pathname;
    if (kept) return history.replaceState(state, title, url);
    if (new URL(before).pathname === location.pathname) history.replaceState(history.state, "", before);
    before = null;
    return push(state, title, url);
  };
}
