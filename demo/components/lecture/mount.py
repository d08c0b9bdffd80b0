"""A lecture on the screen: the bar that stays on every page while it is given, and its outline."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from demo import state
from demo.components import with_id
from demo.components.served import component

if TYPE_CHECKING:
    from demo.lectures.files import Lecture

_bar = component("lecture_bar", "lecture/bar.js")
_outline = component("lecture_outline", "lecture/outline.js")


def lecture_bar(lecture: Lecture, place: int, *, strayed: bool) -> None:
    """`place`: of the idea that is shown, from 0; `strayed`: on a page of one's own choice."""
    home = state.link("lectures", {state.LECTURE.key: lecture.name})
    _bar(key="lecture_bar_component", data={**_data(lecture), "place": place, "strayed": strayed, "home": home})


def lecture_outline(lecture: Lecture, *, place: int | None = None, whole: bool = False) -> None:
    """All ideas as links to where they are shown. `whole`: with all that is said, for paper."""
    letters = lecture.letters if place is None else ""
    _outline(key="lecture_outline", data={**_data(lecture), "place": place, "whole": whole, "letters": letters})


def _data(lecture: Lecture) -> dict[str, Any]:
    ideas = [
        {
            "text": idea.text, "equation": idea.equation, "say": idea.say, "lacks": idea.lacks, "part": idea.part, "shown": idea.shown,
            "address": lecture.address(place),
        }
        for place, idea in enumerate(lecture.ideas)
    ]  # fmt: skip
    return with_id({"title": lecture.title, "ideas": ideas})
