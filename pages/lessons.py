"""Lessons: the student predicts what a model will do, and then sees it do so."""

from __future__ import annotations

from demo import state
from demo.labs.lessons import answers, files, view
from demo.labs.lessons import shelf as lesson_list


def main() -> None:
    shelf = files.shelf()
    answers.restore(shelf.all)
    name = state.current(state.LESSON)
    lesson = shelf.named(name)
    if lesson is None:
        lesson_list.overview(shelf)
    else:
        view.lesson(lesson)


main()
