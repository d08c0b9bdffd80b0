"""One meaning per colour: attention is a blue scale, the current step is the accent, each variant keeps its own colour."""

from __future__ import annotations

from dataclasses import dataclass

from demo.scale import color_scale

VARIANTS = ("none", "every-step", "dot", "bilinear", "additive", "key-query", "multi-head")
CAPTIONS = {"soft-coverage": "multi-head", "soft": "additive", "hard": "key-query"}  # whose colour; photos have no such variants

# In charts of points and of differences; legible on a light and on a dark page (contrast at least 3).
GROUPS = ("#12897b", "#8a63d2", "#c0651a", "#d0448a")
LESS, MORE = (200, 90, 30), (47, 125, 225)  # RGB at full strength; no difference is no colour


@dataclass(frozen=True, slots=True)
class Palette:
    accent: str  # the current step, and what is chosen in a control
    background: str
    surface: str  # panels and inputs
    text: str
    muted: str
    border: str
    attention: tuple[str, ...]  # ten even steps from weight 0 to weight 1
    variants: tuple[str, ...]  # in the order of VARIANTS; told apart with any colour vision (OKLab distance at least 0.05)

    def variant(self, name: str) -> str:
        """The colour of an attention variant, also of a name such as "additive-lstm"; grey for any other."""
        name = CAPTIONS.get(name, name)
        for known, colour in zip(VARIANTS, self.variants, strict=True):
            if name == known or name.startswith(known + "-"):
                return colour
        return self.muted


LIGHT = Palette(
    accent="#a8420b",
    background="#ffffff",
    surface="#f3f5f8",
    text="#0c1320",
    muted="#5b6572",
    border="#c9d0d9",
    attention=tuple(color_scale("light", 10)),
    variants=("#6b7280", "#b18b00", "#00614d", "#623b90", "#0084d3", "#d6246e", "#1b2f55"),
)
DARK = Palette(
    accent="#dd7738",
    background="#12161c",
    surface="#1c222b",
    text="#e8ecf1",
    muted="#a3adb9",
    border="#3b4552",
    attention=tuple(color_scale("dark", 10)),
    variants=("#a4afbd", "#e2bb00", "#aaffce", "#7d58a9", "#8ad5ff", "#b77380", "#5194c1"),
)
