"""The attention player as a Streamlit component: given a trace once, it then works in the browser alone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import streamlit as st

from demo.components import script, style
from demo.components.player.data import PlayerLayout, PlayerOptions

_component = st.components.v2.component(
    "attention_player",
    css=style("player"),
    js=script("player/mount.js"),
)


@dataclass(frozen=True, slots=True)
class Click:
    """A cell or token that was chosen: `node` of the trace, `source` position or grid cell. One may be missing for a token."""

    node: int | None
    source: int | None


@dataclass(frozen=True, slots=True)
class PlayerResult:
    click: Click | None  # only in the run that the click caused
    options: PlayerOptions  # as the person last set them


def attention_player(
    data: dict[str, Any],
    *,
    key: str,
    options: PlayerOptions | None = None,
    layout: PlayerLayout | None = None,
    on_click: Callable[[], None] | None = None,
    on_options: Callable[[], None] | None = None,
) -> PlayerResult:
    """Place a player for what `player_data` or `clock_data` made. `options` are applied when they change."""
    options = options or PlayerOptions()
    result = _component(
        key=key,
        data={"player": data, "options": options.to_dict(), "layout": (layout or PlayerLayout()).to_dict()},
        on_click_change=on_click or _nothing,
        on_options_change=on_options or _nothing,
    )
    reported = result.get("options")
    return PlayerResult(click=_click(result.get("click")), options=PlayerOptions.from_dict(reported) if reported else options)


def _click(value: Any) -> Click | None:
    if not isinstance(value, dict):
        return None
    return Click(node=_position(value.get("node")), source=_position(value.get("source")))


def _position(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def _nothing() -> None:
    return None
