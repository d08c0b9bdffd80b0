"""The lessons on the shelf: every .yaml file of this folder is one. A bad file is named with its line, and the others still work."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from demo import yaml_files
from demo.labs.lessons.checks import Check
from demo.labs.lessons.kinds import KINDS
from demo.labs.lessons.links import read_link
from demo.links.link import Link
from demo.query import Query
from demo.state import LESSON
from demo.yaml_files import WHOLE, Nodes, Shelf

FOLDER = Path(__file__).parent
LONGEST = 60_000  # bytes of a file
MOST_QUESTIONS = 50
HIDDEN = ("output", "attention")  # the output and everything about it; or the player alone
WHICH = ("highest", "lowest")


@dataclass(frozen=True, slots=True)
class Question:
    """`states` are the decodes it is about, by name; `links` open them on their own pages."""

    text: str
    links: tuple[tuple[str, Link], ...]
    states: tuple[tuple[str, Query], ...]
    hides: str
    check: Check
    explanation: str = ""


@dataclass(frozen=True, slots=True)
class Lesson:
    name: str  # the file's, without its ending
    title: str
    order: float
    summary: str
    before: str  # two sentences before the questions: what they are about
    questions: tuple[Question, ...]


def shelf(folder: Path | None = None) -> Shelf[Lesson]:
    """Every lesson there is."""
    return LESSONS.shelf(folder or FOLDER)


def read_lesson(file: str, data: bytes) -> Lesson:
    """A lesson from the content of its file; InputError says which line is wrong, and why."""
    reader = _Reader(file, LESSON)
    return reader.lesson(reader.root(data, "a lesson has title, order, summary and questions"))


LESSONS = yaml_files.Reader("a lesson", LONGEST, read_lesson)


class _Reader(Nodes):
    """A lesson from its nodes."""

    def lesson(self, root: yaml.Node) -> Lesson:
        parts = self.mapping(root, "a lesson", ("title", "order", "summary", "questions"), ("before",))
        questions = tuple(self._question(node) for node in self.listed(parts["questions"], "question", MOST_QUESTIONS))
        title, summary = self.text(parts["title"], 60), self.text(parts["summary"], 300)
        before = self.text(parts["before"], 500) if "before" in parts else ""
        return Lesson(self.name, title, self.number(parts["order"]), summary, before, questions)

    def _question(self, node: yaml.Node) -> Question:
        parts = self.mapping(node, "a question", ("question", "start", "hides", "check"), ("explanation",))
        check, hides = self._check(parts["check"]), self.choice(parts["hides"], HIDDEN)
        links = self._links(parts["start"])
        states = {
            (" · ".join(dict.fromkeys(filter(None, (own, inner)))) if len(link.asked) > 1 else own or inner): asked
            for own, link in links
            for inner, asked in link.asked.items()
        }
        kind = KINDS[check.kind]
        least, most = kind.states
        if not least <= len(states) <= most:
            wanted = f"{least}" if least == most else f"{least} to {most}"
            raise self.error(parts["start"], f"the check {check.kind!r} is about {wanted} decodes, and this start gives {len(states)}")
        if kind.spoilt and hides != "output":
            raise self.error(parts["hides"], f"the output gives the answer of {check.kind!r} away; write hides: output")
        explanation = self.text(parts["explanation"], 600) if "explanation" in parts else ""
        return Question(self.text(parts["question"], 600), links, tuple(states.items()), hides, check, explanation)

    def _links(self, node: yaml.Node) -> tuple[tuple[str, Link], ...]:
        """One link, or several with a name for each."""
        if not isinstance(node, yaml.MappingNode):
            return (("", self.link(node, read_link)),)
        return tuple((name, self.link(value, read_link)) for name, value in self.mapping(node, "start", (), None).items())

    def _check(self, node: yaml.Node) -> Check:
        kind_node = self.mapping(node, "a check", ("kind",), None)["kind"]
        name = self.choice(kind_node, tuple(KINDS))
        kind = KINDS[name]
        parts = self.mapping(node, f"the check {name!r}", ("kind", *kind.needs), kind.takes)
        values: dict[str, Any] = {}
        for key, value in parts.items():
            if key == "measure":
                values[key] = self.choice(value, kind.measures)
            elif key == "which":
                values[key] = self.choice(value, WHICH)
            elif key == "within":
                values[key] = self.number(value, low=0)
            elif key == "at" or (key == "word" and value.tag == WHOLE and name != "says"):
                values[key] = int(self.number(value, low=1, whole=True))
            elif key != "kind":
                values[key] = self.text(value, 200)
        if values.get("measure") == "chrF" and "reference" not in values:
            raise self.error(node, "the measure chrF needs a reference: the output that would be right")
        return Check(kind=name, **values)
