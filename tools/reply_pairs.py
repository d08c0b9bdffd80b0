"""Writes contexts and replies to learn from: python tools/reply_pairs.py FOLDER OUT

FOLDER holds daily.{train,dev}.tsv (context TAB reply), and conversations: self.tsv (topic TAB conversation), services.train.tsv and
chitchat.tsv. OUT/daily.tsv has the replies of daily.train.tsv and what was said within its contexts, OUT/more.tsv some exchanges of each
conversation, OUT/dev.tsv daily.dev.tsv as models read it, none left out. What is rude by configs/replies/rude.txt is not learnt.
"""

from __future__ import annotations

import random
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from seq2seq_core.inputs.turns import BETWEEN, joined, tidied, turns_of  # noqa: E402
from seq2seq_core.tasks import TASKS  # noqa: E402
from seq2seq_core.training.readers import read_lines, read_pairs  # noqa: E402

SEED = 1
DRAWN = {"self": 1, "services.train": 1, "chitchat": 1}  # exchanges of each conversation
LONGEST, SHORTEST, LONGEST_CONTEXT = 30, 2, 90  # words
MOST_TURNS = TASKS["reply"].reads[0].turns
Pairs = Iterable[tuple[str, str]]


def as_context(text: str) -> str:
    return joined(turns_of(text), MOST_TURNS)


def exchanges(conversation: str) -> Iterator[tuple[str, str]]:
    """Every turn but the first, with the turns before it as its context."""
    turns = turns_of(conversation)
    for place in range(1, len(turns)):
        yield joined(turns[:place], MOST_TURNS), turns[place]


def rude_words(listed: Sequence[str]) -> re.Pattern[str]:
    """What a text is searched with that may hold one of these words or beginnings of words; a line that begins with # is no word."""
    words = [re.escape(line.strip()).replace(r"\*", r"\w*") for line in listed if line.strip() and not line.startswith("#")]
    return re.compile(rf"\b(?:{'|'.join(words)})\b", re.IGNORECASE)


def daily(path: Path) -> Iterator[tuple[str, str]]:
    """Every reply, and the turns of the contexts, which are replies to what stands before them."""
    for context, reply in read_pairs(path):
        yield as_context(context), tidied(reply)
    for context in dict.fromkeys(context for context, _ in read_pairs(path)):
        yield from exchanges(context)


def drawn(path: Path, count: int) -> Iterator[tuple[str, str]]:
    """Some exchanges of each conversation."""
    rng = random.Random(SEED)
    for line in read_lines(path):
        found = list(exchanges(line.split("\t")[-1]))
        yield from rng.sample(found, min(count, len(found)))


def fit(pairs: Pairs) -> list[tuple[str, str]]:
    """Each once, without those that are rude, too long, too short or written in signs."""
    rude = rude_words(read_lines(ROOT / "configs" / "replies" / "rude.txt"))
    return [
        (context, reply)
        for context, reply in dict.fromkeys(pairs)
        if SHORTEST <= len(reply.split()) <= LONGEST
        and 0 < len(context.split()) <= LONGEST_CONTEXT
        and reply.isascii()
        and BETWEEN not in reply
        and "http" not in reply
        and not rude.search(f"{context} {reply}")
    ]


def main(folder: Path, out: Path) -> None:
    conversations = [pair for name, count in DRAWN.items() for pair in drawn(folder / f"{name}.tsv", count)]
    parts: dict[str, list[tuple[str, str]]] = {
        "daily": fit(daily(folder / "daily.train.tsv")),
        "more": fit(conversations),
        "dev": [(as_context(context), tidied(reply)) for context, reply in read_pairs(folder / "daily.dev.tsv")],
    }
    out.mkdir(parents=True, exist_ok=True)
    for name, pairs in parts.items():
        (out / f"{name}.tsv").write_text("".join(f"{context}\t{reply}\n" for context, reply in pairs), encoding="utf-8")
    print(", ".join(f"{name} {len(pairs):,}" for name, pairs in parts.items()))


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:3]))
