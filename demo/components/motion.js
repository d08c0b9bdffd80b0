// How things move, where a person wants them to.

export function prefersReducedMotion() {
  return window.matchMedia("(prefers-reduced-motion: reduce)").matches;
}

export function easeOut(t) {
  return 1 - (1 - t) ** 3;
}
