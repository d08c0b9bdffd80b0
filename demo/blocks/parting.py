"""Greedy against beam: the step where the two part, in words and numbers."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from seq2seq_core.config import DecodeSettings

if TYPE_CHECKING:
    from seq2seq_core.trace.trace import DecodeTrace, Node


@dataclass(frozen=True, slots=True)
class Parting:
    """Where two outputs of one model for one source part."""

    step: int  # counted from 0
    before: str  # the text they share
    greedy: Node
    beam: Node


def other_search(settings: DecodeSettings, beam_size: int, length_penalty: float) -> DecodeSettings | None:
    """What to compare with: greedy for a beam, a beam for greedy, nothing for a sample."""
    if settings.search == "beam":
        return replace(DecodeSettings(search="greedy"), max_length=settings.max_length) if settings.beam_size > 1 else None
    if settings.search == "greedy":
        return DecodeSettings(beam_size=max(2, beam_size), length_penalty=length_penalty, max_length=settings.max_length)
    return None


def part(greedy: DecodeTrace, beam: DecodeTrace) -> Parting | None:
    """The first step where the best outputs differ; None when they are the same."""
    one, other = greedy.path(), beam.path()
    for step, (a, b) in enumerate(zip(one, other, strict=False)):
        if (a.token_id, a.token) != (b.token_id, b.token):
            return Parting(step, "".join(node.token for node in one[:step]).strip(), a, b)
    return None


def sentence(parting: Parting, greedy: DecodeTrace, beam: DecodeTrace) -> str:
    """What happened there. As plain text, not Markdown."""
    after = f"after “{parting.before}”" if parting.before else "at the very beginning"
    gain = beam.hypotheses[0].total - greedy.hypotheses[0].total
    likelier = math.exp(min(abs(gain), 50))
    end = f"The beam’s output is {likelier:.3g} times as likely as the greedy one." if gain > 0.005 else _no_gain(gain, likelier)
    return (
        f"They part at step {parting.step + 1}, {after}: greedy takes {name(parting.greedy)}, "
        f"the beam’s best output has {name(parting.beam)}. {end}"
    )


def name(node: Node) -> str:
    """A token with its probability."""
    said = "the end sign" if node.token == "</s>" else f"“{node.token.strip() or node.token}”"
    return f"{said} (p = {math.exp(node.logprob):.2f})"


def _no_gain(gain: float, likelier: float) -> str:
    if gain < -0.005:
        return f"Greedy’s output is {likelier:.3g} times as likely; the beam prefers its own for its length."
    return "Both outputs are equally likely."


def span(trace: DecodeTrace, step: int) -> tuple[int, int]:
    """The part of the output's text that the token at a step wrote."""
    text, tokens = trace.text(), trace.tokens()
    before = "".join(tokens[:step]).strip()
    whole = "".join(tokens[: step + 1]).strip()
    if step >= len(tokens) or tokens[step] == "</s>" or not text.startswith(whole):
        return len(text), len(text)
    begin = len(before) + (1 if whole[len(before) :].startswith(" ") else 0)
    return begin, len(whole)
