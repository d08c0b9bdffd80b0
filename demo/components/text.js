// What a text shows: characters that cannot be seen, and the direction it is read in.

// What stands for characters that cannot be seen.
export function visible(text) {
  if (text === "") return "\u2205";
  return text.trim() === "" ? text.replace(/\n/g, "\u21b5").replace(/\t/g, "\u21e5").replace(/\s/g, "\u2423") : text;
}

// The model's own signs, for who has not met them.
const SIGNS = { "<s>": "(start)", "</s>": "(end)" };

export function inWords(sign) {
  return SIGNS[sign] ?? sign;
}

export function isRightToLeft(text) {
  const letter = text.match(/\p{L}/u);
  return letter !== null && /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}]/u.test(letter[0]);
}
