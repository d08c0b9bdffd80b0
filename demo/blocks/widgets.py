"""Blocks that more than one page uses: the input row, the search row, the output, the player, the other outputs."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

import streamlit as st

from demo import controls, examples, resources, state
from demo.blocks import steer_from
from demo.blocks.parting import other_search, part, sentence, span
from demo.components.events import choice
from demo.components.outputs.mount import Figure, Row, output_line, output_table
from demo.components.player.data import PlayerLayout, player_data
from demo.components.player.mount import attention_player, reported_options
from demo.examples import Example
from demo.fields import NameField, TextField
from demo.own import models
from demo.query import Query
from demo.wording import plain, quoted
from seq2seq_core.config import DecodeSettings

if TYPE_CHECKING:
    from seq2seq_core.trace.trace import DecodeTrace

UNKNOWN = 3  # the token id of a sign that is not in the vocabulary
MAP_HEIGHT = 400  # pixels: a page of 900 shows controls, result and player
EXPORTS = {
    "html": ("Player, one HTML file", "text/html"),
    "png": ("Picture, PNG", "image/png"),
    "svg": ("Picture, SVG", "image/svg+xml"),
    "csv": ("Weights, CSV", "text/csv"),
    "json": ("Whole trace, JSON", "application/json"),
}
LOG_P = Figure("log p", tip="Natural logarithm of the probability of the whole output, its end included.")
TOKENS = Figure("tokens", tip="Length of the output in tokens, the end sign included.")


@dataclass(frozen=True, slots=True)
class Showing:
    """What a page showed last, kept in the session: it tells a new answer, which may be played, from one more look at the old."""

    page: str = ""
    asked: tuple[Query, ...] = ()  # the one whose output is large, and all beside it
    round: int = 0  # another number makes the player begin anew
    autoplay: bool = False
    pressed: bool = False  # a button asked for playing, and the page has not run since


def heading(title: str, offered: Sequence[Example], field: TextField) -> None:
    """The page's title and, on the same line, examples that fill the field and play."""
    with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
        st.title(title, anchor=False, width="content")
        with st.container(horizontal=True, wrap=False, width="stretch", gap="small"):  # on a phone the examples scroll sideways
            for i, example in enumerate(offered):
                label = plain(shortened(example.text)) or "nothing"
                st.button(label, key=f"example_{i}", type="tertiary", help=plain(example.shows), on_click=take, args=(field, example.text))


def shortened(text: str, longest: int = 30) -> str:
    """Whole words of the beginning."""
    return text if len(text) <= longest else text[: longest - 2].rsplit(" ", 1)[0] + " …"


def take(field: TextField, text: str) -> None:
    """Callback of an example."""
    state.assign(field, text)
    play()


def play() -> None:
    """Callback: whatever is shown next plays from its beginning."""
    before = st.session_state.get(state.SHOWING, Showing())
    st.session_state[state.SHOWING] = replace(before, round=before.round + 1, autoplay=True, pressed=True)


def input_row(field: TextField, *, placeholder: str = "") -> str:
    """The text box with its button; Ctrl+Enter is the button, and Enter takes the text too."""
    left, right = st.columns([4, 1], vertical_alignment="bottom", gap="small")
    with left:
        text = controls.line(field, placeholder=placeholder)
    with right:
        decode_button()
    return text


def decode_button(label: str = "Decode") -> None:
    """Take what was typed and play the answer."""
    st.button(label, key="decode", shortcut="Ctrl+Enter", on_click=play, width="stretch")


def model_menu(field: NameField, task: str) -> str:
    """The id of the chosen model; empty when none is installed. Models of text that the visitor trained stand with the translators."""
    variants = [info.variant for info in resources.installed(task)]
    own = models.of_text() if task == "translation" else {}
    asked = state.current(field)
    chosen = controls.menu(field, [*variants, *own])
    models.refuse_strangers([asked], list(own))
    if chosen in own:
        return own[chosen].id
    return f"{task}/{chosen}" if chosen else ""


def search_row(field: NameField, task: str) -> tuple[str, DecodeSettings]:
    """Model and search in one row: the model's id and the settings."""
    with st.container(horizontal=True, vertical_alignment="top", gap="medium"):
        with st.container(width=190):
            model_id = model_menu(field, task)
        with st.container(width="stretch"):
            settings = controls.search_settings()
    return model_id, settings


def no_model(task: str) -> None:
    st.info(f"No {task} model is installed: put one under models/{task}/, as the README says.", icon=":material/info:")


def showing(page: str, query: Query, among: tuple[Query, ...] = ()) -> Showing:
    """Compare with what was shown last: a new answer is shown from its beginning, and only a new text, or a button, plays it."""
    before: Showing = st.session_state.get(state.SHOWING, Showing())
    asked = (query, *among)
    first = before.page != page or not before.asked
    changed = not first and before.asked != asked
    if changed:
        state.remember(state.HYPOTHESIS, state.HYPOTHESIS.default)
    if changed or before.pressed:
        state.remember(state.STEP, state.STEP.default)
    autoplay = before.pressed or (before.autoplay if not changed and not first else changed and before.asked[0].given != query.given)
    now = Showing(page, asked, before.round, autoplay)
    st.session_state[state.SHOWING] = now
    return now


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


def signed(number: float) -> str:
    """Two decimals, with a true minus sign."""
    return f"{number:.2f}".replace("-", "−")


def result_line(trace: DecodeTrace, hypothesis: int, *, language: str = "en", note: str = "", image_url: str | None = None) -> None:
    """The output, its scores, and a way to take it along."""
    found = trace.hypotheses[hypothesis]
    each = Figure("per token", signed(found.total / found.length), "The log-probability divided by the number of tokens.")
    figures = [replace(LOG_P, value=signed(found.total)), each, replace(TOKENS, value=str(found.length))]
    left, right = st.columns([6, 1], vertical_alignment="center", gap="small")
    with left:
        output_line(found.text, figures, key="result", language=language, note=note)
    with right:
        export_menu(trace, hypothesis, image_url=image_url)


def export_menu(trace: DecodeTrace, hypothesis: int, *, image_url: str | None = None) -> None:
    """The trace as a file. A file is only made when someone takes it."""
    words, numbers = state.current(state.WORDS), state.current(state.NUMBERS)
    options = state.player_options()

    def made(kind: str) -> str | bytes:
        from demo.export import files as export

        files: dict[str, Callable[[], str | bytes]] = {
            "html": lambda: export.to_html(trace, hypothesis, image_url=image_url, options=options),
            "png": lambda: export.to_png(trace, hypothesis, words=words, numbers=numbers),
            "svg": lambda: export.to_svg(trace, hypothesis, words=words, numbers=numbers),
            "csv": lambda: export.to_csv(trace, hypothesis),
            "json": lambda: export.to_json(trace),
        }
        return files[kind]()

    with st.popover("Export", width="stretch"):
        for kind, (label, mime) in EXPORTS.items():
            st.download_button(
                label, partial(made, kind), file_name(trace, kind), mime, key=f"export_{kind}", on_click="ignore", width="stretch"
            )


def file_name(trace: DecodeTrace, kind: str) -> str:
    """Model and source, in signs that every file system takes."""
    words = re.sub(r"[^\w]+", "-", f"{trace.model_id} {trace.given_text or trace.text()}").strip("-").lower()
    return f"{words[:60]}.{kind}"


def player(
    trace: DecodeTrace,
    hypothesis: int,
    shown: Showing,
    *,
    key: str = "player",
    layout: PlayerLayout | None = None,
    image_url: str | None = None,
) -> None:
    """The player of one hypothesis; what a person changes in it goes into the link, and a click on a step leads on to Steer."""
    query = shown.asked[0] if shown.asked else None
    layout = replace(layout or PlayerLayout(height=MAP_HEIGHT), autoplay=shown.autoplay, round=shown.round)
    data = player_data(trace, hypothesis, image_url=image_url)
    attention_player(
        data,
        key=key,
        options=state.player_options(),
        layout=layout,
        on_options=lambda: _remember(key),
        on_click=lambda: steer_from.take(key, query, trace, hypothesis),
    )
    steer_from.offer([query])


def _remember(key: str) -> None:
    options = reported_options(key)
    if options is not None:
        state.remember_player(options)


def score_column(settings: DecodeSettings) -> Figure:
    if settings.length_penalty == 0:
        return Figure("score", tip="The log-probability: without length normalisation they are the same.")
    return Figure("score", tip=f"log-probability / length ^ {settings.length_penalty:g}: the best is the highest.")


def n_best(trace: DecodeTrace, hypothesis: int, *, key: str = "n_best", language: str = "en") -> None:
    """All hypotheses of a beam, best first; a click plays one with its own attention."""
    rows = [
        Row(str(i + 1), found.text, (signed(found.score), signed(found.total), str(found.length)), chosen=i == hypothesis)
        for i, found in enumerate(trace.hypotheses)
    ]
    columns = (score_column(trace.settings), LOG_P, TOKENS)
    output_table(rows, columns, key=key, title="Hypotheses", language=language, on_choose=lambda: choose_hypothesis(key))


def choose_hypothesis(key: str) -> None:
    """Callback of a table of outputs: the chosen one is shown, and plays."""
    row = choice(key)
    if row is not None:
        state.remember(state.HYPOTHESIS, row + 1)
        play()


def greedy_against_beam(query: Query, trace: DecodeTrace, *, language: str = "en") -> None:
    """Greedy and beam under each other when their outputs differ, with the step where they part."""
    other = other_search(query.settings, state.current(state.BEAM), state.current(state.LENGTH))
    if other is None:
        return
    second = trace_of(replace(query, settings=other))
    greedy, beam = (second, trace) if query.settings.search == "beam" else (trace, second)
    parting = part(greedy, beam)
    name = f"Greedy against beam {beam.settings.beam_size}"
    if parting is None:
        st.caption(f"{name}: both give the same output here.")
        return
    rows = [
        Row(lead, one.text(), (signed(one.hypotheses[0].total),), marked=span(one, parting.step))
        for lead, one in (("greedy", greedy), ("beam", beam))
    ]
    output_table(rows, (LOG_P,), key="greedy_beam", title=name, note=sentence(parting, greedy, beam), language=language)


def top_outputs(trace: DecodeTrace, hypothesis: int, *, count: int = 5, key: str = "top", language: str = "en") -> None:
    """The likeliest whole outputs with their probabilities as bars; a click plays one."""
    shown = trace.hypotheses[:count]
    chances = [math.exp(found.total) for found in shown]
    rows = [
        Row(str(i + 1), found.text, (f"{chance:.3f}",), share=chance, chosen=i == hypothesis)
        for i, (found, chance) in enumerate(zip(shown, chances, strict=True))
    ]
    note = f"Together {sum(chances):.2f} of all probability; the rest lies on outputs that are not shown."
    columns = (Figure("probability", tip="Of the whole output: the product over its steps, the end included."),)
    output_table(rows, columns, key=key, title=f"Top {len(rows)}", note=note, language=language, on_choose=lambda: choose_hypothesis(key))


def unknown_signs(trace: DecodeTrace) -> None:
    """Say which signs of the source the model has no symbol for."""
    read = [pair for part in trace.parts if part.kind == "text" for pair in zip(part.labels, part.ids, strict=True)]
    unknown = dict.fromkeys(token for token, i in read if i == UNKNOWN)
    if unknown:
        st.caption(f"This model does not know {', '.join(map(quoted, list(unknown)[:8]))}: it reads a sign for “unknown” there.")
