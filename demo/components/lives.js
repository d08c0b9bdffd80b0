// What equations and players tell each other on the window: where a letter lives in the drawing of the network, and which moment it is.

export const LETTER = "attention-letter";
export const MOMENT = "attention-moment";
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
