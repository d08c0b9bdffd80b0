"""A conversation, of which the model reads the last turns and says what comes next."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from demo import resources, state
from demo.blocks.drawing import line, text
from demo.lab import Lab, Queries, Shape, Traces, Values, asked, named
from demo.query import Query
from demo.tasks import CONTEXT, REPLY_MODEL
from seq2seq_core.inputs.turns import BETWEEN, joined, turns_of
from seq2seq_core.tasks import TASKS

TASK, PRIOR = "reply", "prior"
READ = TASKS[TASK].reads[0].turns  # so many of the last turns
KEPT = 40  # turns that a link holds
LONGEST = 300  # signs of one turn
VARIETY = Path(__file__).parent / "variety.json"  # by tools/reply_variety.py: how different the replies of each search are
NAMED = """
monday tuesday wednesday thursday friday saturday sunday january february april june july august september october november december
english american chinese french german spanish italian japanese america england china france london paris christmas mr mrs ms dr
"""
NAMES = frozenset(NAMED.split())
_BEGINS = re.compile(r"(?:^|[.!?]\s+)[\"']?([A-Za-z])")
_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")


def queries(values: Values) -> Queries:
    """The reply to all that was said; or, where another turn is opened, what the model thinks of that one."""
    turns, opened = turns_of(values[CONTEXT.key]), values[state.TURN.key]
    scored = turns[opened - 1] if 1 < opened <= len(turns) else ""
    own = asked(TASK, {**values, CONTEXT.key: joined(turns[: opened - 1] if scored else turns, READ)})
    return {values[REPLY_MODEL.key]: replace(own, target=scored)}


def expected(reply: str) -> Query | None:
    """How likely a reply is whatever was said before: the language model of replies, where it is installed."""
    there = any(info.variant == PRIOR for info in resources.installed(TASK))
    return Query(named(TASK, PRIOR), target=reply) if there and reply.strip() else None


def conversation(turns: Sequence[str]) -> str:
    """As a link holds it: the last turns, without the sign that stands between them."""
    return joined([turn.replace(BETWEEN, "/") for turn in turns], KEPT)


def capitalised(reply: str, context: str) -> str:
    """A reply in small letters as people write it: with the capitals of sentences, of I, of a few names, and of words of the context."""
    inner: dict[str, str] = {}
    for turn in turns_of(context):
        begins = {match.start(1) for match in _BEGINS.finditer(turn)}
        inner |= {match[0].lower(): match[0] for match in _WORD.finditer(turn) if match.start() not in begins}

    def spelt(match: re.Match[str]) -> str:
        word = match[0]
        if word == "i" or word.startswith("i'"):
            return "I" + word[1:]
        if word.partition("'")[0] in NAMES:
            return word.capitalize()
        seen = inner.get(word, word)
        return word if seen.isupper() else seen  # who shouts writes no names

    return _BEGINS.sub(lambda match: match[0][:-1] + match[1].upper(), _WORD.sub(spelt, reply))


@cache
def variety() -> dict[str, Any]:
    """What was measured; empty where nothing was."""
    found: dict[str, Any] = json.loads(VARIETY.read_text(encoding="utf-8")) if VARIETY.is_file() else {}
    return found


def picture(traces: Traces) -> list[Shape]:  # noqa: ARG001  a drawing, not a trace
    """Three turns from two sides, and the reply that comes of them."""
    shapes: list[Shape] = []
    for left, right, y in ((20, 168, 18), (150, 300, 48), (20, 204, 78)):
        shapes.append(line([(left + 8, y), (right - 8, y)], role="faint", width=18))
    for x, y in ((292, 57), (60, 87), (120, 87)):
        shapes.append(line([(x, y), (236, 110)], role="attention", width=2, curved=True))
    shapes.append(line([(172, 119), (298, 119)], role="accent", width=22))
    return [*shapes, text(40, 119, "What comes next?", size=15, role="quiet")]


LAB = Lab(
    "reply",
    "Reply",
    "Applications",
    "forum",
    "A chat with a small model that reads the last three turns, and why the likeliest reply is the one that fits everywhere.",
    queries,
    picture,
    needs=TASK,
)
