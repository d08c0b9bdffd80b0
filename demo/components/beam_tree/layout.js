// Where the nodes of a beam tree lie: a column per step, and rows that branches share when one ends before the other begins.

export class Shape {
  constructor(tree) {
    this.tree = tree;
    this.count = tree.node.length;
    this.children = Array.from({ length: this.count + 1 }, () => []); // the last entry: of the start
    tree.parent.forEach((parent, at) => this.children[parent < 0 ? this.count : parent].push(at));
    this.output = new Map(tree.outputs);
    this.best = new Set(tree.best);
    this.greedy = new Set(tree.greedy ? tree.greedy.path : []);
    this.forced = new Set(tree.forced);
    this.steps = this.count ? Math.max(...tree.step) + 1 : 0;
    this.rate();
  }

  // The best output below each node, and how far the branch reaches: they order siblings.
  rate() {
    const { tree } = this;
    this.promise = new Array(this.count).fill(Infinity);
    this.reach = tree.step.slice();
    for (let at = this.count - 1; at >= 0; at--) {
      if (this.output.has(at)) this.promise[at] = Math.min(this.promise[at], this.output.get(at));
      const parent = tree.parent[at];
      if (parent < 0) continue;
      this.promise[parent] = Math.min(this.promise[parent], this.promise[at]);
      this.reach[parent] = Math.max(this.reach[parent], this.reach[at]);
    }
  }

  isPruned(at) {
    return this.tree.state[at] === "pruned" && !this.output.has(at);
  }

  // What is drawn: all that was kept, greedy's path, the chosen path, and as many pruned nodes as asked for.
  visible(mode, opened, chosen) {
    const shown = new Set();
    const nearest = this.nearest(mode === "nearest" ? 2 : 0);
    for (let at = 0; at < this.count; at++) {
      const open = mode === "all" || opened.has(this.tree.step[at]) || nearest.has(at) || this.greedy.has(at);
      if (!this.isPruned(at) || open) shown.add(at);
    }
    for (let at = chosen ?? -1; at >= 0; at = this.tree.parent[at]) shown.add(at);
    return shown;
  }

  nearest(count) {
    const found = new Set();
    const taken = new Array(this.steps).fill(0);
    const order = this.tree.node.map((_, at) => at).filter((at) => this.isPruned(at)).sort((a, b) => this.tree.total[b] - this.tree.total[a]);
    for (const at of order) if (taken[this.tree.step[at]]++ < count) found.add(at);
    return found;
  }

  prunedAt(step) {
    let count = 0;
    for (let at = 0; at < this.count; at++) if (this.tree.step[at] === step && this.isPruned(at)) count++;
    return count;
  }
}

// Rows of nodes: the most promising child goes on in its parent's row, the others begin rows below it. What was kept is laid first,
// so that it stays together; pruned nodes take the places that are left.
export function placeRows(shape, shown) {
  const rows = new Map();
  const taken = []; // per row the columns in use
  const free = (row, from, to) => !(taken[row] ?? []).some(([a, b]) => a <= to && from <= b);
  const take = (row, from, to) => (taken[row] ??= []).push([from, to]);
  const order = (a, b) => shape.promise[a] - shape.promise[b] || shape.reach[b] - shape.reach[a] || shape.tree.total[b] - shape.tree.total[a];
  const kin = (at) => shape.children[at].filter((child) => shown.has(child) && !shape.isPruned(child)).sort(order);

  const lay = (first, above) => {
    const line = [first];
    for (let next = kin(first)[0]; next !== undefined; next = kin(next)[0]) line.push(next);
    const from = shape.tree.step[first];
    const to = shape.tree.step[line.at(-1)];
    let row = above;
    while (!free(row, from, to)) row += 1;
    take(row, from, to);
    for (const at of line) rows.set(at, row);
    for (const at of [...line].reverse()) for (const child of kin(at).slice(1)) lay(child, row + 1);
  };
  const roots = kin(shape.count);
  if (roots.length) lay(roots[0], 0);
  for (const root of roots.slice(1)) lay(root, 1);

  const pruned = [...shown].filter((at) => shape.isPruned(at)).sort((a, b) => shape.tree.step[a] - shape.tree.step[b] || shape.tree.total[b] - shape.tree.total[a]);
  for (const at of pruned) {
    const step = shape.tree.step[at];
    let row = rows.get(shape.tree.parent[at]) ?? 0;
    while (!free(row, step, step)) row += 1;
    take(row, step, step);
    rows.set(at, row);
  }
  return { rows, free, take, height: () => Math.max(1, taken.length) };
}

// Greedy's own continuation, where the beam had dropped it: a row of its own to the right of its last node.
export function placeRest(shape, placed) {
  const { greedy } = shape.tree;
  if (!greedy || !greedy.rest.length) return null;
  const last = greedy.path.at(-1);
  const from = last === undefined ? 0 : shape.tree.step[last] + 1;
  let row = last === undefined ? 0 : placed.rows.get(last);
  while (!placed.free(row, from, from + greedy.rest.length - 1)) row += 1;
  placed.take(row, from, from + greedy.rest.length - 1);
  return { row, from, last };
}
