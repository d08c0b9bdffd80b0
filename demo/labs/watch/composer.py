"""What is watched beside the samples and one's own: a clip that a visitor composes."""

from __future__ import annotations

import streamlit as st

from demo import state
from demo.blocks.taking import close, opener, taken
from demo.blocks.ways_in import clip
from demo.given import clips
from seq2seq_core.inputs.events import COVERS, STILL, TOLD, WAYS
from seq2seq_core.inputs.rendering import COLOURS, SHAPES, SIZES, TEXTURES

COMPOSER = "clip_composer"
FIRST = {"size": "large", "texture": "plain", "colour": "red", "shape": "circle"}
SECOND = {"size": "small", "texture": "plain", "colour": "blue", "shape": "square"}
CHOICES = {"size": tuple(SIZES), "texture": TEXTURES, "colour": tuple(COLOURS), "shape": SHAPES}
NOTHING = "nothing"


def ways() -> None:
    """The ways to another clip: one that is composed, the same once more, its frames in another order, one's own."""
    with opener(COMPOSER, "Compose", ":material/animation:"):
        _composer()
        tip = "The story that is shown, at other places and times."
        st.button("Another take", icon=":material/casino:", help=tip, on_click=_again, width="stretch")
    clip.orders()
    clip.own()


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
    if made := taken(lambda: clips.composed(_events(), take=1), opened=COMPOSER, wrong=clip.WRONG):
        clip.show(made)


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


def _again() -> None:
    """Callback: the story of the clip that is shown, filmed anew."""
    own = str(st.session_state.get(state.OWN_CLIP, ""))
    story, take = clips.read(clips.named(state.current(state.CLIP)).name)
    close(COMPOSER)
    clip.show(clips.written(story, (take + (not own)) % clips.TAKES))
