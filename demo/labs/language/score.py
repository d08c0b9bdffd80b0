"""Scoring a sentence on the Language model page: by one model word for word, and by all installed ones beside each other."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import streamlit as st

from demo import controls, resources, state
from demo.blocks import answer
from demo.blocks.answer import LOG_P
from demo.blocks.source import model_menu
from demo.components.events import choice
from demo.components.outputs.mount import Figure, Row, output_line, output_table
from demo.components.word_strip.data import track
from demo.components.word_strip.mount import word_strip
from demo.lab import trained_on
from demo.labs.language import LAB, TASK, every
from demo.query import Query
from demo.tasks import TASKS
from demo.wording import signed

if TYPE_CHECKING:
    from seq2seq_core.study.likelihood import Reading

PER_WORD = Figure("perplexity", tip="Per word: exp(−log p / words). Punctuation marks and the end of the sentence count as words.")
MANY_SHOWN = 5  # candidates of each model when several are shown


def written(perplexity: float) -> str:
    """Three figures that count; a thousand and more without decimals."""
    return f"{perplexity:,.0f}" if perplexity >= 100 else f"{perplexity:.1f}" if perplexity >= 10 else f"{perplexity:.2f}"


def score() -> None:
    """The sentence as a strip of words, its perplexity, and the distribution at any place."""
    left, middle, right = st.columns([4.6, 1.2, 1], vertical_alignment="bottom", gap="small")
    with left:
        text = controls.line(state.SCORED, placeholder="Type an English sentence, or take an example").strip()
    with middle:
        variant = model_menu(TASKS[TASK])
    with right, st.container(height=46, border=False, vertical_alignment="center"):
        by_word = controls.flag(state.WORDS)
    if not text:
        nothing_typed()
        return
    query = LAB.queries({**state.current_values(), state.LANGUAGE_MODEL.key: variant})[variant]
    answer.load(query.model_id)
    found = resources.reading(query)
    headline(found, by_character(query))
    units = track(variant, found, by_word=by_word, vocabulary=resources.pipeline(query.model_id).target_tokenizer.size)
    word_strip([units], key="strip", chosen=chosen_place(found), on_choose=remember_place)


def by_character(query: Query) -> bool:
    """Whether a model's words are single characters, so that it is told in bits of each."""
    return resources.pipeline(query.model_id).target_tokenizer.kind == "character"


def in_bits(found: Reading) -> None:
    count, bits = len(found.pieces), -found.total / math.log(2)
    figures = [
        Figure("log p", signed(found.total), LOG_P.tip),
        Figure("characters", str(count), "The end of the text included."),
        Figure("perplexity per character", written(found.piece_perplexity), "exp(−log p / characters)."),
    ]
    note = f"−log₂ p / characters = {bits:.1f} / {count} = {bits / count:.2f}"
    output_line(f"{bits / count:.2f} bits per character", figures, key="perplexity", note=note)


def headline(found: Reading, bits: bool = False) -> None:
    """Perplexity, and the numbers it is made of; of a model of characters its bits."""
    if bits:
        in_bits(found)
        return
    words = len(found.words)
    figures = [
        Figure("log p", signed(found.total), LOG_P.tip),
        Figure("words", str(words), "Punctuation marks and the end of the sentence included."),
        Figure("pieces", str(len(found.pieces)), "What the model really reads and writes; a word is one or several."),
        Figure("perplexity per piece", written(found.piece_perplexity), "exp(−log p / pieces): lower, for many words have several pieces."),
    ]
    line = f"Perplexity {written(found.perplexity)} per word"
    note = f"exp(−log p / words) = exp({signed(-found.total)} / {words}) = {written(found.perplexity)}"
    output_line(line, figures, key="perplexity", note=note)


def nothing_typed() -> None:
    st.info("Type a sentence to score, or take one of the examples above.", icon=":material/edit:")


def chosen_place(found: Reading) -> int:
    """The character that the link names, else the last one of the least probable word."""
    at = state.current(state.AT)
    least = min(found.words, key=lambda word: word.logprob)
    return at if 0 <= at <= len(found.text) else max(least.begin, least.end - 1)


def remember_place() -> None:
    """Callback of the strip: the browser has opened the word already; the link shall know."""
    character = choice("strip")
    if character is not None:
        state.remember(state.AT, character)


def models() -> None:
    """The same sentence by every language model that is there."""
    text = controls.line(state.SCORED, placeholder="Type an English sentence, or take an example").strip()
    if not text:
        nothing_typed()
        return
    from seq2seq_core.study.likelihood import perplexity

    infos, queries = every(), LAB.queries(state.current_values())
    for query in queries.values():
        answer.load(query.model_id)
    found = {name: resources.reading(query) for name, query in queries.items()}
    words = min(len(one.words) for one in found.values())  # a model of characters counts others: per word it is held against the same
    perplexities = {name: perplexity(one.total, words) for name, one in found.items()}
    best = min(perplexities, key=perplexities.__getitem__)
    rows = [
        Row(
            info.variant,
            trained_on(info),
            (written(perplexities[info.variant]), signed(found[info.variant].total), str(len(found[info.variant].pieces)),
             written(found[info.variant].piece_perplexity), held_out(info.card)),
            chosen=info.variant == best,
        )
        for info in infos
    ]  # fmt: skip
    columns = (
        PER_WORD,
        LOG_P,
        Figure("pieces", tip="Into how many this model's vocabulary cuts the sentence, the end included."),
        Figure("per piece", tip="Perplexity per piece: models with different vocabularies cannot be compared by it."),
        Figure("held-out", tip="Perplexity per word on text that the model never saw, of its own kind; of characters, bits for each."),
    )
    output_table(
        rows, columns, key="models", title="The same sentence", header="learnt from",
        note="Marked: the lowest perplexity here. Choose a model to score the sentence by it alone.",
        on_choose=lambda: take_model([info.variant for info in infos]),
    )  # fmt: skip
    tracks = [
        track(name, each, by_word=True, vocabulary=resources.pipeline(f"{TASK}/{name}").target_tokenizer.size, shown=MANY_SHOWN)
        for name, each in found.items()
    ]
    word_strip(tracks, key="strip", chosen=chosen_place(found[best]), on_choose=remember_place, entropy=len(tracks) == 1)


def take_model(variants: list[str]) -> None:
    """Callback: the sentence, word for word by the chosen model."""
    row = choice("models", len(variants))
    if row is not None:
        state.assign(state.LANGUAGE_MODEL, variants[row])
        state.assign(state.LANGUAGE_PART, "score")


def held_out(card: Mapping[str, Any]) -> str:
    """The perplexity per word that `evaluate` wrote into the card, or its bits per character; else none."""
    for scores in (card.get("scores") or {}).values():
        bits, per_word = scores.get("bits_per_character"), scores.get("perplexity")
        if isinstance(bits, int | float):
            return f"{bits:.2f} bit"
        if isinstance(per_word, int | float):
            return written(per_word)
    return "–"
