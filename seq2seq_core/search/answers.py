"""A task with only so many answers: what may be said next, for each row of a search."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from seq2seq_core.inputs.tokenizer import BOS, EOS, UNK, Tokenizer
from seq2seq_core.trace.nodes import Ints

Following = Mapping[tuple[int, int], tuple[int, ...]]  # (how many tokens of it are said, the last of them) -> those that may follow


def following(answers: Sequence[str], tokenizer: Tokenizer, why: str = "") -> Following:
    """Empty where anything may be said. An answer that the vocabulary cannot spell is none. `why`: the sign that follows each, and then
    anything may be said."""
    found: dict[tuple[int, int], tuple[int, ...]] = {}
    for answer in answers:
        ids = tokenizer.encode(answer + why).ids
        if UNK in ids:
            continue
        for place, (last, token) in enumerate(zip((BOS, *ids), ids if why else (*ids, EOS), strict=False)):
            found[place, last] = tuple(dict.fromkeys((*found.get((place, last), ()), token)))
    return found


@dataclass(frozen=True, slots=True)
class Answers:
    """The answers of a batch. Whoever forces another word is free to go on from it."""

    begin: tuple[int, ...]  # [B] the step at which the answer of each sentence begins
    following: Following
    once: bool = False  # a reason follows, in which no answer is given again

    @property
    def widest(self) -> int:
        """How many tokens there are to choose from at most."""
        return max(map(len, self.following.values()))

    @property
    def longest(self) -> int:
        """Tokens of an answer at most, the end sign included."""
        return 1 + max(place for place, _ in self.following)

    def limit(self, logprobs: Tensor, step: int, tokens: Tensor, sentence: Ints) -> None:
        """Take from the distributions [R, V] what is no answer after the previous tokens [R]."""
        for row, one, last in zip(logprobs, sentence.tolist(), tokens.tolist(), strict=True):
            self._limit(row, step - self.begin[one], last)

    def limit_all(self, logprobs: Tensor, before: Tensor) -> None:
        """The same for all steps of given outputs: distributions [B, T, V] after the tokens [B, T]."""
        for rows, begin, tokens in zip(logprobs, self.begin, before.tolist(), strict=True):
            for step in range(begin, len(rows)):
                self._limit(rows[step], step - begin, tokens[step])

    def _limit(self, row: Tensor, place: int, last: int) -> None:
        allowed = self.following.get((place, last if place else BOS))
        if allowed is None and self.once and place > 0:
            row[list(self.following[0, BOS])] = -torch.inf
        if allowed is not None:
            kept = torch.full_like(row, -torch.inf)
            kept[list(allowed)] = row[list(allowed)]
            row.copy_(kept)
