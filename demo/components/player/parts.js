// A photo and a text, or any other parts of several kinds: a view for each, beside or under each other, that follow one clock.

import { make } from "../elements.js";
import { ImageView } from "./image.js";
import { MapView } from "./map.js";

const GAP = 28;
const BESIDE = 760; // pixels of width from which they stand side by side

// What the view of one part sees of the player: its own columns, counted from 0.
function within(player, part) {
  const first = () => player.units.parts[part].first;
  const local = { of: null, units: null };
  const seen = Object.create(player, {
    units: {
      get() {
        if (local.of !== player.units) Object.assign(local, { of: player.units, units: player.units.of(part) });
        return local.units;
      },
    },
    hover: {
      get() {
        const { hover, units } = player;
        if (!hover || hover.column === null) return hover;
        const column = hover.column - first();
        if (units.source[hover.column].part === part) return { row: hover.row, column };
        return hover.row === null ? null : { row: hover.row, column: null };
      },
    },
  });
  const outer = (column) => (column === null ? null : column + first());
  return Object.assign(seen, {
    part: player.data.parts[part],
    hoverAt: (place) => player.hoverAt(place && { row: place.row, column: outer(place.column) }),
    choose: (row, column) => player.choose(row, outer(column)),
  });
}

export class PartsView {
  constructor(player) {
    this.node = make("div", "parts");
    this.views = player.data.parts.map((part, i) => new (part.kind === "grid" ? ImageView : MapView)(within(player, i)));
    this.boxes = this.views.map((view, i) => {
      const box = make("section", "part", null, { "aria-label": player.data.parts[i].name });
      box.append(make("p", "part-name", player.data.parts[i].name), view.node);
      return box;
    });
    this.node.append(...this.boxes);
    this.below = this.views.find((view) => view.below)?.below;
  }

  layout(width, height) {
    const beside = width >= BESIDE;
    this.node.classList.toggle("beside", beside);
    const own = beside ? (width - GAP * (this.views.length - 1)) / this.views.length : width;
    for (const view of this.views) view.layout(own, height);
  }

  paint() {
    for (const view of this.views) view.paint();
  }

  fill() {
    for (const view of this.views) view.fill();
  }

  set shades(shades) {
    for (const view of this.views) view.shades = [...shades];
  }
}
