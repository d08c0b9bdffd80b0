"""Entailment: the decoder is given a hypothesis word by word, looks at the premise, and says whether it follows."""

from __future__ import annotations

from demo.blocks.source import source_row
from demo.labs.entailment import LAB, TASK, view


def main() -> None:
    source = source_row((TASK,), title=LAB.title, search=False, act="Answer")
    if source.ready():
        for query in LAB.queries(source.values).values():
            view.show(query)


main()
