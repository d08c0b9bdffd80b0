"""The player of an answer, on every page: place it, keep what a person sets in it, and hear what is clicked."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

import streamlit as st

from demo import state
from demo.blocks.lettering import lettering, states
from demo.components import with_id
from demo.components.player.data import PlayerLayout, PlayerOptions, Said, View, clock_data, player_data
from demo.components.player.mount import Click, attention_player, clicked, reported_options
from demo.given import assets
from demo.query import Asset, Query
from demo.wording import END

if TYPE_CHECKING:
    from seq2seq_core.trace.trace import DecodeTrace

Keeps = Literal["all", "cursor", "nothing"]  # of what a person sets in the player, what goes into the link
MAP_HEIGHT, LARGE = 400, 380  # pixels: a page of 900 shows controls, result and player; from LARGE on a photo is sent in full
SENDING_SECONDS = 0.03
LABELS, COLUMN = 130, 15  # pixels that the words of a map's rows take, and each of its columns at least


# -- what is shown ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Showing:
    """What a page showed last, kept in the session: it tells a new answer, which may be played, from one more look at the old."""

    page: str = ""
    asked: tuple[Query, ...] = ()  # the one whose output is large, and all beside it
    round: int = 0  # another number makes the player begin anew
    autoplay: bool = False
    pressed: bool = False  # a button asked for playing, and the page has not run since
    first: bool = False  # the page has just opened: nothing of it is there yet

    def layout(self, layout: PlayerLayout | None = None) -> PlayerLayout:
        return replace(layout or PlayerLayout(height=MAP_HEIGHT), autoplay=self.autoplay, round=self.round)


def play() -> None:
    """Callback: whatever is shown next plays from its beginning."""
    before = st.session_state.get(state.SHOWING, Showing())
    st.session_state[state.SHOWING] = replace(before, round=before.round + 1, autoplay=True, pressed=True)


def forget() -> None:
    """Whatever is shown next is as a fresh link shows it: a step that the link names stays, and the player begins anew there."""
    before = st.session_state.get(state.SHOWING, Showing())
    st.session_state[state.SHOWING] = Showing(round=before.round + 1)


def showing(page: str, *asked: Query, opens: bool = False) -> Showing:
    """Compare with what was shown last: a new answer is shown from its beginning, and only a new source, or a button, plays it.

    `opens`: whether a page plays its first answer.
    """
    before: Showing = st.session_state.get(state.SHOWING, Showing())
    first = before.page != page or not before.asked
    changed = not first and before.asked != asked
    if changed:
        state.remember(state.HYPOTHESIS, state.HYPOTHESIS.default)
    if changed or before.pressed:
        state.remember(state.STEP, state.STEP.default)
    anew = opens if first else changed and _source(before.asked[0]) != _source(asked[0])
    autoplay = before.pressed or (anew if first or changed else before.autoplay)
    autoplay = autoplay or (first and state.current(state.PLAYS))
    now = Showing(page, asked, before.round, autoplay, first=first)
    st.session_state[state.SHOWING] = now
    return now


def _source(query: Query) -> tuple[object, ...]:
    """What is read, with what the decoder is given beside it; a beginning alone is no source."""
    return (query.given, query.prompt) if query.given else ()


# -- the player -------------------------------------------------------------------------------------------------------------


def player(
    trace: DecodeTrace,
    hypothesis: int = 0,
    *,
    key: str = "player",
    asset: Asset | None = None,
    url: str | None = None,
    variant: str | None = None,
    diverges: int | None = None,
    title: str = "",
    said: Said | None = None,
    options: PlayerOptions | None = None,
    layout: PlayerLayout | None = None,
    keeps: Keeps = "all",
    actions: tuple[str, ...] = (),
    first_view: View = "map",
    on_click: Callable[[Click], None] | None = None,
) -> None:
    """`asset`: the photo behind the map, or `url`, its picture; `options`: other than the link's; `on_click`: a step or a cell.

    `actions`: what can be done at a step, as `demo.blocks.steer_from` has it; `first_view`: the one of a link that names none.
    Below a drawing stands the menu of its letters, unless the layout says them: then the page has that menu itself.
    """
    url = url or assets.url(asset, assets.SHOWN_SIDE if (layout or PlayerLayout()).height >= LARGE else assets.SMALL_SIDE)
    data = player_data(
        trace, hypothesis, variant=variant, image_url=url, sound_url=assets.sound_url(asset), diverges=diverges, title=title, said=said
    )
    if trace.settings.glimpse == "expected":  # every cell was seen: there is no spot to number
        marks = [mark for mark in data["marks"] if mark["name"] != "glimpse"]
        data = with_id(data | {"marks": marks})
    options, explore = (
        options or state.player_options(first_view),
        keeps == "all" and data["map"] and any(part.kind == "text" for part in trace.parts),
    )
    layout = replace(layout or PlayerLayout(height=MAP_HEIGHT), actions=actions, explore=explore)
    _place(data, key, options, layout, keeps, on_click, first_view)
    if explore and options.view == "explore":
        _explore(trace, hypothesis, options.words, key)
    if keeps == "all" and options.view == "network" and not layout.letters and not state.simple():
        lettering()


def sent() -> None:
    """Let a player that was just placed reach the browser, and be drawn, before more is computed: that would hold up its sending."""
    time.sleep(SENDING_SECONDS)


def without_end(trace: DecodeTrace) -> DecodeTrace:
    """The words alone, without the sign that says that they are over."""
    found = trace.hypotheses[0]
    path = trace.path()
    if path[-1].token != END or len(path) < 2:
        return trace
    groups = found.groups[:-1]
    shorter = replace(found, node=path[-2].id, length=found.length - 1, groups=groups, words=found.words[: len(set(groups))])
    return replace(trace, hypotheses=(shorter, *trace.hypotheses[1:]))


def _explore(trace: DecodeTrace, hypothesis: int, words: bool, key: str) -> None:
    """The map as a chart to zoom and pan: plotly.js, megabytes of it, is loaded with the first."""
    from demo.export.chart import CONFIG, heat_map

    figure = heat_map(trace, hypothesis, words=words, theme="streamlit")
    alt = f"Attention of {trace.text(hypothesis)} as a map to zoom; the player's table has the numbers."
    st.plotly_chart(figure, key=f"{key}_explore", config=CONFIG, alt=alt)


def _place(
    data: dict[str, Any], key: str, options: PlayerOptions, layout: PlayerLayout, keeps: Keeps,
    on_click: Callable[[Click], None] | None, first_view: View = "map",
) -> None:  # fmt: skip
    def hear() -> None:
        click = clicked(key)
        if click is not None and on_click is not None:
            on_click(click)

    layout = replace(layout, plain=state.simple(), letters=layout.letters or states())
    attention_player(data, key=key, options=options, layout=layout, on_options=lambda: keep(key, keeps, first_view), on_click=hear)


def keep(key: str, keeps: Keeps, first_view: View = "map") -> None:
    """Callback: what a person has set belongs to the link; beside other players only where the cursor stands, and its speed."""
    options = reported_options(key)
    if options is None or keeps == "nothing":
        return
    if keeps == "all":
        state.remember_player(options, first_view)
        return
    state.remember(state.STEP, -1 if options.step is None else options.step)
    state.remember(state.SPEED, options.speed)


# -- several under one cursor -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Beside:
    """One of several answers."""

    name: str
    trace: DecodeTrace
    variant: str | None = None
    asset: Asset | None = None
    diverges: int | None = None
    said: Said | None = None  # the output above its picture
    bar: str = ""  # stands above it
    actions: tuple[str, ...] = ()
    on_click: Callable[[Click], None] | None = None


def together(
    shown: Sequence[Beside], *, group: str, height: int, options: PlayerOptions,
    most: int = 4, layout: PlayerLayout | None = None, keeps: Keeps = "nothing",
) -> None:  # fmt: skip
    """A clock, and the players that follow it, at most so many in a row. `height`: of a map, at most."""
    with st.container(key=f"figure_{group}"):  # what has the whole screen when it is shown alone
        _together(shown, group, height, options, most, replace(layout or PlayerLayout(), sync=group), keeps)


def _together(shown: Sequence[Beside], group: str, height: int, options: PlayerOptions, most: int, led: PlayerLayout, keeps: Keeps) -> None:
    steps = max(steps_of(each.trace, options.words) for each in shown)
    _place(clock_data(steps), f"{group}_clock", options, led, keeps, None)
    count, first = len(shown), shown[0].trace
    text = any(part.kind == "text" for part in first.parts)
    least = min(most, count, fitting(count, first, options.words) if text else count)
    follows = replace(led, controls=False, panel=False, autoplay=False, height=height)
    st.html(f"<style>{_in_rows(group, least, _balanced(count, most), _columns(first, options.words))}</style>")
    for place, each in zip(st.columns(count, gap="small"), shown, strict=True):
        with place, st.container(gap=None):
            if each.bar:
                st.html(each.bar)
            player(
                each.trace, key=f"{group}_{each.name.replace(' ', '_')}", asset=each.asset, variant=each.variant,
                diverges=each.diverges, title=each.name, said=each.said, options=options, layout=follows, keeps=keeps,
                actions=each.actions, on_click=each.on_click,
            )  # fmt: skip


def _in_rows(group: str, least: int, most: int, columns: int) -> str:
    """As many in a row as the screen has room for, at least and at most so many: each of `most` gets its labels and legible columns."""
    room = most * (LABELS + COLUMN * columns) + (most - 1) * 16
    few, many = (f"calc((100% - {count - 1}rem) / {count} - 0.1px)" for count in (least, most))
    wide = f"clamp({many}, calc(({room}px - 100%) * 999), {few})"
    return f"@media (min-width: 641px) {{ .st-key-figure_{group} [data-testid=stColumn] {{ flex: 0 0 {wide}; min-width: 0; }} }}"


def _columns(trace: DecodeTrace, words: bool) -> int:
    """Of its map of text."""
    return sum(len(part.members) if words else part.positions for part in trace.parts if part.kind == "text")


def _balanced(count: int, most: int) -> int:
    """How many stand in each of as few rows as so many at most allow: five in rows of four are three and two."""
    return math.ceil(count / math.ceil(count / most))


def fitting(count: int, trace: DecodeTrace, words: bool) -> int:
    """How many players stand in one row of a laptop: fewer where the source is long, so that its words stay legible."""
    columns = _columns(trace, words)
    return _balanced(count, 4 if columns <= 6 else 3 if columns <= 10 else 2)


def steps_of(trace: DecodeTrace, words: bool) -> int:
    """How many steps a player shows of it: words (or graphemes), or tokens."""
    groups = trace.hypotheses[0].groups
    return len(set(groups)) if words else len(groups)
