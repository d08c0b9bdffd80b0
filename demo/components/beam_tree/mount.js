// One tree per place on the page.

import { make } from "../elements.js";
import { Tree } from "./tree.js";

const trees = new WeakMap();

export default function mountTree({ data, parentElement, setTriggerValue }) {
  let tree = trees.get(parentElement);
  if (!tree) {
    const root = make("div", "tree");
    parentElement.append(root);
    tree = new Tree(root);
    trees.set(parentElement, tree);
  }
  tree.spare(data.plain);
  tree.update(data.tree, data.height, (node) => setTriggerValue("choose", node));
  return () => trees.delete(parentElement);
}
