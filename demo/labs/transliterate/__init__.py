"""A word changes its script while it is typed."""

from __future__ import annotations

from dataclasses import replace

from demo import state
from demo.blocks.drawing import WIDTH, line, text, words_of
from demo.lab import Lab, Queries, Shape, Traces, Values, asked
from demo.labs.transliterate.words import split
from seq2seq_core.config import DecodeSettings

TASK, TOP = "transliteration", 5  # how many whole outputs are shown


def queries(values: Values) -> Queries:
    """By log-probability, with the likeliest outputs; several words are asked one by one, for that is what the models learnt."""
    beam = values[state.BEAM.key]
    settings = DecodeSettings(beam_size=beam, length_penalty=0, hypotheses=min(beam, TOP))
    if not values[state.WORD_LIST.key]:
        settings = replace(settings, prior=0)
    words = [word.text for word in split(values[state.WORD.key]) if word.text]
    if len(words) < 2:
        word = words[0] if words else values[state.WORD.key]
        return {values[state.TRANSLITERATION_MODEL.key]: asked(TASK, {**values, state.WORD.key: word}, settings=settings)}
    return {f"{place}  {word}": asked(TASK, {**values, state.WORD.key: word}, settings=settings) for place, word in enumerate(words, 1)}


def picture(traces: Traces) -> list[Shape]:
    """Letters above, joined signs below, and the weights between them as lines."""
    if "transliteration" not in traces:
        return [text(160, 30, "namaste", anchor="middle", size=26), text(160, 108, "नमस्ते", anchor="middle", size=30)]
    source, target, weights = words_of(traces["transliteration"])
    above = [WIDTH * (j + 0.5) / len(source) for j in range(len(source))]
    below = [WIDTH * (i + 0.5) / len(target) for i in range(len(target))]
    shapes = [
        line([(below[i], 92), (above[j], 34)], role="attention", width=10 * float(weights[i, j]), curved=True)
        for i in range(len(target))
        for j in range(len(source))
        if weights[i, j] > 0.08
    ]
    shapes += [text(x, 18, letter, anchor="middle", size=24) for x, letter in zip(above, source, strict=True)]
    return shapes + [text(x, 114, sign, anchor="middle", size=28) for x, sign in zip(below, target, strict=True)]


LAB = Lab(
    "transliterate",
    "Transliterate",
    "Decode",
    "spellcheck",
    "A word in Latin letters becomes Devanagari, Tamil, Telugu, Bengali, or its English sounds, while you type.",
    queries,
    picture,
)
