// The shapes of the network: elements of an SVG, and lines and arrows as the text of a path.

const SVG = "http://www.w3.org/2000/svg"; // a name, not an address that anyone asks
const HEAD = 7; // of an arrow, in pixels

export function canvasOf(className) {
  const node = document.createElementNS(SVG, "svg");
  node.setAttribute("aria-hidden", "true");
  node.setAttribute("class", className);
  return node;
}

export function draw(parent, tag, attributes, text = null) {
  const node = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, String(value));
  if (text !== null) node.textContent = text;
  parent.append(node);
  return node;
}

const point = (x, y) => `${x.toFixed(1)} ${y.toFixed(1)}`;

// The two strokes of an arrow's head, at the end of a line that comes in at this angle.
function head(x, y, angle) {
  const [one, other] = [-0.5, 0.5].map((turn) => point(x - HEAD * Math.cos(angle + turn), y - HEAD * Math.sin(angle + turn)));
  return ` M ${one} L ${point(x, y)} L ${other}`;
}

export function arrowPath(x0, y0, x1, y1) {
  return `M ${point(x0, y0)} L ${point(x1, y1)}${head(x1, y1, Math.atan2(y1 - y0, x1 - x0))}`;
}

// Along corners; the last stretch has the head.
export function elbowPath(...points) {
  const [[x0, y0], [x1, y1]] = points.slice(-2);
  return `M ${points.map(([x, y]) => point(x, y)).join(" L ")}${head(x1, y1, Math.atan2(y1 - y0, x1 - x0))}`;
}

export function bendPath(x0, y0, x1, y1, x2, y2, x3, y3) {
  return `M ${point(x0, y0)} C ${point(x1, y1)} ${point(x2, y2)} ${point(x3, y3)}${head(x3, y3, Math.atan2(y3 - y2, x3 - x2))}`;
}

// From a context past the state below it, a box so wide, down to what is said.
export function saidPath({ x, y: top }, radius, width, { state, out }) {
  return bendPath(x + radius - 1, top + 6, x + width / 2 + 20, top + 26, x + width / 2 + 16, state + 12, x + 12, out);
}

// From a source position down into the context, without a head: the circle takes them all.
export function lookPath(x0, y0, x1, y1) {
  const fall = (y1 - y0) * 0.55;
  return `M ${point(x0, y0)} C ${point(x0, y0 + fall)} ${point(x1, y1 - fall)} ${point(x1, y1)}`;
}

export function arcPath(x0, x1, y, height) {
  return `M ${point(x0, y)} C ${point(x0 + (x1 - x0) * 0.2, y - height)} ${point(x1 - (x1 - x0) * 0.2, y - height)} ${point(x1, y)}`;
}
