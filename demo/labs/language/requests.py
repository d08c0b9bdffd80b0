"""What the parts of the Language model page ask of a model, and how one part leads to another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from demo import resources, state
from demo.components.outputs.mount import chosen_row
from demo.components.word_strip.data import END
from demo.state import DecodeRequest
from seq2seq_core.errors import InputError

TASK = "language"
LONGEST_BEGINNING, GOES_ON = 300, 60  # pieces


def continuation(request: DecodeRequest, beginning: str) -> DecodeRequest:
    """Go on from a beginning for so many more pieces. Needs the model's vocabulary, so the model is loaded."""
    begun = len(resources.pipeline(request.model_id).prefix(beginning).prefix)
    if begun > LONGEST_BEGINNING:
        raise InputError(f"The beginning has {begun:,} pieces; at most {LONGEST_BEGINNING} can be gone on from, so shorten it.")
    settings = replace(request.settings, max_length=begun + GOES_ON)
    return replace(request, prefix=beginning, settings=settings)


def go_to_score(sentence: str) -> None:
    """Callback: look at a sentence in the part that scores."""
    state.assign(state.SCORED, sentence)
    state.assign(state.LANGUAGE_PART, "score")
    state.remember(state.AT, state.AT.default)


def write(key: str, request: DecodeRequest, offered: Sequence[int]) -> None:
    """Callback of a table of pieces: the chosen one joins the beginning; the end takes the sentence to its score."""
    row = chosen_row(key)
    if row is None or row >= len(offered):
        return
    model = resources.pipeline(request.model_id)
    words = model.target_tokenizer
    if words.token(offered[row]) != END:
        state.assign(state.BEGINNING, words.decode([*model.prefix(request.prefix).prefix, offered[row]]))
    elif request.prefix:
        go_to_score(request.prefix)
