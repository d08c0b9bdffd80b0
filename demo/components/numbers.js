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

// Of a list, best first: near ties with as many digits, up to four, as tell neighbours apart.
export function probabilities(values) {
  const texts = values.map(probability);
  for (const digits of [3, 4]) {
    const tied = values.map((value, i) => [i - 1, i + 1].some((j) => texts[j] === texts[i] && Math.abs(values[j] - value) >= 5e-5));
    tied.forEach((isTied, i) => { if (isTied && values[i] >= 0.005) texts[i] = values[i].toFixed(digits); });
  }
  return texts;
}
