"""What was answered: the large line with its scores, the other outputs, and greedy against beam."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import streamlit as st

from demo import examples, resources, state
from demo.blocks.export_menu import export_menu
from demo.blocks.parting import other_search, sentence, span
from demo.blocks.player import play
from demo.blocks.take_along import take_along
from demo.components.events import choice
from demo.components.outputs.mount import Chance, Figure, Row, output_line, output_table
from demo.lab import info_of, trained_on
from demo.query import Asset, Query
from demo.rare import rare_words
from demo.wording import END, listed, plain, quoted, score_rule, signed
from seq2seq_core.config import MAX_STEPS
from seq2seq_core.trace.differences import greedy_says_the_same, parting

if TYPE_CHECKING:
    from seq2seq_core.trace.trace import DecodeTrace

MOST_NAMED = 4  # rare words in one sentence
UNKNOWN = 3  # the token id of a sign that is not in the vocabulary
LOG_P = Figure("log p", tip="Natural logarithm of the probability of the whole output, its end included.")
TOKENS = Figure("tokens", tip="Length of the output in tokens, the end sign included.")


def trace_of(query: Query) -> DecodeTrace:
    """The stored trace of an example, else the answer of the model; loading it for the first time shows how far it is."""
    known = examples.stored(query)
    if known is not None:
        return known
    load(query.model_id)
    return resources.answer(query)


def load(model_id: str) -> None:
    """Get a model ready, and say what is being done when that takes a while."""
    if resources.is_loaded(model_id):
        return
    place = st.empty()
    bar = place.progress(0.1, "Starting PyTorch")
    resources.prepare()
    bar.progress(0.5, f"Reading the weights of {plain(model_id)}")
    resources.pipeline(model_id)
    bar.progress(1.0, "Decoding")
    place.empty()


def hypothesis_of(trace: DecodeTrace) -> int:
    """The hypothesis that the link or a click names, counted from 0."""
    return min(state.current(state.HYPOTHESIS), len(trace.hypotheses)) - 1


def result_line(
    trace: DecodeTrace, hypothesis: int, *, language: str = "en", note: str = "", asset: Asset | None = None,
    figures: Sequence[Figure] | None = None, beside: Callable[[], None] | None = None, text: str = "",
    narrow: bool = False,
) -> None:  # fmt: skip
    """The output, its scores, and a way to take it along. `figures`: others than those of a whole output; `beside`: draws there.

    `text`: how the output is to be read, where that is not as it was written; `narrow`: in half a page.

    What was given to the decoder beside a source is no part of its answer.
    """
    found = trace.hypotheses[hypothesis]
    if figures is None:
        each = Figure("per token", signed(found.total / found.length), "The log-probability divided by the number of tokens.")
        figures = [replace(LOG_P, value=signed(found.total)), each]
        if asset is None:  # captions are long enough to need the room
            figures.append(replace(TOKENS, value=str(found.length)))
    if state.simple():
        figures = []
    left, *middle, right = st.columns([3, 4, 1] if beside else [3 if narrow else 6, 1], vertical_alignment="center", gap="small")
    for place in middle:
        with place:
            if beside:
                beside()
    with left:
        said = found.answer if trace.parts else found.text
        output_line(text or said, figures, key="result", language=language, note=note, chances=tinted(trace, hypothesis, said))
    with right:
        export_menu(trace, hypothesis, asset=asset)
    if found.length >= trace.max_length and trace.path(hypothesis)[-1].token != END:
        _say_if_shortened(trace)


@dataclass(frozen=True, slots=True)
class WordChance:
    """A word of an output, and its probability after those before it: that of all its pieces."""

    word: str
    p: float
    own: bool  # the model's, and not given to go on from or forced


def word_chances(trace: DecodeTrace, hypothesis: int = 0) -> list[WordChance]:
    """The words in their order; the end sign is none."""
    found, path = trace.hypotheses[hypothesis], trace.path(hypothesis)
    told = []
    for place, word in enumerate(found.words):
        steps = [step for step, group in enumerate(found.groups) if group == place]
        if any(path[step].token_id > UNKNOWN for step in steps):
            own = steps[0] >= trace.prompt and not any(path[step].forced for step in steps)
            told.append(WordChance(word, math.exp(sum(path[step].logprob for step in steps)), own))
    return told


def tinted(trace: DecodeTrace, hypothesis: int, text: str) -> list[Chance]:
    """Where the model's own words stand in what is shown of the output."""
    at, found = 0, []
    for one in word_chances(trace, hypothesis):
        word = one.word.strip()
        begin = text.find(word, at)
        if begin < 0:
            continue
        at = begin + len(word)
        if one.own:
            found.append(Chance(begin, at, one.p))
    return found


def learnt(model_id: str) -> str:
    """What the model learnt from, and what follows."""
    info = info_of(model_id)
    data = trained_on(info) if info else ""
    return f"The model learnt from {data}. It will be wrong about much else, and say it with the same confidence." if data else ""


def _say_if_shortened(trace: DecodeTrace) -> None:
    """Not what the settings allow, but what memory does."""
    from seq2seq_core.search.job import length_limit

    if trace.max_length < min(length_limit(trace.settings, trace.task, trace.positions) + trace.prompt, MAX_STEPS):
        st.caption(
            f"Cut after {trace.max_length:,} tokens: the attention of more over {trace.positions:,} positions would not fit in memory. "
            "A shorter source or a smaller beam leaves room for more."
        )


def score_column(trace: DecodeTrace) -> Figure:
    return Figure("score", tip=f"{score_rule(trace.settings.length_penalty, listed=trace.is_listed)}: the best is the highest.")


def n_best(trace: DecodeTrace, hypothesis: int, *, key: str = "n_best", language: str = "en") -> None:
    """All hypotheses of a beam, best first; a click plays one with its own attention."""

    def hear() -> None:
        choose_hypothesis(key)

    if state.simple():
        plainly = [Row(str(i + 1), found.text, chosen=i == hypothesis) for i, found in enumerate(trace.hypotheses)]
        output_table(plainly, (), key=key, title="What else it might have said", language=language, on_choose=hear)
        return
    rows = [
        Row(str(i + 1), found.text, (signed(found.score), signed(found.total), str(found.length)), chosen=i == hypothesis)
        for i, found in enumerate(trace.hypotheses)
    ]
    columns = (score_column(trace), LOG_P, TOKENS)
    output_table(rows, columns, key=key, title="Hypotheses", language=language, on_choose=hear)
    take_along(trace.hypotheses_frame, key=f"{key}_numbers", name="Hypotheses", tips={"score": columns[0].tip, "logprob": LOG_P.tip})


def choose_hypothesis(key: str) -> None:
    """Callback of a table of outputs: the chosen one is shown, and plays."""
    row = choice(key)
    if row is not None:
        state.remember(state.HYPOTHESIS, row + 1)
        play()


def greedy_against_beam(query: Query, trace: DecodeTrace, *, language: str = "en") -> None:
    """Greedy and beam under each other when their outputs differ, with the step where they part."""
    other = other_search(query.settings, state.current(state.BEAM), state.current(state.LENGTH))
    if other is None or state.simple():
        return
    beam_first = query.settings.search == "beam"
    name = f"Greedy against beam {(query.settings if beam_first else other).beam_size}"
    found = None
    if not (beam_first and greedy_says_the_same(trace)):  # a second decode would cost half as much again
        second = trace_of(replace(query, settings=other))
        greedy, beam = (second, trace) if beam_first else (trace, second)
        found = parting(greedy, beam)
    if found is None:
        st.caption(f"{name}: both give the same output here.")
        return
    rows = [
        Row(lead, one.text(), (signed(one.hypotheses[0].total),), marked=span(one, found.step))
        for lead, one in (("greedy", greedy), ("beam", beam))
    ]
    output_table(
        rows,
        (LOG_P,),
        key="greedy_beam",
        title=name,
        note=sentence(found, greedy, beam, words=state.current(state.WORDS)),
        language=language,
    )


def top_outputs(trace: DecodeTrace, hypothesis: int, *, count: int = 5, key: str = "top", language: str = "en") -> None:
    """The best whole outputs with their probabilities as bars, and what a list of words makes of them; a click plays one."""
    shown = trace.hypotheses[:count]
    chances = [math.exp(found.total) for found in shown]
    common = [trace.prior(found.node) for found in shown]
    columns: tuple[Figure, ...] = (Figure("probability", tip="Of the whole output: the product over its steps, the end included."),)
    note = f"Together {sum(chances):.2f} of all probability; the rest lies on outputs that are not shown."
    if any(common):
        columns += (Figure("word list", tip="By how much it counts more because it is a common word."),)
        note += " They stand in the order of both together: the letters are the model’s, the words are a list’s."
    rows = [
        Row(
            str(i + 1), found.text, (f"{chance:.3f}", f"× {math.exp(worth):.0f}" if worth else "")[: len(columns)],
            share=chance, chosen=i == hypothesis,
        )
        for i, (found, chance, worth) in enumerate(zip(shown, chances, common, strict=True))
    ]  # fmt: skip
    output_table(rows, columns, key=key, title=f"Top {len(rows)}", note=note, language=language, on_choose=lambda: choose_hypothesis(key))


def rare(trace: DecodeTrace) -> None:
    """Say which words of the source the model hardly knows, and why; the player underlines them."""
    words = rare_words(trace)
    if not words:
        return
    named = listed([f"{quoted(word.text)} ({plain('·'.join(word.pieces))})" for word in words[:MOST_NAMED]])
    one = len(words) == 1
    what = "it in small pieces and may guess what it means" if one else "them in small pieces and may guess what they mean"
    more = f", and {len(words) - MOST_NAMED} more," if len(words) > MOST_NAMED else ""
    st.caption(f"Underlined: {named}{more} {'is a rare word' if one else 'are rare words'} to this model, which reads {what}.")


def unknown_signs(trace: DecodeTrace) -> None:
    """Say which signs of the source the model has no symbol for."""
    read = [pair for part in trace.parts if part.kind == "text" for pair in zip(part.labels, part.ids, strict=True)]
    unknown = dict.fromkeys(token for token, i in read if i == UNKNOWN)
    if unknown:
        st.caption(f"This model does not know {', '.join(map(quoted, list(unknown)[:8]))}: it reads a sign for “unknown” there.")
