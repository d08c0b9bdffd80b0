"""The lectures there are. A bad file is named with its line, and the others still work."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal
from urllib.parse import urlencode

import yaml

from demo import app, state, yaml_files
from demo.letters import NAMES
from demo.links import link
from demo.links.link import Link
from demo.yaml_files import Nodes, Shelf

FOLDER = Path(__file__).parent
LONGEST = 200_000  # bytes of a file
MOST_IDEAS = 300
EQUATIONS = ("how_it_works", "training_step")  # pages that have a letter wherever one looks
HOME = "lectures"  # the page of the lectures, where an idea stands that no page can show
Shown = Literal["live", "in part", "not yet"]
SHOWN: tuple[Shown, ...] = ("live", "in part", "not yet")


@dataclass(frozen=True, slots=True)
class Idea:
    """One idea of a lecture, in its letters. `lacks`: what of it the lab does not show; without `link` it shows nothing of it."""

    text: str
    equation: str = ""
    link: Link | None = None
    say: str = ""
    lacks: str = ""
    part: str = ""  # of the lecture: each idea knows the heading it stands under

    @property
    def shown(self) -> Shown:
        return "not yet" if self.link is None else "in part" if self.lacks else "live"


@dataclass(frozen=True, slots=True)
class Lecture:
    name: str  # the file's, without its ending
    title: str
    by: str
    order: float
    about: str
    letters: str  # how they differ from the lab's
    ideas: tuple[Idea, ...]

    def address(self, place: int) -> str:
        """Where the idea in this place, from 0, is shown while the lecture is given."""
        given = {state.LECTURE.key: self.name, state.IDEA.key: place + 1}
        at = self.ideas[place].link
        return at.address_with(given) if at else state.link(HOME, given)

    def counts(self) -> dict[Shown, int]:
        found = Counter(idea.shown for idea in self.ideas)
        return {shown: found[shown] for shown in SHOWN}


def shelf(folder: Path | None = None) -> Shelf[Lecture]:
    """Every lecture there is."""
    return LECTURES.shelf(folder or FOLDER)


def read_lecture(file: str, data: bytes) -> Lecture:
    """A lecture from the content of its file; InputError says which line is wrong, and why."""
    reader = _Reader(file, state.LECTURE)
    return reader.lecture(reader.root(data, "a lecture has title, by, order, about and ideas"))


LECTURES = yaml_files.Reader("a lecture", LONGEST, read_lecture)


def read_link(written: str) -> Link:
    """A link to any other page: what it says must be what the page would do."""
    return link.read(written, [lab.name for lab in app.LABS if lab.name != HOME], "an idea can be shown")


class _Reader(Nodes):
    """A lecture from its nodes."""

    def lecture(self, root: yaml.Node) -> Lecture:
        parts = self.mapping(root, "a lecture", ("title", "by", "order", "about", "ideas"), ("letters", "lettering"))
        self.lettering = self.choice(parts["lettering"], NAMES) if "lettering" in parts else ""
        title, by, about = (self.text(parts[name], longest) for name, longest in (("title", 80), ("by", 120), ("about", 300)))
        letters = self.text(parts["letters"], 900) if "letters" in parts else ""
        part, ideas = "", []
        for node in self.listed(parts["ideas"], "idea", MOST_IDEAS):
            idea = self._idea(node)
            part = idea.part or part
            ideas.append(replace(idea, part=part))
        return Lecture(self.name, title, by, self.number(parts["order"]), about, letters, tuple(ideas))

    def _in_letters(self, written: str) -> Link:
        """Equations and networks have the letters of the lecture, where the link does not say otherwise."""
        at = read_link(written)
        if (
            not self.lettering
            or f"{state.LETTERS.key}=" in at.query
            or not (at.page in EQUATIONS or at.values[state.VIEW.key] == "network")
        ):
            return at
        return replace(at, query=f"{at.query}&{urlencode({state.LETTERS.key: self.lettering})}")

    def _idea(self, node: yaml.Node) -> Idea:
        parts = self.mapping(node, "an idea", ("idea",), ("part", "equation", "link", "say", "lacks"))

        def text(name: str, longest: int) -> str:
            return self.text(parts[name], longest) if name in parts else ""

        at = self.link(parts["link"], self._in_letters) if "link" in parts else None
        return Idea(text("idea", 220), text("equation", 200), at, text("say", 700), text("lacks", 300), text("part", 60))
