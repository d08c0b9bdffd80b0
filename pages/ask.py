"""Ask a photo: a question about a photo gets its answer, and each of its words shows where the model looked."""

from __future__ import annotations

from demo import state
from demo.blocks import eyes
from demo.blocks.heading import example_row
from demo.blocks.source import source_row
from demo.labs.ask import LAB, TASK, view
from demo.labs.ask.cases import case_row


def main() -> None:
    source = source_row((TASK,), title=LAB.title, search=False, act="Ask")
    example_row(source.row.examples(), state.ASKED)
    if not source.ready():
        return
    queries = LAB.queries(source.values)
    trace = view.result(queries)
    case_row()
    eyes.eyes(next(iter(queries.values())), trace, output="answer", act="Ask again")


main()
