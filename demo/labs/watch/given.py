"""What is watched: the samples, a clip that a visitor composes, and the way in for an animation."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from demo import state
from demo.blocks.heading import titled
from demo.blocks.player import play
from demo.blocks.taking import close, opener, taken
from demo.given import clips
from demo.given.assets import forget_edits
from demo.query import Asset
from demo.visitors import switches
from demo.wording import plain
from seq2seq_core.inputs.events import COVERS, STILL, TOLD, WAYS
from seq2seq_core.inputs.rendering import COLOURS, SHAPES, SIZES, TEXTURES

OPENED, UPLOAD, COMPOSER = "clip_opened", "clip_file", "clip_composer"
WRONG = "clip_wrong"  # in the session: what to say of the last clip, once
MAX_MEGABYTES = 8
FIRST = {"size": "large", "texture": "plain", "colour": "red", "shape": "circle"}
SECOND = {"size": "small", "texture": "plain", "colour": "blue", "shape": "square"}
CHOICES = {"size": tuple(SIZES), "texture": TEXTURES, "colour": tuple(COLOURS), "shape": SHAPES}
NOTHING = "nothing"
ORDERS = (  # with the name of its button
    (clips.SHUFFLED, "Shuffle", "The same frames in another order."),
    (clips.BACKWARDS, "Backwards", "The same frames from the last to the first."),
)


def heading(title: str) -> Asset:
    """The title and the samples; what is shown below."""
    with titled(title), st.container(horizontal=True, wrap=False, width="stretch", gap="small"):
        for place, sample in enumerate(clips.SAMPLES):
            st.button(sample.label, key=f"sample_{place}", type="tertiary", on_click=_show, args=(sample.code,))
    if wrong := st.session_state.pop(WRONG, ""):
        st.error(plain(wrong), icon=":material/error:")
    return clips.shown()


def ways() -> None:
    """The ways to another clip: one that is composed, the same once more, one's own."""
    with opener(COMPOSER, "Compose", ":material/animation:"):
        _composer()
        tip = "The story that is shown, at other places and times."
        st.button("Another take", icon=":material/casino:", help=tip, on_click=_again, width="stretch")
    code = clips.shown().name
    if not code.startswith(clips.OWN):
        order_buttons(code, "clip", _reorder)
    if switches.on("upload"):
        _own()


def _composer() -> None:
    """Menus for who does what; a button makes the clip."""
    first, then = st.columns(2)
    kind = first.selectbox("What happens", list(TOLD), index=list(TOLD).index("fall"), key="compose_kind")
    second = NOTHING
    if kind in STILL:
        second = then.selectbox("Then", [NOTHING, *STILL], key="compose_then")
    _thing("who", "Who", FIRST, kind)
    if "{other}" in TOLD[kind]:
        _thing("other", "The other", SECOND, kind)
    ways = [way for way in WAYS if kind != "fall" or way in ("left", "right")]
    if "{way}" in TOLD[kind]:
        st.selectbox("Which way", ways, key="compose_way")
    if kind == "recolour":
        st.selectbox("Turns", list(COLOURS), index=1, key="compose_colour")
    if second != NOTHING:
        _thing("then_who", "Then who", SECOND, second)
        if second == "recolour":
            st.selectbox("Turns into", list(COLOURS), index=4, key="compose_then_colour")
    st.button("Make the clip", key="compose_make", on_click=_make, width="stretch")


def _thing(place: str, label: str, usual: dict[str, str], kind: str) -> None:
    """Four menus on a line; of what hides and what is hidden only that is offered which can."""
    with st.container(horizontal=True, gap="small"):
        for name, choices in CHOICES.items():
            offered = choices
            if kind in ("pass", "hide"):
                sizes = {"who": ("small",), "other": ("large",)}
                offered = sizes[place] if name == "size" else COVERS if (name, place) == ("shape", "other") else choices
            index = offered.index(usual[name]) if usual[name] in offered else 0
            st.selectbox(f"{label}: {name}", offered, index=index, key=f"compose_{place}_{name}")


def _chosen(prefix: str, name: str, usual: str) -> str:
    return str(st.session_state.get(f"compose_{prefix}{name}", usual))


def _make() -> None:
    """Callback of the composer: the clip of what its menus say, or the sentence that says why there is none."""
    if made := taken(lambda: clips.composed(_events(), take=1), opened=COMPOSER, wrong=WRONG):
        _show(made)


def _events() -> list[dict[str, str]]:
    first = {"kind": _chosen("", "kind", "fall"), "way": _chosen("", "way", "right"), "colour": _chosen("", "colour", "green")}
    for place, usual in (("who", FIRST), ("other", SECOND)):
        first |= {f"{place}_{name}": _chosen(f"{place}_", name, value) for name, value in usual.items()}
    then = _chosen("", "then", NOTHING) if first["kind"] in STILL else NOTHING
    if then == NOTHING:
        return [first]
    second = {"kind": then, "way": "", "colour": _chosen("then_", "colour", "purple")}
    for place in ("who", "other"):
        second |= {f"{place}_{name}": _chosen("then_who_", name, value) for name, value in SECOND.items()}
    return [first, second]


def order_buttons(code: str, key: str, on_click: Callable[[str], None]) -> None:
    """Another order of the frames, or their own again."""
    for order, label, tip in ORDERS:
        label = "In order" if clips.order_of(code) == order else label
        st.button(label, key=f"{key}_{order}", help=tip, on_click=on_click, args=(order,))


def _again() -> None:
    """Callback: the story of the clip that is shown, filmed anew."""
    own = str(st.session_state.get(state.OWN_CLIP, ""))
    story, take = clips.read(clips.named(state.current(state.CLIP)).name)
    close(COMPOSER)
    _show(clips.written(story, (take + (not own)) % clips.TAKES))


def _reorder(order: str) -> None:
    """Callback: the frames of the clip that is shown in this order, or in their own again."""
    _show(clips.turned_over(clips.named(state.current(state.CLIP)).name, order))


def _show(code: str) -> None:
    st.session_state[state.OWN_CLIP] = ""
    state.remember(state.CLIP, code)
    forget_edits()
    play()


def _own() -> None:
    with opener(OPENED, "Your clip", ":material/upload:"):
        st.file_uploader("A GIF, moving WebP or PNG", key=UPLOAD, max_upload_size=MAX_MEGABYTES, on_change=_take)
        st.caption(
            "24 of its frames are shown. The models know the clips that the lab renders and no others, so they will be wrong about it."
        )
        st.caption("It stays in the memory of this computer for as long as you look at it.")


def _take() -> None:
    """Callback of the upload. What cannot be read is said in one sentence, and the clip before stays."""
    file = st.session_state.get(UPLOAD)
    if file is not None and (held := taken(lambda: clips.hold(file.getvalue(), "upload"), opened=OPENED, wrong=WRONG)):
        st.session_state[state.OWN_CLIP] = held
        forget_edits()
        play()
