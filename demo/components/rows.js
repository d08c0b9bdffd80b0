// Arithmetic on attention rows: every function gives a row that is 0 on hidden positions and sums to 1 over the others.

export function normalised(row, hidden) {
  const open = row.map((weight, j) => (hidden.has(j) ? 0 : Math.max(0, weight)));
  const sum = open.reduce((a, b) => a + b, 0);
  return sum > 0 ? open.map((weight) => weight / sum) : evenRow(row.length, hidden);
}

export function evenRow(size, hidden) {
  const share = 1 / (size - hidden.size);
  return Array.from({ length: size }, (_, j) => (hidden.has(j) ? 0 : share));
}

export function oneHotRow(size, place) {
  return Array.from({ length: size }, (_, j) => (j === place ? 1 : 0));
}

// Weights to a power: above 1 the row gets sharper, below 1 flatter.
export function powerRow(row, power, hidden) {
  const least = power < 1 ? 1e-4 : 0;
  return normalised(row.map((weight) => Math.max(weight, least) ** power), hidden);
}

// One position further, around the end, over the visible positions.
export function shiftedRow(row, by, hidden) {
  const open = row.map((_, j) => j).filter((j) => !hidden.has(j));
  const moved = row.map(() => 0);
  open.forEach((j, i) => { moved[open[(i + by + open.length) % open.length]] = row[j]; });
  return moved;
}

export function swappedRow(row, a, b) {
  const swapped = row.slice();
  [swapped[a], swapped[b]] = [row[b], row[a]];
  return swapped;
}

// One weight is set; the others keep their proportions and share the rest.
export function withWeight(row, place, weight, hidden) {
  const rest = row.reduce((sum, other, j) => (j === place || hidden.has(j) ? sum : sum + other), 0);
  const others = row.length - hidden.size - 1;
  if (others <= 0) return oneHotRow(row.length, place);
  const value = Math.min(1, Math.max(0, weight));
  return row.map((other, j) => {
    if (hidden.has(j)) return 0;
    if (j === place) return value;
    return rest > 0 ? (other / rest) * (1 - value) : (1 - value) / others;
  });
}

// Four decimals, so that the link stays short; the largest weight takes what rounding leaves.
export function roundedRow(row) {
  const rounded = row.map((weight) => Math.round(weight * 1e4) / 1e4);
  const largest = rounded.indexOf(Math.max(...rounded));
  const others = rounded.reduce((sum, weight, j) => (j === largest ? sum : sum + weight), 0);
  rounded[largest] = Math.round((1 - others) * 1e4) / 1e4;
  return rounded;
}

export function sameRow(a, b, within = 5e-5) {
  return a.length === b.length && a.every((weight, j) => Math.abs(weight - b[j]) <= within);
}
