// What equations and players tell each other on the window: where a letter lives in the drawing of the network, and which moment it is.

export const LETTER = "attention-letter";
export const MOMENT = "attention-moment";
export const WHOLE = "attention-whole-vectors";
export const ASK_WHOLE = "attention-whole-vectors-ask";
export const ASK = "attention-player-ask"; // by whoever has just come to show what players tell

export function tellLetter(where) {
  window.dispatchEvent(new CustomEvent(LETTER, { detail: where }));
}

// The first token of the step, or of what is read; `read: null` when all is read.
export function tellMoment(moment) {
  window.dispatchEvent(new CustomEvent(MOMENT, { detail: moment }));
}

export function ask() {
  window.dispatchEvent(new CustomEvent(ASK));
}

// Those of the vectors that the equations print, each where they say that it is.
export function tellWhole(numbers) {
  window.dispatchEvent(new CustomEvent(WHOLE, { detail: numbers }));
}

export function askWhole() {
  window.dispatchEvent(new CustomEvent(ASK_WHOLE));
}
