// One instance per place on the page.

import { Instance } from "./instance.js";

const instances = new WeakMap();

export default function mountPlayer({ data, parentElement, setStateValue, setTriggerValue }) {
  let instance = instances.get(parentElement);
  if (!instance) instances.set(parentElement, (instance = new Instance(parentElement)));
  instance.update(data, {
    click: (place) => setTriggerValue("click", place),
    options: (values) => setStateValue("options", values),
  });
  return () => {
    instance.close();
    instances.delete(parentElement);
  };
}
