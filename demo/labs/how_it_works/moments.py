"""Every moment of a run with its equations, for the browser: it shows the one that the player is at, and asks nobody."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from demo.blocks import answer
from demo.components import with_id
from demo.labs.how_it_works import symbols
from demo.labs.how_it_works.notation import Section, keeping_vectors
from demo.labs.how_it_works.rows import candidate_table, row_table, shifted_rows
from demo.labs.how_it_works.symbols import Moment
from demo.labs.how_it_works.view import Chosen, ReadView, StepView, run_of, starts
from demo.letters import pieces
from demo.query import Query
from demo.visitors.kept import kept

MOST = 120  # moments that come with their vectors whole: 3 MB


@dataclass(frozen=True, slots=True)
class Asked:
    """An output, what is looked at in it, and whose letters it is written in."""

    query: Query
    hypothesis: int
    chosen: Chosen
    lettering: str


@kept(24)
def moments(asked: Asked) -> tuple[dict[str, Any], dict[str, Any]]:
    """`reads` and `steps` by the token that each begins with, in order; `read`: all is read. Then the numbers of their vectors."""
    trace = answer.trace_of(asked.query)
    run, words = run_of(asked.query, trace, asked.hypothesis), asked.chosen.words
    steps = starts(trace.hypotheses[asked.hypothesis].groups, words)
    reads = starts(trace.parts[0].groups, words) if len(trace.parts) == 1 and trace.parts[0].kind == "text" else []
    whole = len(steps) + len(reads) <= MOST

    def written(seen: StepView | ReadView) -> dict[str, Any]:
        return moment_of(seen, asked.lettering, whole)

    found: dict[str, Any] = {"steps": [{"at": t} | written(run.step(t, asked.chosen)) for t in steps]}
    found["reads"] = [{"at": j} | written(run.read(j)) for j in reads]
    if trace.parts:
        found["read"] = written(run.read(None, asked.chosen.position))
    return with_id(found), with_id({"numbers": _apart([*found["steps"], *found["reads"], found.get("read", {})])})


def _apart(moments: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Takes the numbers out of vectors, each kind once, and leaves their place among them."""
    places = dict[tuple[int, str], int]()
    for vector in (vector for moment in moments for vector in moment.get("vectors", ())):
        vector["at"] = places.setdefault((vector.pop("bits"), vector.pop("values")), len(places))
    return [{"bits": bits, "values": values} for bits, values in places]


def moment_of(seen: StepView | ReadView, lettering: str, whole: bool) -> dict[str, Any]:
    with keeping_vectors() as vectors:
        sections = seen.sections
    shown = [_section(section, seen, lettering) for section in sections]
    now = Moment(0, seen.position or 0, reading=True) if isinstance(seen, ReadView) else Moment(seen.step, seen.shown.position)
    if isinstance(seen, StepView):
        shown[-1]["table"] = candidate_table(seen)
    return {
        "title": pieces(seen.headline)[0],
        "sections": shown,
        **symbols.shown(sections, lettering, seen.config.cell, now, vectors if whole else {}),
    }


def _section(section: Section, seen: StepView | ReadView, lettering: str) -> dict[str, Any]:
    written = section.written(lettering, seen.config.cell)
    found: dict[str, Any] = {"name": written.name, "says": pieces(written.says), "lines": written.latex}
    if isinstance(seen, StepView) and section.about == "token":
        found["table"] = shifted_rows(seen, lettering)
    if isinstance(seen, StepView) and section.name == "Attention row" and seen.has_scores:
        found["table"] = row_table(seen, lettering)
    return found
