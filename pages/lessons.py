"""Lessons: the student predicts what a model will do, and then sees it do so."""

from __future__ import annotations

from demo import lesson_files, lesson_list, lesson_view, state


def main() -> None:
    shelf = lesson_files.shelf()
    name = state.current(state.LESSON)
    lesson = next((lesson for lesson in shelf.lessons if lesson.name == name), None)
    if lesson is None:
        lesson_list.overview(shelf)
    else:
        lesson_view.lesson(lesson)


main()
