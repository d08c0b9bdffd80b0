"""Lectures: a lecture is given idea by idea, each on the page of the lab that shows it."""

from __future__ import annotations

from demo import state
from demo.labs.lectures import view
from demo.lectures import files


def main() -> None:
    shelf = files.shelf()
    lecture = shelf.named(state.current(state.LECTURE))
    place = state.current(state.IDEA)
    if lecture is None:
        view.overview(shelf)
    elif place:
        view.idea(lecture, min(place, len(lecture.ideas)) - 1)
    else:
        view.outline(lecture)


main()
