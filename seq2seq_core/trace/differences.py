"""Where two outputs part."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from seq2seq_core.inputs.tokenizer import EOS

if TYPE_CHECKING:
    from seq2seq_core.trace.nodes import Node
    from seq2seq_core.trace.trace import DecodeTrace


@dataclass(frozen=True, slots=True)
class Parting:
    """The step, counted from 0, at which two outputs take different tokens, and what they share before."""

    step: int
    before: str
    one: Node
    other: Node


def first_difference(one: Sequence[object], other: Sequence[object]) -> int | None:
    """The first place where two sequences differ: the end of the shorter if it begins the longer, None if they are the same."""
    for place, (a, b) in enumerate(zip(one, other, strict=False)):
        if a != b:
            return place
    return min(len(one), len(other)) if len(one) != len(other) else None


def greedy_says_the_same(trace: DecodeTrace) -> bool:
    """Whether every token of the best output is the likeliest where it stands, the end sign too: then greedy search ends there."""
    table = trace.nodes
    path = table.path(trace.hypotheses[0].node)
    taken = table.token_id[path]
    return bool(taken[-1] == EOS and (table.candidate_ids[table.row[path], 0] == taken).all())


def parting(one: DecodeTrace, other: DecodeTrace) -> Parting | None:
    """Of the best outputs of two traces; None when neither takes another token where both go on."""
    a, b = one.path(), other.path()
    step = first_difference([(node.token_id, node.token) for node in a], [(node.token_id, node.token) for node in b])
    if step is None or step >= min(len(a), len(b)):
        return None
    return Parting(step, "".join(node.token for node in a[:step]).strip(), a[step], b[step])
