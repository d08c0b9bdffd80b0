"""The vocabularies of a recipe, made of its training pairs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from seq2seq_core.inputs.tokenizer import CharacterTokenizer, SubwordTokenizer, Tokenizer
from seq2seq_core.training.readers import Pair


@dataclass(frozen=True, slots=True)
class TokenizerSettings:
    """How text is cut: subwords of one joint or two vocabularies, or characters."""

    kind: str = "subword"
    size: int = 6000
    joint: bool = True
    sources: bool = False  # subwords of a model without a source: those of the sources too, so that they are the pieces of one that reads
    lower: bool = False  # subwords: capitals are read as small letters
    unit: str = "codepoint"
    target_unit: str = ""  # characters only: of the outputs, where it is another
    wholes: int = 0  # questions only: so many answers are one token each, whatever they are made of
    dropout: float = 0.0  # subwords only: skip merges at random while training (BPE-dropout)


def vocabularies(settings: TokenizerSettings, pairs: Mapping[Pair, None], reads: bool) -> tuple[Tokenizer | None, Tokenizer]:
    """Of the sources, if the model `reads` text, and of what is said."""
    sources, targets = [pair[0] for pair in pairs], [text for pair in pairs for text in pair[1:]]
    if settings.kind == "character":
        target: Tokenizer = CharacterTokenizer.train(targets, settings.target_unit or settings.unit)  # type: ignore[arg-type]
        return (CharacterTokenizer.train(sources, settings.unit) if reads else None), target  # type: ignore[arg-type]
    if not reads:
        return None, SubwordTokenizer.train(sources + targets if settings.sources else targets, settings.size, settings.lower)
    if settings.joint:
        joint = SubwordTokenizer.train(sources + targets, settings.size, settings.lower)
        return joint, joint
    return SubwordTokenizer.train(sources, settings.size, settings.lower), SubwordTokenizer.train(targets, settings.size, settings.lower)
