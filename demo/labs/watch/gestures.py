"""Filmed gestures: the way in for a visitor's own film, and which of the five the models take it for."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from demo import state
from demo.blocks import answer
from demo.blocks.heading import titled
from demo.blocks.player import play, player, showing, without_end
from demo.blocks.shares import rows, shares
from demo.blocks.taking import opener, taken
from demo.components.filming.mount import filmed, filming
from demo.components.outputs.mount import Figure, output_table
from demo.components.player.data import PlayerLayout
from demo.given import assets, clips
from demo.given.assets import forget_edits
from demo.lab import Queries
from demo.labs.watch import GESTURE, LAB
from demo.labs.watch.given import order_buttons
from demo.labs.watch.view import SEES
from demo.query import Asset
from demo.visitors import switches
from demo.wording import listed, plain
from seq2seq_core.inputs.clip import SHAPES
from seq2seq_core.tasks import TASKS

if TYPE_CHECKING:
    from seq2seq_core.trace.trace import DecodeTrace

OPENED, UPLOAD, CAMERA, WRONG = "film_opened", "film_file", "film_camera", "film_wrong"
MAX_MEGABYTES = 8
HEIGHT = 250  # pixels of the player
FIRST = "Take Your film, and make one of the five gestures before your computer’s camera. Left and right are your own."
UNSHOWN = "No sample stands here: whose the films are that the models learnt from is not known, so they are not shown."
STRANGE = "The models know one camera’s view of people at a desk: of any other film they say what of the five it looks like to them."


def heading(title: str) -> Asset | None:
    """The title, and the film that is shown, if there is one."""
    with titled(title):
        st.caption(plain(f"{listed(list(TASKS[GESTURE].answers))}: a film is one of five gestures."))
    if wrong := st.session_state.pop(WRONG, ""):
        st.error(plain(wrong), icon=":material/error:")
    return clips.own_film()


def ways(shown: Asset | None) -> None:
    """The way to a film of one's own, and its frames in another order."""
    if shown:
        order_buttons(shown.name, "film", _reorder)
    given = [part for part in ("camera", "upload") if switches.on(part)]
    if not given:
        return
    frames = SHAPES[GESTURE][0]
    with opener(OPENED, "Your film", ":material/videocam:"):
        if "camera" in given:
            filming(frames, key=CAMERA, on_film=_film)
        if "upload" in given:
            st.file_uploader("Or a GIF, moving WebP or PNG", key=UPLOAD, max_upload_size=MAX_MEGABYTES, on_change=_take)
        st.caption(f"{frames} of its frames are read. It stays in the memory of this computer for as long as you look at it.")


def nothing() -> None:
    """What to do first."""
    can = switches.on("camera") or switches.on("upload")
    st.info(f"{FIRST} {UNSHOWN}" if can else UNSHOWN, icon=":material/front_hand:")


def result(queries: Queries) -> None:
    """The gesture with a bar for each of the five, the film strip, and what models say that see less."""
    query = next(iter(queries.values()))
    assert query.asset is not None
    shown, trace = showing(LAB.name, query, opens=False), answer.trace_of(query)
    told = {variant: answer.trace_of(one) for variant, one in queries.items()}
    note = f"{clips.order_note(query.asset.name)} {STRANGE}".strip()
    answer.result_line(trace, 0, figures=(), asset=query.asset, note=note, beside=lambda: _bars(told))
    player(without_end(trace), asset=query.asset, layout=shown.layout(PlayerLayout(height=HEIGHT)))
    st.caption(plain(f"Clip: {assets.credit(query.asset)}."))


def _bars(told: dict[str, DecodeTrace]) -> None:
    """How each model shares the probability out; the bar is that of the first."""
    first, *others = told.values()
    columns = [Figure(name, tip=SEES.get(name, "")) for name in told]
    beside = [shares(one) for one in others]
    output_table(rows(first, *beside), columns, key="answers", title="Five gestures", header="gesture")


def _reorder(order: str) -> None:
    """Callback: the frames in this order, or in their own again."""
    st.session_state[state.OWN_FILM] = clips.turned_over(str(st.session_state.get(state.OWN_FILM, "")), order)
    forget_edits()
    play()


def _film() -> None:
    """Callback of the camera."""
    if (found := filmed(CAMERA)) is not None:
        _hold(found, "camera")


def _take() -> None:
    """Callback of the upload."""
    if (file := st.session_state.get(UPLOAD)) is not None:
        _hold(file.getvalue(), "upload")


def _hold(data: bytes, part: str) -> None:
    """What cannot be read is said in one sentence, and the film before stays."""
    if held := taken(lambda: clips.hold(data, part, GESTURE), opened=OPENED, wrong=WRONG):
        st.session_state[state.OWN_FILM] = held
        forget_edits()
        play()
