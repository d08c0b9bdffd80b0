"""The same decoder with nothing, with a sentence and with a picture: one distribution over the next word, and what it is given."""

from __future__ import annotations

import math

import streamlit as st

from demo import controls, resources, state
from demo.blocks import answer
from demo.blocks.answer import LOG_P
from demo.blocks.lettering import lettering, written
from demo.blocks.source import no_model
from demo.blocks.ways_in.photo import take_sample
from demo.components.outputs.mount import Figure, Row, output_line, output_table
from demo.given import assets, photos
from demo.labs.language import CONDITIONS, LAB
from demo.query import Asset, Query
from demo.tasks import TASKS
from demo.wording import chance, piece, plain, shortened, signed, told_apart
from seq2seq_core.config import DecodeSettings
from seq2seq_core.study.measures import entropy_bits

CONDITION_HEIGHT = 160  # pixels
CHOSEN_PHOTO = "condition_photo"
SHOWN = 6  # candidates
OWN = DecodeSettings(search="sample")  # temperature 1: the model's own distribution


FORMULAS = {"nothing": r"$p(y_t \mid y_{<t})$", "a sentence": r"$p(y_t \mid y_{<t}, c)$", "a picture": r"$p(y_t \mid y_{<t}, c)$"}


def conditions() -> None:
    """Controls on one line, then a panel for each condition."""
    first, second, third = st.columns(3, gap="medium")
    with first:
        controls.line(state.AFTER, placeholder="Empty: from the start")
    with second:
        controls.line(state.SENTENCE, placeholder=TASKS["translation"].placeholder)
    with third:
        photo = choose_photo()
    if not state.simple():
        lettering()
    queries = LAB.queries(state.current_values() | {state.PHOTO.key: photo.name})
    for (given, task), place in zip(CONDITIONS.items(), st.columns(3, gap="medium"), strict=True):
        with place:
            show(given, task, photo, queries.get(given))


def choose_photo() -> Asset:
    """A sample, or the photo that was brought along from the Caption page."""
    shown = photos.shown()
    titles = {sample.name: sample.title for sample in photos.SAMPLES}
    names = [*titles] if shown.name in titles else [shown.name, *titles]
    st.selectbox(
        state.PHOTO.label, names, names.index(shown.name), key=CHOSEN_PHOTO, on_change=take_photo,
        format_func=lambda name: titles.get(name, "your photo"),
    )  # fmt: skip
    return shown


def take_photo() -> None:
    name = str(st.session_state.get(CHOSEN_PHOTO, ""))
    if name in {sample.name for sample in photos.SAMPLES}:
        take_sample(name)


def show(given: str, task: str, photo: Asset, query: Query | None) -> None:
    """`query` None: no model of the task is there."""
    row = TASKS[task]
    typed = state.current(row.texts()[0]).strip() if row.reads_text else ""
    st.markdown(f"#### Given {given}" + ("" if state.simple() else f"\n\n{written(FORMULAS[given])}"))
    with st.container(height=CONDITION_HEIGHT, border=True, vertical_alignment="center", horizontal_alignment="center"):
        if not row.fields:
            st.markdown("*nothing*" if state.simple() else "*nothing: c is empty*", width="content")
        elif row.reads_text:
            st.markdown(f"#### {plain(typed)}", width="content", text_alignment="center")
        else:
            st.image(photos.url(photo, assets.SMALL_SIDE), width=photo_width(photo), alt=assets.title(photo))
    if query is None:
        no_model(task)
    elif row.reads_text and not typed:
        st.info(f"{row.placeholder}.", icon=":material/edit:")
    else:
        next_and_on(query)


def photo_width(photo: Asset) -> int:
    """As wide as it can be and still stand in its box whole."""
    width, height = assets.image(photo).size
    return round(min(270.0, (CONDITION_HEIGHT - 34) * width / height))


def next_and_on(query: Query) -> None:
    """The distribution after the same words, and how the model goes on from there."""
    answer.load(query.model_id)
    trace, plainly = resources.answer(query), state.simple()
    best = trace.path()[trace.prompt].candidates[:SHOWN]
    own = resources.chances(query, (OWN,))[0]
    bits = float(entropy_bits(own))
    shares = [math.exp(one.logprob) for one in best]
    told = told_apart(shares, [*map(chance, shares)])
    rows = [
        Row("", piece(one.token), () if plainly else (said,), share=p, chosen=one is best[0])
        for one, p, said in zip(best, shares, told, strict=True)
    ]
    title = f"After “{shortened(query.prompt)}”" if query.prompt else "The first piece"
    many = 2**bits
    note = "" if plainly else f"Entropy {bits:.1f} bit, as of {many:,.{0 if many >= 10 else 1}f} equal chances."
    output_table(rows, () if plainly else (Figure("p"),), key=f"next_{trace.task}", title=title, header="piece", note=note)
    figures = [] if plainly else [Figure("log p", signed(trace.hypotheses[0].total), LOG_P.tip)]
    output_line(trace.text(), figures, key=f"output_{trace.task}", note=query.model_id if plainly else f"{query.model_id}, greedy")
