"""Stories and questions for training, with the sentences that tell each answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from seq2seq_core.inputs.tokenizer import Tokenizer
from seq2seq_core.inputs.words import WordTokenizer
from seq2seq_core.tasks import TASKS
from seq2seq_core.training.readers import Example, Row, TextBatches, read_rows

TASK = TASKS["story"]


@dataclass(frozen=True, slots=True)
class StoryData(TextBatches):
    """A recipe's stories: those to learn from, and those held back."""

    train: tuple[Row, ...]
    dev: tuple[Row, ...]
    target_tokenizer: Tokenizer
    source_tokenizer: Tokenizer

    @classmethod
    def of(cls, files: Sequence[Path], known: Tokenizer | None) -> StoryData:
        """The last file is held back. One vocabulary: of every word there is, since a story and a question say the same things."""
        *train, dev = ([*read_rows(path, TASK)] for path in files)
        rows = [row for part in train for row in part]
        words = known or WordTokenizer.train(text for row in rows for text in (*row.given, row.prompt + TASK.pause, *row.right))
        return cls(tuple(rows), tuple(dev), words, words)

    def examples(self, seed: int) -> list[Example]:
        return self._encode(self.train)

    def dev_examples(self) -> list[Example]:
        return self._encode(self.dev)

    def dev_inputs(self, limit: int) -> tuple[list[str], list[tuple[str, ...]], list[str]]:
        """About `limit` stories, spread over all of them, with their answers and their questions."""
        rows = self.dev[:: max(1, len(self.dev) // limit)]
        return [row.given[0] for row in rows], [row.right for row in rows], [row.prompt for row in rows]

    def _encode(self, rows: Sequence[Row]) -> list[Example]:
        many = self.target_tokenizer.encode_many
        sources, questions = many([row.given[0] for row in rows]), many([row.prompt + TASK.pause for row in rows])
        answers = many([row.right[0] for row in rows])
        return [
            Example(tuple(source), (*question, *answer), len(question), row.facts)
            for source, question, answer, row in zip(sources, questions, answers, rows, strict=True)
        ]


def looked(sentences: Sequence[int | None], facts: Sequence[tuple[int, ...]], kinds: Sequence[str]) -> dict[str, Any]:
    """The share of the outputs, in percent, for which the sentence that was looked at most is one that tells the answer; by kinds too."""
    told = [(one in those, kind) for one, those, kind in zip(sentences, facts, kinds, strict=bool(facts)) if one is not None and those]
    if not told:
        return {}
    share = {name: 100 * np.mean([hit for hit, kind in told if kind == name]).item() for name in sorted({kind for _, kind in told})}
    return {"looked": 100 * np.mean([hit for hit, _ in told]).item(), "looked_kinds": share}
