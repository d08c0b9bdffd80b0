"""The attention player as a Streamlit component: given a trace once, it then works in the browser alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from demo.components.events import MANY, reported, unheard, whole
from demo.components.player.data import PlayerLayout, PlayerOptions
from demo.components.served import component

_component = component("attention_player", "player/mount.js")


@dataclass(frozen=True, slots=True)
class Click:
    """A cell or token that was chosen: `node` of the trace, `source` position or grid cell. One may be missing for a token."""

    node: int | None
    source: int | None
    act: str = ""  # one of the layout's actions, when it was chosen for this step


def attention_player(
    data: dict[str, Any],
    *,
    key: str,
    options: PlayerOptions | None = None,
    layout: PlayerLayout | None = None,
    on_click: Callable[[], None] | None = None,
    on_options: Callable[[], None] | None = None,
) -> None:
    """Place a player for what `player_data` or `clock_data` made. `options` are applied when they change.

    In the callbacks `clicked` and `reported_options` say what was clicked, and how the view is set now.
    """
    _component(
        key=key,
        data={"player": data, "options": (options or PlayerOptions()).to_dict(), "layout": (layout or PlayerLayout()).to_dict()},
        on_click_change=on_click or unheard,
        on_options_change=on_options or unheard,
    )


def clicked(key: str) -> Click | None:
    """In the callback: the cell or token that was clicked."""
    click = reported(key, "click")
    if not isinstance(click, Mapping):
        return None
    act = click.get("act")
    return Click(whole(click.get("node"), MANY), whole(click.get("source")), act if isinstance(act, str) else "")


def reported_options(key: str) -> PlayerOptions | None:
    """In the callback: the view as a person has set it; whatever is no valid value is the default."""
    values = reported(key, "options")
    return PlayerOptions.from_dict(values) if isinstance(values, Mapping) and values else None
