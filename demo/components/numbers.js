// Numbers, as they are shown and kept within bounds.

export function clamp(value, low, high) {
  return Math.min(high, Math.max(low, value));
}

export function range(length) {
  return Array.from({ length }, (_, i) => i);
}

export function decimals(value, digits = 2) {
  const text = Math.abs(value).toFixed(digits);
  return value < 0 && Number(text) > 0 ? `\u2212${text}` : text;
}

export function probability(value) {
  return value > 0 && value < 0.005 ? "<0.01" : value.toFixed(2);
}
