// Where the nodes of a beam tree lie: no two share a place, and the best branch runs straight along the top.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Shape, placeRest, placeRows } from "../../../demo/components/beam_tree/layout.js";

// Two hypotheses part at step 1; at each step one more token fell out of the beam.
const TREE = {
  node: [10, 11, 12, 13, 14, 15, 16], parent: [-1, -1, 0, 0, 2, 3, 2], step: [0, 0, 1, 1, 2, 2, 2],
  state: ["kept", "pruned", "kept", "kept", "finished", "finished", "pruned"], total: [-0.1, -3, -0.3, -0.5, -0.4, -0.9, -4],
  outputs: [[4, 1], [5, 2]], best: [0, 2, 4], greedy: { path: [0, 3], rest: ["x", "y"] }, forced: [],
};

test("every node has a place of its own, in the column of its step", () => {
  const shape = new Shape(TREE);
  const shown = shape.visible("all", new Set(), null);
  const { rows } = placeRows(shape, shown);
  assert.equal(rows.size, 7);
  const places = [...rows].map(([at, row]) => `${TREE.step[at]},${row}`);
  assert.equal(new Set(places).size, places.length);
});

test("the best output's path lies in one row, above its rival", () => {
  const shape = new Shape(TREE);
  const { rows, height } = placeRows(shape, shape.visible("none", new Set(), null));
  assert.deepEqual(TREE.best.map((at) => rows.get(at)), [0, 0, 0]);
  assert.ok(rows.get(3) > 0);
  assert.equal(rows.get(3), rows.get(5));
  assert.equal(height(), 2);
});

test("pruned nodes are shown when asked for: all, those nearest to the beam, those of an opened step, the chosen one's path", () => {
  const shape = new Shape(TREE);
  const pruned = (mode, opened = [], chosen = null) => [...shape.visible(mode, new Set(opened), chosen)].filter((at) => shape.isPruned(at));
  assert.deepEqual(pruned("none"), []);
  assert.deepEqual(pruned("all"), [1, 6]);
  assert.deepEqual(pruned("nearest"), [1, 6]);
  assert.deepEqual(pruned("none", [2]), [6]);
  assert.deepEqual(pruned("none", [], 1), [1]);
  assert.equal(shape.prunedAt(2), 1);
});

test("only the two nearest of a step are near", () => {
  const many = {
    ...TREE, node: [0, 1, 2, 3, 4], parent: [-1, -1, -1, -1, -1], step: [0, 0, 0, 0, 0], total: [-1, -5, -2, -4, -3],
    state: ["finished", "pruned", "pruned", "pruned", "pruned"], outputs: [[0, 1]], best: [0], greedy: null,
  };
  const shape = new Shape(many);
  assert.deepEqual([...shape.visible("nearest", new Set(), null)], [0, 2, 4]);
});

test("a branch shares a row with another that has ended before it", () => {
  // The second root ends at step 0; a branch that begins at step 2 can use its row.
  const tree = {
    node: [0, 1, 2, 3, 4], parent: [-1, -1, 0, 2, 2], step: [0, 0, 1, 2, 2], state: ["kept", "finished", "kept", "finished", "finished"],
    total: [-1, -2, -1, -1, -1.5], outputs: [[3, 1], [4, 2], [1, 3]], best: [0, 2, 3], greedy: null, forced: [],
  };
  const shape = new Shape(tree);
  const { rows, height } = placeRows(shape, shape.visible("all", new Set(), null));
  assert.equal(rows.get(1), rows.get(4));
  assert.equal(height(), 2);
});

test("greedy's own continuation begins behind its last node, where nothing else lies", () => {
  const shape = new Shape(TREE);
  const placed = placeRows(shape, shape.visible("all", new Set(), null));
  const rest = placeRest(shape, placed);
  assert.deepEqual([rest.from, rest.last], [2, 3]);
  const taken = [...placed.rows].filter(([at]) => TREE.step[at] >= 2).map(([, row]) => row);
  assert.ok(!taken.includes(rest.row));
  assert.equal(placeRest(new Shape({ ...TREE, greedy: null }), placed), null);
  assert.equal(placeRest(new Shape({ ...TREE, greedy: { path: [0], rest: [] } }), placed), null);
});

test("no nodes at all", () => {
  const shape = new Shape({ ...TREE, node: [], parent: [], step: [], state: [], total: [], outputs: [], best: [], greedy: null });
  assert.equal(shape.steps, 0);
  assert.equal(placeRows(shape, shape.visible("all", new Set(), null)).height(), 1);
});
