"""The first line of every step: a token, its index in the vocabulary, its one-hot vector, and the row of the embedding."""

from __future__ import annotations

import numpy as np

from demo.labs.how_it_works.notation import Section, vector, weight

SIGNS = 4  # of a vocabulary that are no words: padding, start, end, unknown


def embedding(name: str, size: int, index: int, row: np.ndarray, token: str, matrix: str = "E", scaled: str = "") -> Section:
    """`name`: of the embedding; `row`: its numbers; `token`: as Markdown."""
    hot = _one_hot(index, size)
    says = (
        f"{token} has the index {index} in a vocabulary of {size:,}: {size - SIGNS:,} pieces and {SIGNS} signs. Its one-hot vector has a "
        f"single 1, at that place; multiplied with the table of embeddings it gives that row of the table."
    )
    lines = (
        rf"\delta_{{{index}}} = {hot} \in \{{0, 1\}}^{{{size}}}",
        rf"{name} = {scaled}{weight(matrix, size, len(row))}^\top \delta_{{{index}}} = {vector(row)}",
    )
    return Section("Token, index, one-hot vector, embedding", says, lines, "token")


def _one_hot(index: int, size: int) -> str:
    """With the place of the 1 under it, counted from 0."""
    left = ["0"] * min(index, 1) + [r"\dots"] * (index > 2) + ["0"] * (index > 1)
    after = size - index - 1
    right = ["0"] * min(after, 1) + [r"\dots"] * (after > 2) + ["0"] * (after > 1)
    return "[" + r",\ ".join([*left, rf"\underset{{{index}}}{{1}}", *right]) + "]"
