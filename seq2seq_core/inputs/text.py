"""A typed text: checked, and made into the tokens a model reads."""

from __future__ import annotations

import unicodedata

from seq2seq_core.errors import InputError
from seq2seq_core.inputs.part import Part
from seq2seq_core.inputs.tokenizer import UNK, Tokenizer

LONGEST_TEXT = 2_000  # characters
LONGEST_SOURCE = 1_000  # tokens


def check_text(text: str, longest: int = LONGEST_TEXT) -> str:
    """The text in Unicode's composed form, or the sentence that says why it cannot be read."""
    if not isinstance(text, str):
        raise InputError(f"The text is {type(text).__name__}; it must be a string.")
    text = unicodedata.normalize("NFC", text)
    if not text:
        raise InputError("The text is empty; type something.")
    if not text.strip():
        raise InputError("The text has only spaces; type something.")
    if len(text) > longest:
        raise InputError(f"The text has {len(text):,} characters; at most {longest:,} are allowed, so shorten it.")
    for place, character in enumerate(text, 1):
        kind = unicodedata.category(character)
        if kind == "Cs":
            raise InputError(f"Character {place} is half of a surrogate pair (U+{ord(character):04X}), not a character; type it again.")
        if kind == "Cc" and character not in "\t\n\r":
            raise InputError(f"Character {place} is a control character (U+{ord(character):04X}); remove it.")
    return text


def read_text(name: str, text: str, tokenizer: Tokenizer, longest: int = LONGEST_TEXT) -> Part:
    """What the model reads of a text: a part with a position for each token."""
    text = check_text(text, longest)
    encoding = tokenizer.encode(text)
    if len(encoding.ids) > LONGEST_SOURCE:
        raise InputError(
            f"The text has {len(encoding.ids):,} tokens for this model; at most {LONGEST_SOURCE:,} can be read, so shorten it."
        )
    return Part.of_text(name, text, encoding)


def known_ids(text: str, tokenizer: Tokenizer) -> tuple[int, ...]:
    """The tokens of a text the model is to say or to go on from; none for an empty one, and each must be one it knows."""
    if not text:
        return ()
    encoding = tokenizer.encode(check_text(text))
    unknown = [token for token, i in zip(encoding.tokens, encoding.ids, strict=True) if i == UNK]
    if unknown:
        raise InputError(f"{unknown[0]!r} is not in this model's output vocabulary; leave it out.")
    return encoding.ids
