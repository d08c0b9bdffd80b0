"""A person's own text, for a language model that learns it: windows to learn from, and the end of it held out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch

from seq2seq_core.errors import InputError
from seq2seq_core.inputs.tokenizer import BOS, CharacterTokenizer, SubwordTokenizer, Tokenizer
from seq2seq_core.model.seq2seq import Seq2Seq
from seq2seq_core.training.readers import Batch, Example

SHORTEST, LONGEST = 400, 500_000  # characters
MOST_SIGNS, MOST_PIECES = 400, 1500  # of a vocabulary
WINDOWS = 48  # in a batch
WINDOW = {"characters": 72, "words": 28}  # tokens
TESTED = 32  # windows of the end


def check_own(text: str) -> str:
    """The text with plain line ends; InputError says what stands in the way."""
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").strip("\n")
    if not SHORTEST <= len(text) <= LONGEST:
        raise InputError(f"The text has {len(text):,} characters; it takes from {SHORTEST} to {LONGEST:,}.")
    for number, line in enumerate(text.split("\n"), 1):
        if any(sign < " " and sign != "\t" for sign in line):
            raise InputError(f"Line {number} holds a control character; remove it.")
    if len(signs := set(text)) > MOST_SIGNS:
        raise InputError(f"The text has {len(signs)} different signs; at most {MOST_SIGNS} can be learnt.")
    return text


@dataclass(frozen=True, slots=True)
class TextData:
    """Windows of a text, each after the start sign. Nothing ends in the middle of a text, so the end sign is not learnt."""

    target_tokenizer: Tokenizer
    train: tuple[int, ...]  # the tokens of the first nine tenths
    held_out: tuple[int, ...]  # of the last
    window: int
    source_tokenizer: None = None

    def examples(self, seed: int) -> list[Example]:
        starts = torch.randint(len(self.train) - self.window + 1, (WINDOWS,), generator=torch.Generator().manual_seed(seed))
        return [Example((), self.train[start : start + self.window]) for start in starts.tolist()]

    def dev_examples(self) -> list[Example]:
        return []  # `HeldOutText` judges, at its own pace

    def batch(self, examples: list[Example]) -> Batch:
        return windows([one.target for one in examples])


def windows(tokens: Sequence[Sequence[int]]) -> Batch:
    """Of equal length: each token is asked for after all before it."""
    wanted = torch.tensor([list(one) for one in tokens])  # [B, T]
    given = torch.cat([torch.full((len(wanted), 1), BOS), wanted[:, :-1]], 1)
    nothing = torch.zeros(len(wanted), 0, dtype=torch.long)
    return Batch(nothing, torch.zeros(len(wanted), dtype=torch.long), given, wanted)


def prepare_text(text: str, unit: str) -> TextData:
    """Characters, or pieces of words as the text has them."""
    text = check_own(text)
    tokenizer: Tokenizer = (
        CharacterTokenizer.train([text]) if unit == "characters" else SubwordTokenizer.train(text.split("\n"), MOST_PIECES)
    )
    ids = tuple(tokenizer.encode(text).ids)
    kept = len(ids) * 9 // 10
    window = min(WINDOW[unit], len(ids) - kept)
    return TextData(tokenizer, ids[:kept], ids[kept:], window)


class HeldOutText:
    """The share of the tokens of the text's end that a model guesses right, each after those before it."""

    def __init__(self, data: TextData) -> None:
        last = len(data.held_out) - data.window
        starts = sorted({round(last * place / max(1, TESTED - 1)) for place in range(TESTED)})
        self.batch = windows([data.held_out[start : start + data.window] for start in starts])

    @torch.inference_mode()
    def score(self, model: Seq2Seq) -> tuple[float, list[tuple[int, int, int]]]:
        model.eval()
        memory = model.encode_nothing(len(self.batch.lengths))
        guessed = model.step(self.batch.target_in, model.start(memory), memory).logits.argmax(-1)
        return float((guessed == self.batch.target_out).float().mean()), []
