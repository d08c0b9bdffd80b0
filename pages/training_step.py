"""Training step: one pair forwards, the gradient of its loss backwards through every state, and the update."""

from __future__ import annotations

from demo import state, tasks
from demo.blocks.player import showing
from demo.blocks.source import source_row
from demo.labs.training_step import LAB, view


def main() -> None:
    source = source_row(tasks.of_outputs(), title=LAB.title, search=False, act="Go", also=state.RIGHT)
    if source.ready():
        query = view.query_of(source)
        asked = view.pair(source, query)
        view.journey(asked, showing(LAB.name, asked.query))
        if source.task == "captioning":
            view.captions()


main()
