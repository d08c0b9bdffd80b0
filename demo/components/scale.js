// The colour scale of attention from weight 0 to 1, on light and on dark pages: what demo/colours.py computes.

export const SCALE = {
  light: [
    "#f2f7ff", "#e7f1ff", "#dceafe", "#d0e4ff", "#c5defe", "#bad7fe", "#aed1ff", "#a3cafe", "#98c3fe", "#8dbdfd", "#7fb6ff",
    "#74affe", "#68a8fd", "#5aa1fe", "#519afa", "#4a93f3", "#448dec", "#3d86e5", "#3680dd", "#3079d6", "#2973cf", "#216dc8",
    "#1966c1", "#1060ba", "#0459b4", "#0054aa", "#034e9f", "#054994", "#01438b", "#023e80", "#013977", "#01346d", "#012e64",
  ],
  dark: [
    "#011f46", "#01244f", "#012959", "#012e63", "#01346d", "#013977", "#023e81", "#02448b", "#014997", "#054fa0", "#0255ab",
    "#075bb5", "#1261bc", "#1b68c3", "#236eca", "#2b75d2", "#327cd9", "#3982e0", "#4089e7", "#4690ef", "#4d97f6", "#549dfe",
    "#62a5fd", "#6facfe", "#7bb3fe", "#88bafd", "#94c1fe", "#9fc8fe", "#abcfff", "#b7d5fe", "#c3dcfe", "#cee3ff", "#dae9ff",
  ],
};
