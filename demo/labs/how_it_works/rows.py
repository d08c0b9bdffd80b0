"""The tables of How it works: what goes in above what should come out, the attention row, the likeliest tokens. All is text."""

from __future__ import annotations

import math

from demo import letters
from demo.labs.how_it_works.notation import number
from demo.labs.how_it_works.view import StepView
from demo.wording import END, token

CELLS = 10  # of a photo that the table of the row has
AROUND = 3  # steps before and after the current one
NOW = "→"  # in a row, or before a column's name: this is meant

Table = list[tuple[str, list[str]]]  # columns with their names, in order


def shifted_rows(seen: StepView, lettering: str) -> Table:
    """The input above the label: the same words shifted by one, around the step; the start and the end sign by the lecture's names."""
    begins, ends = letters.start_sign(lettering), letters.end_sign(lettering)
    labels = [ends if text == END else text for text in seen.said]
    inputs = [begins, *labels[:-1]]
    last = min(len(labels), max(0, seen.step - AROUND) + 2 * AROUND + 1)
    first = max(0, last - 2 * AROUND - 1)
    columns = [(f"{NOW * (t == seen.step)}{t + 1}", [token(inputs[t]), token(labels[t])]) for t in range(first, last)]
    return [(letters.index("t", lettering), ["input", "label"]), *columns]


def row_table(seen: StepView, lettering: str) -> Table:
    """Each source position with its score and its weight, for the chosen head; of what is no text those looked at most."""
    scores, weights = seen.row
    kept = list(range(len(weights)))
    if seen.config.source != "text":
        kept = sorted({seen.shown.position, *(-weights).argsort(kind="stable")[:CELLS].tolist()}, key=lambda j: (-weights[j], j))
    return [
        ("", [NOW if j == seen.shown.position else "" for j in kept]),
        (letters.index("j", lettering), [str(j + 1) for j in kept]),
        ("source", [seen.shown.source[j] for j in kept]),
        ("score", [number(scores[j]) if math.isfinite(scores[j]) else "hidden" for j in kept]),
        ("weight", [number(weights[j]) for j in kept]),
    ]


def candidate_table(seen: StepView) -> Table:
    """The most probable next tokens; the one that was taken is marked."""
    ids = list(dict.fromkeys([*seen.likely, seen.shown.token_out]))
    return [
        ("", [NOW if i == seen.shown.token_out else "" for i in ids]),
        ("token", [token(seen.shown.words[i]) for i in ids]),
        ("logit", [number(seen.logits[i]) for i in ids]),
        ("probability", [number(math.exp(seen.logprobs[i])) for i in ids]),
    ]
