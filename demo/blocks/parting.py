"""Greedy against beam: the step where the two part, in words and numbers."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

from demo.tasks import TASKS
from demo.wording import END, called
from seq2seq_core.config import DecodeSettings

if TYPE_CHECKING:
    from seq2seq_core.trace.differences import Parting
    from seq2seq_core.trace.trace import DecodeTrace, Node


def other_search(settings: DecodeSettings, beam_size: int, length_penalty: float) -> DecodeSettings | None:
    """What to compare with: greedy for a beam, a beam for greedy, nothing for a sample."""
    if settings.search == "beam":
        return replace(DecodeSettings(search="greedy"), max_length=settings.max_length) if settings.beam_size > 1 else None
    if settings.search == "greedy":
        return DecodeSettings(beam_size=max(2, beam_size), length_penalty=length_penalty, max_length=settings.max_length)
    return None


def sentence(found: Parting, greedy: DecodeTrace, beam: DecodeTrace, *, words: bool = True) -> str:
    """What happened there, counted as the player counts: in words or in pieces. As plain text, not Markdown."""
    after = f"after “{found.before}”" if found.before else "at the very beginning"
    gain = beam.hypotheses[0].total - greedy.hypotheses[0].total
    likelier = math.exp(min(abs(gain), 50))
    end = f"The beam’s output is {likelier:.3g} times as likely as the greedy one." if gain > 0.005 else _no_gain(gain, likelier)
    return (
        f"They part at {place(greedy, found.step, words)}, {after}: greedy takes {name(found.one)}, "
        f"the beam’s best output has {name(found.other)}. {end}"
    )


def place(trace: DecodeTrace, step: int, words: bool) -> str:
    """A step as the player counts it: the word, piece, grapheme or character."""
    letters = (row := TASKS.get(trace.task)) is not None and row.unit == "letters"
    if not words:
        return f"{'character' if letters else 'piece'} {step + 1}"
    groups = trace.hypotheses[0].groups
    return f"{'grapheme' if letters else 'word'} {len(set(groups[: step + 1]))}"


def name(node: Node) -> str:
    """A token with its probability."""
    return f"{called(node.token, 'the end sign')} (p = {math.exp(node.logprob):.2f})"


def _no_gain(gain: float, likelier: float) -> str:
    if gain < -0.005:
        return f"Greedy’s output is {likelier:.3g} times as likely; the beam prefers its own for its length."
    return "Both outputs are equally likely."


def span(trace: DecodeTrace, step: int) -> tuple[int, int]:
    """The part of the output's text that the token at a step wrote."""
    text, tokens = trace.text(), trace.tokens()
    before = "".join(tokens[:step]).strip()
    whole = "".join(tokens[: step + 1]).strip()
    if step >= len(tokens) or tokens[step] == END or not text.startswith(whole):
        return len(text), len(text)
    begin = len(before) + (1 if whole[len(before) :].startswith(" ") else 0)
    return begin, len(whole)
