"""The time machine of a shipped translation model: a person's own sentence, as the model was at some moments of its training."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from demo import controls, moments, resources, state
from demo.blocks import answer
from demo.blocks.answer import LOG_P
from demo.blocks.player import player
from demo.components.events import choice
from demo.components.outputs.mount import Figure, Row, output_table
from demo.components.player.data import PlayerLayout
from demo.visitors.kept import kept
from demo.wording import plain, shortened, signed
from seq2seq_core.config import DecodeSettings
from seq2seq_core.errors import InputError

if TYPE_CHECKING:
    from seq2seq_core.store.moments import Moment
    from seq2seq_core.trace.trace import DecodeTrace

TASK = "translation"
LONGEST = 44  # characters of an output in the table; the player has it whole
PLAYING = "translation_moment_playing"  # in the session: which moment comes next; None: it stands still
MOMENT_SECONDS = 1.2
SLIDER, TABLE, PLAYER = "translation_moment_slider", "translation_moments", "moment_player"
BEYOND = 6  # tokens that an output may be longer than the final one: an untrained model never ends
BLEU = Figure("BLEU", tip="On held-out sentences, greedy, at that moment: 0 is nothing in common with the reference, 100 the same words.")


@kept(64, megabytes=24)
def traces(model_id: str, text: str) -> dict[int, DecodeTrace]:
    """The greedy output at every moment, by its step. The last comes first, because its length bounds the others."""
    found: dict[int, DecodeTrace] = {}
    longest = None
    for step, model in sorted(moments.pipelines(model_id).items(), reverse=True):
        with resources.my_turn():
            found[step] = model.decode(text, DecodeSettings(search="greedy", max_length=longest))
        longest = longest or len(found[step].tokens()) + BEYOND
    return dict(sorted(found.items()))


def block() -> None:
    """A sentence, a slider over the moments, what the model said at each, and where it looked at the chosen one.

    At first it plays, unless the link names a moment.
    """
    if PLAYING not in st.session_state:
        plays = state.current(state.PLAYS) or state.current(state.TRANSLATION_MOMENT) < 0
        st.session_state[PLAYING] = 0 if plays and moments.with_moments(TASK) else None
    st.fragment(_block, run_every=None if st.session_state.get(PLAYING) is None else MOMENT_SECONDS)()


def _block() -> None:
    model_id = moments.with_moments(TASK)
    if not model_id:
        st.info(
            "No translation model with moments of its training is installed; models/translation/small has them.", icon=":material/info:"
        )
        return
    playing = st.session_state.get(PLAYING) is not None
    try:
        _show(model_id)
    except InputError as error:
        st.error(plain(str(error)), icon=":material/error:")
        st.session_state[PLAYING] = None
    if playing and st.session_state[PLAYING] is None:
        st.rerun()  # without the clock


def _show(model_id: str) -> None:
    known = {moment.step: moment for moment in moments.moments_of(model_id)}
    _advance(sorted(known))
    left, right = st.columns(2, gap="large", vertical_alignment="bottom")
    with left:
        text = controls.line(state.SENTENCE, placeholder="Type a German sentence")
    with right, st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        with st.container(width="stretch"):
            step = _slider(list(known))
        _play_button()
    if not text.strip():
        st.info("Type a German sentence: it is translated by the model as it was at every one of these moments.", icon=":material/edit:")
        return
    searched = "" if state.simple() else ", greedy,"
    st.caption(f"{plain(model_id)}{searched} at {len(known)} moments from before its first step to its end.")
    answer.load(model_id)
    found = traces(model_id, text)
    left, right = st.columns(2, gap="large")
    with left:
        player(found[step], key=PLAYER, layout=PlayerLayout(height=360, panel=False))
        st.download_button("All moments, GIF", lambda: _moving(found), "moments.gif", "image/gif", on_click="ignore")
    with right:
        rows = [
            Row(
                f"{at:,}",
                shortened(trace.text(), LONGEST) or "(nothing)",
                () if state.simple() else (_bleu(known[at]), signed(trace.hypotheses[0].total)),
                chosen=at == step,
            )
            for at, trace in found.items()
        ]
        columns = () if state.simple() else (BLEU, LOG_P)
        output_table(rows, columns, key=TABLE, title="After so many steps", on_choose=lambda: _take_row(list(found)))


def _advance(steps: list[int]) -> None:
    """While it plays each run of this part shows the next moment."""
    place: int | None = st.session_state.get(PLAYING)
    if place is None:
        return
    st.session_state[SLIDER] = steps[min(place, len(steps) - 1)]
    st.session_state[PLAYING] = None if place >= len(steps) - 1 else place + 1
    _remember(steps[-1])


def _play_button() -> None:
    playing = st.session_state.get(PLAYING) is not None
    name, icon = ("Stop", ":material/stop:") if playing else ("Play", ":material/play_arrow:")
    if st.button(name, key="play_moments", icon=icon, help="Its training, moment by moment."):
        st.session_state[PLAYING] = None if playing else 0
        st.rerun()


def _moving(found: dict[int, DecodeTrace]) -> bytes:
    from demo.export import film

    return film.moments([(f"after {step:,} steps", trace) for step, trace in found.items()])


def _bleu(moment: Moment) -> str:
    value = moment.about.get("bleu")
    return f"{value:.1f}" if isinstance(value, int | float) else "–"


def _slider(steps: list[int]) -> int:
    """The moment that the link names, the nearest to it, or the last."""
    asked = state.current(state.TRANSLATION_MOMENT)
    nearest = min(steps, key=lambda step: abs(step - asked)) if asked >= 0 else steps[-1]
    if st.session_state.get(SLIDER) not in steps:
        st.session_state[SLIDER] = nearest
    return int(
        st.select_slider(
            state.TRANSLATION_MOMENT.label, steps, key=SLIDER, format_func=lambda step: f"{step:,}", on_change=_remember, args=(steps[-1],)
        )
    )


def _take_row(steps: list[int]) -> None:
    row = choice(TABLE, len(steps))
    if row is not None:
        st.session_state[SLIDER] = steps[row]
        _remember(steps[-1])


def _remember(last: int) -> None:
    """Callback: the moment goes into the link; the last one is the default."""
    step = st.session_state[SLIDER]
    state.remember(state.TRANSLATION_MOMENT, -1 if step == last else step)
