"""What the phonemes of the CMU pronouncing dictionary stand for: a letter of the International Phonetic Alphabet, and a word."""

from __future__ import annotations

PHONEMES = {
    "AA": ("ɑ", "father"), "AE": ("æ", "cat"), "AH": ("ʌ", "but"), "AO": ("ɔ", "law"), "AW": ("aʊ", "cow"), "AY": ("aɪ", "my"),
    "B": ("b", "bee"), "CH": ("tʃ", "chair"), "D": ("d", "dog"), "DH": ("ð", "then"), "EH": ("ɛ", "red"), "ER": ("ɝ", "bird"),
    "EY": ("eɪ", "day"), "F": ("f", "fish"), "G": ("ɡ", "go"), "HH": ("h", "hat"), "IH": ("ɪ", "sit"), "IY": ("i", "see"),
    "JH": ("dʒ", "joy"), "K": ("k", "key"), "L": ("l", "leg"), "M": ("m", "man"), "N": ("n", "no"), "NG": ("ŋ", "sing"),
    "OW": ("oʊ", "boat"), "OY": ("ɔɪ", "boy"), "P": ("p", "pen"), "R": ("ɹ", "run"), "S": ("s", "sun"), "SH": ("ʃ", "shoe"),
    "T": ("t", "tea"), "TH": ("θ", "thin"), "UH": ("ʊ", "book"), "UW": ("u", "food"), "V": ("v", "van"), "W": ("w", "we"),
    "Y": ("j", "yes"), "Z": ("z", "zoo"), "ZH": ("ʒ", "vision"),
}  # fmt: skip


def said(text: str) -> str:
    """Phonemes as the letters of the IPA, with a word for each that is not written as it sounds; empty where these are no phonemes."""
    if not text or not all(phoneme in PHONEMES for phoneme in text.split()):
        return ""
    words = legend(text)
    return f"In letters of the International Phonetic Alphabet: [{ipa(text)}]" + (f"; {words}." if words else ".")


def ipa(text: str) -> str:
    return "".join(PHONEMES[phoneme][0] for phoneme in text.split())


def legend(text: str) -> str:
    """A word for each phoneme that is not written as it sounds, in the order in which they come."""
    found = dict.fromkeys(phoneme for phoneme in text.split() if phoneme.lower() != PHONEMES[phoneme][0])
    return ", ".join(f"{phoneme} as in {PHONEMES[phoneme][1]}" for phoneme in found)
