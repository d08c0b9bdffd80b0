"""The same decoder with nothing, with a sentence and with a picture: one distribution over the next word, and what it is given."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import streamlit as st

from demo import assets, controls, resources, state
from demo.blocks import widgets
from demo.blocks.widgets import LOG_P, signed
from demo.components.outputs.mount import Figure, Row, output_line, output_table
from demo.components.word_strip.data import chance, label
from demo.query import Asset, Query
from demo.wording import plain, told_apart
from seq2seq_core.config import DecodeSettings
from seq2seq_core.study.measures import entropy_bits

if TYPE_CHECKING:
    from demo.fields import NameField

CONDITION_HEIGHT = 160  # pixels
CHOSEN_PHOTO = "condition_photo"
SHOWN = 6  # candidates
GREEDY = DecodeSettings(search="greedy", max_length=60)  # pieces after the words
OWN = DecodeSettings(search="sample")  # temperature 1: the model's own distribution


@dataclass(frozen=True, slots=True)
class Panel:
    """One column: a decoder and what it is conditioned on."""

    task: str
    models: NameField
    given: str
    formula: str


PANELS = (
    Panel("language", state.LANGUAGE_MODEL, "nothing", r"$p(y_t \mid y_{<t})$"),
    Panel("translation", state.TRANSLATION_MODEL, "a sentence", r"$p(y_t \mid y_{<t}, c)$"),
    Panel("captioning", state.CAPTION_MODEL, "a picture", r"$p(y_t \mid y_{<t}, c)$"),
)


def conditions() -> None:
    """Controls on one line, then a panel for each condition."""
    first, second, third = st.columns(3, gap="medium")
    with first:
        prefix = controls.line(state.AFTER, placeholder="Empty: from the start").strip()
    with second:
        sentence = controls.line(state.SENTENCE, placeholder="Type a German sentence").strip()
    with third:
        photo = choose_photo()
    for panel, place in zip(PANELS, st.columns(3, gap="medium"), strict=True):
        with place:
            show(panel, prefix, sentence, photo)


def choose_photo() -> Asset:
    """A sample, or the photo that was brought along from the Caption page."""
    shown = assets.shown()
    titles = {sample.name: sample.title for sample in assets.SAMPLES}
    names = [*titles] if shown.name in titles else [shown.name, *titles]
    st.selectbox(
        state.PHOTO.label, names, names.index(shown.name), key=CHOSEN_PHOTO, on_change=take_photo,
        format_func=lambda name: titles.get(name, "your photo"),
    )  # fmt: skip
    return shown


def take_photo() -> None:
    name = str(st.session_state.get(CHOSEN_PHOTO, ""))
    if name in {sample.name for sample in assets.SAMPLES}:
        assets.take_sample(name)


def show(panel: Panel, prefix: str, sentence: str, photo: Asset) -> None:
    st.markdown(f"#### Given {panel.given}\n\n{panel.formula}")
    with st.container(height=CONDITION_HEIGHT, border=True, vertical_alignment="center", horizontal_alignment="center"):
        if panel.task == "language":
            st.markdown("*nothing: c is empty*", width="content")
        elif panel.task == "translation":
            st.markdown(f"#### {plain(sentence)}", width="content", text_alignment="center")
        else:
            st.image(assets.photo_url(photo, assets.SMALL_SIDE), width=photo_width(photo))
    variants = [info.variant for info in resources.installed(panel.task)]
    if not variants:
        widgets.no_model(panel.task)
    elif panel.task == "translation" and not sentence:
        st.info("Type a German sentence.", icon=":material/edit:")
    else:
        model_id = f"{panel.task}/{panel.models.among(state.current(panel.models), variants)}"
        given: dict[str, tuple[str | Asset, ...]] = {"translation": (sentence,), "captioning": (photo,)}
        answer(Query(model_id, given.get(panel.task, ()), prefix, GREEDY))


def photo_width(photo: Asset) -> int:
    """As wide as it can be and still stand in its box whole."""
    width, height = assets.image(photo).size
    return round(min(270.0, (CONDITION_HEIGHT - 34) * width / height))


def answer(query: Query) -> None:
    """The distribution after the same words, and how the model goes on from there."""
    widgets.load(query.model_id)
    trace = resources.answer(query)
    best = trace.path()[trace.prompt].candidates[:SHOWN]
    own = resources.chances(query, (OWN,))[0]
    bits = float(entropy_bits(own))
    shares = [math.exp(one.logprob) for one in best]
    told = told_apart(shares, [*map(chance, shares)])
    rows = [Row("", label(one.token), (said,), share=p, chosen=one is best[0]) for one, p, said in zip(best, shares, told, strict=True)]
    title = f"After “{widgets.shortened(query.prompt)}”" if query.prompt else "The first piece"
    many = 2**bits
    note = f"Entropy {bits:.1f} bit, as of {many:,.{0 if many >= 10 else 1}f} equal chances."
    output_table(rows, (Figure("p"),), key=f"next_{trace.task}", title=title, header="piece", note=note)
    figures = [Figure("log p", signed(trace.hypotheses[0].total), LOG_P.tip)]
    output_line(trace.text(), figures, key=f"output_{trace.task}", note=f"{query.model_id}, greedy")
