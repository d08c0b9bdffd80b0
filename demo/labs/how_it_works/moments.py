"""Every moment of a run with its equations, for the browser: it shows the one that the player is at, and asks nobody."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from demo.blocks import answer
from demo.components import with_id
from demo.kept import kept
from demo.labs.how_it_works import symbols
from demo.labs.how_it_works.notation import Section, keeping_vectors
from demo.labs.how_it_works.rows import candidate_table, row_table, shifted_rows
from demo.labs.how_it_works.symbols import Moment
from demo.labs.how_it_works.view import Chosen, ReadView, StepView, run_of, starts
from demo.letters import pieces
from demo.query import Query


@dataclass(frozen=True, slots=True)
class Asked:
    """An output, what is looked at in it, and whose letters it is written in."""

    query: Query
    hypothesis: int
    chosen: Chosen
    lettering: str


@kept(24)
def moments(asked: Asked) -> dict[str, Any]:
    """`reads` and `steps` by the token that each begins with, in order; `read`: all is read."""
    trace = answer.trace_of(asked.query)
    run, words = run_of(asked.query, trace, asked.hypothesis), asked.chosen.words
    steps = starts(trace.hypotheses[asked.hypothesis].groups, words)
    found: dict[str, Any] = {"steps": [{"at": t} | _moment(run.step(t, asked.chosen), asked.lettering) for t in steps], "reads": []}
    if trace.parts:
        found["read"] = _moment(run.read(None), asked.lettering)
    if len(trace.parts) == 1 and trace.parts[0].kind == "text":
        first = starts(trace.parts[0].groups, words)
        found["reads"] = [{"at": j} | _moment(run.read(j), asked.lettering) for j in first]
    return with_id(found)


def _moment(seen: StepView | ReadView, lettering: str) -> dict[str, Any]:
    with keeping_vectors() as vectors:
        sections = seen.sections
    shown = [_section(section, seen, lettering) for section in sections]
    now = Moment(0, seen.position or 0, reading=True) if isinstance(seen, ReadView) else Moment(seen.step, seen.shown.position)
    if isinstance(seen, StepView):
        shown[-1]["table"] = candidate_table(seen)
    return {
        "title": pieces(seen.headline)[0],
        "sections": shown,
        **symbols.shown(sections, lettering, seen.config.cell, now, vectors),
    }


def _section(section: Section, seen: StepView | ReadView, lettering: str) -> dict[str, Any]:
    written = section.written(lettering, seen.config.cell)
    found: dict[str, Any] = {"name": written.name, "says": pieces(written.says), "lines": written.latex}
    if isinstance(seen, StepView) and section.about == "token":
        found["table"] = shifted_rows(seen, lettering)
    if isinstance(seen, StepView) and section.name == "Attention row" and seen.has_scores:
        found["table"] = row_table(seen)
    return found
