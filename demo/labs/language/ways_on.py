"""How one part of the Language model page leads to another."""

from __future__ import annotations

from collections.abc import Sequence

from demo import resources, state
from demo.components.events import choice
from demo.query import Query
from demo.wording import END


def go_to_score(sentence: str) -> None:
    """Callback: look at a sentence in the part that scores."""
    state.assign(state.SCORED, sentence)
    state.assign(state.LANGUAGE_PART, "score")
    state.remember(state.AT, state.AT.default)


def write(key: str, query: Query, offered: Sequence[int]) -> None:
    """Callback of a table of pieces: the chosen one joins the beginning; the end takes the sentence to its score."""
    row = choice(key, len(offered))
    if row is None:
        return
    model = resources.pipeline(query.model_id)
    words = model.target_tokenizer
    if words.token(offered[row]) != END:
        state.assign(state.BEGINNING, words.decode([*model.prompt_ids(query.prompt), offered[row]]))
    elif query.prompt:
        go_to_score(query.prompt)
