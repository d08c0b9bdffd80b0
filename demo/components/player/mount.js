// One instance per place on the page.

import { Instance } from "./instance.js";

const LEADS_ON = ".st-key-leads_on a";
const PATIENCE_MS = 60_000;
const instances = new WeakMap();

// An action may lead to another page: the page then answers with a link, which is followed as if it had been clicked.
function followLink() {
  const observer = new MutationObserver(() => {
    const link = document.querySelector(LEADS_ON);
    if (!link) return;
    observer.disconnect();
    link.click();
  });
  observer.observe(document.body, { childList: true, subtree: true });
  setTimeout(() => observer.disconnect(), PATIENCE_MS);
}

export default function mountPlayer({ data, parentElement, setStateValue, setTriggerValue }) {
  let instance = instances.get(parentElement);
  if (!instance) instances.set(parentElement, (instance = new Instance(parentElement)));
  instance.update(data, {
    click: (place) => {
      setTriggerValue("click", place);
      if (place.act) followLink();
    },
    options: (values) => setStateValue("options", values),
  });
  return () => {
    instance.close();
    instances.delete(parentElement);
  };
}
