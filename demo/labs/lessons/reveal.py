"""Beside and below a question: what is given, and, once it is answered, the players with what was hidden."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import streamlit as st

from demo.app import labs
from demo.blocks.answer import LOG_P, TOKENS
from demo.blocks.player import Beside, player, steps_of, together
from demo.colours import DARK, LIGHT
from demo.components.outputs.mount import Row, output_table
from demo.components.player.data import PlayerLayout, PlayerOptions
from demo.given import assets, photos
from demo.lab import language_of, task_of
from demo.labs.lessons.checks import Found
from demo.labs.lessons.files import Question
from demo.links.link import Link
from demo.query import Query
from demo.tasks import TASKS
from demo.wording import plain, signed

if TYPE_CHECKING:
    from seq2seq_core.trace.trace import DecodeTrace

ONE, SEVERAL = 380, 300  # the height of a map, in pixels
WORDS_ABOVE, LINE = 220, 18  # the longest leaning words with the bar of a single vector, and a word of the output
PHOTO_WIDTH = 320
PER_ROW = 3
NAMED = {"photo": "Photo", "sound": "Recording", "clip": "Clip"}
NOT_YET = "hidden until you have answered"
SEARCH = {"greedy": "greedy search", "sample": "drawn at random", "exhaustive": "exhaustive search"}


def given_table(question: Question, traces: dict[str, DecodeTrace], *, hidden: bool, picture: Callable[[str], None] | None = None) -> None:
    """The sources, and the outputs as far as they may be seen. `picture`: draws the photo, where it is more than looked at."""
    outputs_hidden = hidden and question.hides == "output"
    asked = dict(question.states)
    sources = dict.fromkeys((TASKS[task_of(each.model_id)].source, text) for each in asked.values() if (text := _source(each)))
    rows = [Row(lead, text, () if hidden else ("", "")) for lead, text in sources]
    for name, trace in traces.items():
        text = NOT_YET if outputs_hidden and not asked[name].target else trace.text()
        rows.append(Row(name, text, _figures(trace, hidden=hidden), colors=_colors(trace)))
    if not hidden and question.check.kind == "best output":
        only = next(iter(traces.values()))
        rows += [Row(f"{i + 2}.", found.text, (signed(found.total), str(found.length))) for i, found in enumerate(only.hypotheses[1:4])]
    language = language_of(question.states[0][1].model_id)
    columns = () if hidden else (LOG_P, TOKENS)
    output_table(rows, columns, key="given", title=_how(question), header="text", language=language)
    for asset in dict.fromkeys(each.asset for each in asked.values() if each.asset):
        if hidden and picture:
            picture(photos.url(asset, assets.SMALL_SIDE))
        elif hidden:
            st.image(photos.url(asset, assets.SMALL_SIDE), width=PHOTO_WIDTH, alt=f"The {asset.kind} that is asked about")
        if hidden and (heard := assets.wave_of(asset)):
            st.audio(heard, "audio/wav", width=PHOTO_WIDTH)
        st.caption(f"{NAMED[asset.kind]}: {plain(assets.credit(asset))}")


def _source(query: Query) -> str:
    return assets.title(query.asset) if query.asset else query.text or query.prompt


def _figures(trace: DecodeTrace, *, hidden: bool) -> tuple[str, ...]:
    found = trace.hypotheses[0]
    return () if hidden else (signed(found.total), str(found.length))


def _colors(trace: DecodeTrace) -> tuple[str, str]:
    variant = trace.model_id.rpartition("/")[2]
    return LIGHT.variant(variant), DARK.variant(variant)


def _how(question: Question) -> str:
    """The models and the search, as far as all states share them."""
    queries = [query for _, query in question.states]
    models = list(dict.fromkeys(query.model_id for query in queries))
    named = models[0] if len(models) == 1 else f"{models[0].partition('/')[0]}, {len(models)} models"
    searches = {f"beam of {r.settings.beam_size}" if r.settings.search == "beam" else SEARCH[r.settings.search] for r in queries}
    scored = all(query.target for query in queries)
    return f"{named}, given words" if scored else f"{named}, {searches.pop()}" if len(searches) == 1 else named


def open_links(links: tuple[tuple[str, Link], ...]) -> None:
    """The starting state on its own page, in a new tab: the lesson stays where it is."""
    titles = {lab.name: lab.title for lab in labs()}
    for i, (name, link) in enumerate(links):
        if link.page in titles:
            label = f"Open in {titles[link.page]}" + (f": {plain(name)}" if name else "")
            st.link_button(label, link.address, key=f"state_{i}", icon=":material/open_in_new:", type="tertiary")


def reveal_one(question: Question, trace: DecodeTrace, found: Found, *, key: str) -> None:
    """The player of the one trace, as far as the word that was asked about."""
    layout = PlayerLayout(height=ONE, panel=not trace.parts)
    options = PlayerOptions(step=found.step, fit=True)
    player(trace, key=f"player_{key}", asset=question.states[0][1].asset, options=options, layout=layout, keeps="nothing")


def reveal_several(question: Question, traces: dict[str, DecodeTrace], *, key: str) -> None:
    """All players under one cursor, tall enough for a legible line at each step: beside each other no map scrolls."""
    asked = dict(question.states)
    shown = [Beside(name, trace, asset=asked[name].asset) for name, trace in traces.items()]
    options = PlayerOptions(fit=True)
    text = any(part.kind == "text" for trace in traces.values() for part in trace.parts)
    steps = max(steps_of(trace, options.words) for trace in traces.values()) if text else 0
    height = max(SEVERAL, WORDS_ABOVE + LINE * steps)
    together(shown, group=key, most=PER_ROW, height=height, options=options)
