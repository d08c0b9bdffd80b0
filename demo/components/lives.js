// Where a letter of the equations lives in the drawing of the network: said on the window by whoever shows equations, heard by players.

export const LETTER = "attention-letter";

export function tellLetter(where) {
  window.dispatchEvent(new CustomEvent(LETTER, { detail: where }));
}
