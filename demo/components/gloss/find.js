// Which of the known words a text has, and where.

const escaped = (word) => word.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");

export function finder(words) {
  const longestFirst = [...words].sort((one, other) => other.length - one.length).map(escaped);
  const any = new RegExp(`(?<![\\p{L}\\p{N}-])(${longestFirst.join("|")})(?:s|es)?(?![\\p{L}\\p{N}-])`, "giu");
  return (text) => [...text.matchAll(any)].map((found) => ({ word: found[1].toLowerCase(), begin: found.index, end: found.index + found[0].length }));
}
