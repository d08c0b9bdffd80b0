// Canvases: one that is sharp on any screen, and one that is never shown, which measures texts and reads colours.

let offscreen = null;

export function scratch() {
  return (offscreen ??= document.createElement("canvas").getContext("2d"));
}

// A canvas in CSS pixels, sharp on any screen.
export function sizeCanvas(canvas, width, height) {
  const ratio = window.devicePixelRatio || 1;
  const [w, h] = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width !== w || canvas.height !== h) {
    canvas.width = w;
    canvas.height = h;
  }
  canvas.style.width = `${width}px`;
  canvas.style.height = `${height}px`;
  const context = canvas.getContext("2d");
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  return context;
}

export function measureText(labels, size, font, weight = 400) {
  const ruler = scratch();
  ruler.font = `${weight} ${size}px ${font}`;
  return labels.map((label) => ruler.measureText(label).width);
}
