"""The blocks of the Story page: the answer, the sentences it looked at, what other models say, and what they can and cannot do."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import streamlit as st

from demo import resources, state
from demo.blocks import answer, steer_from
from demo.blocks.player import play, player, showing
from demo.components.events import choice
from demo.components.outputs.mount import Figure, Row, output_table
from demo.lab import Queries, info_of
from demo.labs.story import LAB, facts
from demo.query import Query
from demo.wording import chance, listed, plain, quoted
from seq2seq_core.inputs.words import WordTokenizer
from seq2seq_core.trace.looks import last_looks

if TYPE_CHECKING:
    from seq2seq_core.trace.trace import DecodeTrace

KNOWN, FAILED = 99, 90  # per cent right: from here on a kind of question is said to be known, and below there to fail
LOOKS = ("1st look", "2nd look", "3rd look")
P = Figure("p", tip="The probability of the whole answer, after the story and the question.")
RIGHT = Figure("right", tip="Of the questions of this kind about held-back stories, in per cent.")
LOOKED = Figure(
    "looked",
    tip="Of the answers of the first model that looks: how often the sentence it looked at most is one that tells the answer, in per cent.",
)


def words(query: Query) -> WordTokenizer:
    answer.load(query.model_id)
    known = resources.pipeline(query.model_id).target_tokenizer
    assert isinstance(known, WordTokenizer)
    return known


def unknown(query: Query) -> bool:
    """Whether a word is not in the small world of the model; then all those are named, and nothing is answered."""
    known = words(query)
    strange = known.unknown(" ".join([*map(str, query.given), query.prompt]))
    if strange:
        named = listed([quoted(word) for word in strange])
        st.error(
            f"The model does not know {named}. It knows {known.size - 4} words, which stand below: tell the story with those.",
            icon=":material/error:",
        )
    return bool(strange)


def result(queries: Queries) -> None:
    """The answer, the player over the sentences, and what each of the last looks found."""
    query = next(iter(queries.values()))
    shown = showing(LAB.name, query)
    trace = answer.trace_of(query)
    hypothesis = answer.hypothesis_of(trace)
    answer.result_line(trace, hypothesis, figures=())
    hear = steer_from.hear(query, trace, hypothesis)
    player(trace, hypothesis, layout=shown.layout(), actions=steer_from.actions(query), on_click=hear)
    steer_from.lead()
    others(queries)
    looked_at(trace, hypothesis, facts(query))


def others(queries: Queries) -> None:
    """What each model answers; a click takes one."""
    names = list(queries)
    if len(names) < 2:
        return
    rows = []
    for place, (name, query) in enumerate(queries.items()):
        trace = answer.trace_of(query)
        given = trace.path()[trace.prompt - 1].total
        values = () if state.simple() else (chance(math.exp(trace.hypotheses[0].total - given)),)
        rows.append(Row(name, trace.hypotheses[0].answer, values, chosen=not place))
    columns = () if state.simple() else (P,)
    output_table(rows, columns, key="answers", title="With and without attention", header="answer", on_choose=lambda: _choose(names))


def _choose(names: Sequence[str]) -> None:
    place = choice("answers", len(names))
    if place is not None:
        state.assign(state.STORY_MODEL, names[place])
        play()


def looked_at(trace: DecodeTrace, hypothesis: int, true: tuple[int, ...]) -> None:
    """The sentences with the weights of the last looks; those that tell the answer stand out, where we know them."""
    found = last_looks(trace, hypothesis)
    if not found.size:
        st.caption("Without attention there is nothing to look at: the whole story is one vector.")
        return
    sentences = trace.grouped(hypothesis).source
    rows = [
        Row(
            str(place + 1), sentence, () if state.simple() else tuple(f"{weight:.2f}" for weight in found[:, place]),
            bars=tuple(float(weight) for weight in found[:, place]), marked=(0, len(sentence)) if place in true else None,
        )
        for place, sentence in enumerate(sentences)
    ]  # fmt: skip
    tips = (
        "While the question’s end went in.",
        "While the first pause went in: it knows what the first look found.",
        "At the answer: it knows both.",
    )
    columns = [Figure(name, tip=tip) for name, tip in zip(LOOKS, tips, strict=True)]
    note = "The marked sentences tell the answer: we wrote the story, and say so." if true else ""
    output_table(rows, columns, key="looks", title="Where it looked before the answer", note=note, header="sentence")


def vocabulary(query: Query) -> None:
    with st.expander(f"All {words(query).size - 4} words it knows"):
        st.caption(plain(" ".join(sorted(words(query).words, key=str.lower))))


def kinds(queries: Queries) -> None:
    """What the models can and cannot do: a row for each kind of question, as their cards have it."""
    scored = {name: scores for name, query in queries.items() if (scores := _scores(query.model_id))}
    if not scored:
        return
    first = next((scores for scores in scored.values() if "looked_kinds" in scores), next(iter(scored.values())))
    order = sorted(first["kinds"], key=lambda kind: (-first["kinds"][kind], kind))
    known = [named(kind) for kind in order if first["kinds"][kind] >= KNOWN]
    failed = [named(kind) for kind in reversed(order) if first["kinds"][kind] < FAILED]
    told = [
        f"At {KNOWN} % and more: {listed(known)}." if known else "",
        f"What it cannot do, below {FAILED} %: {listed(failed)}." if failed else "",
    ]
    rows = []
    for kind in order:
        values = [f"{scores['kinds'].get(kind, math.nan):.0f}" for scores in scored.values()]
        looked = first.get("looked_kinds", {}).get(kind)
        rows.append(Row("", named(kind), (*values, "–" if looked is None else f"{looked:.0f}")))
    columns = [*(Figure(name, tip=RIGHT.tip) for name in scored), LOOKED]
    note = " ".join(filter(None, told))
    output_table(rows, columns, key="kinds", title="What it can and cannot do", note=note, header="kind of question", dense=True)


def _scores(model_id: str) -> dict[str, Any] | None:
    info = info_of(model_id)
    scores = info.card.get("scores", {}).values() if info else ()
    return next((found for found in scores if "kinds" in found), None)


def named(kind: str) -> str:
    """qa1_single-supporting-fact -> single supporting fact"""
    return kind.partition("_")[2].replace("-", " ") or kind
