"""The lessons on the shelf: every .yaml file of this folder is one. A bad file is named with its line, and the others still work."""

from __future__ import annotations

import difflib
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import yaml

from demo.fields import NameField
from demo.labs.lessons.checks import Check
from demo.labs.lessons.kinds import KINDS
from demo.labs.lessons.links import Link, read_link
from demo.query import Query
from demo.state import LESSON
from seq2seq_core.errors import InputError

FOLDER = Path(__file__).parent
LONGEST = 60_000  # bytes of a file
MOST_QUESTIONS = 50
HIDDEN = ("output", "attention")  # the output and everything about it; or the player alone
WHICH = ("highest", "lowest")
PLAIN_TAGS = tuple(f"tag:yaml.org,2002:{kind}" for kind in ("str", "bool", "timestamp", "int", "float"))
WHOLE, FLOAT = PLAIN_TAGS[-2:]


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
    questions: tuple[Question, ...]


@dataclass(frozen=True, slots=True)
class Shelf:
    lessons: tuple[Lesson, ...]  # in order
    wrong: tuple[str, ...]  # one sentence for each file that cannot be read


def shelf(folder: Path | None = None) -> Shelf:
    """Every lesson there is; a file is read again only when it has changed."""
    lessons, wrong = [], []
    for path in sorted((folder or FOLDER).glob("*.yaml")):
        try:
            about = path.stat()
            lessons.append(_lesson(path, about.st_mtime_ns, about.st_size))
        except InputError as error:
            wrong.append(str(error))
        except OSError as error:
            wrong.append(f"{path.name} cannot be read ({error.strerror}).")
    return Shelf(tuple(sorted(lessons, key=lambda lesson: (lesson.order, lesson.name))), tuple(wrong))


@lru_cache(maxsize=64)
def _lesson(path: Path, changed: int, size: int) -> Lesson:  # noqa: ARG001  the time of the last change is part of the key
    if size > LONGEST:
        raise InputError(f"{path.name} has {size:,} bytes; a lesson has at most {LONGEST:,}.")
    return read_lesson(path.name, path.read_bytes())


def read_lesson(file: str, data: bytes) -> Lesson:
    """A lesson from the content of its file; InputError says which line is wrong, and why."""
    name = file.removesuffix(".yaml")
    if NameField("", "", "").clean(name) != name or LESSON.clean(name) != name:
        raise InputError(f"{file}: the name may have letters, digits, spaces and - _ . only, and at most 60 of them.")
    try:
        root = yaml.compose(data.decode("utf8"), Loader=yaml.SafeLoader)
    except UnicodeDecodeError as error:
        raise InputError(f"{file}, line {data[: error.start].count(10) + 1}: this is not UTF-8 text; save the file as UTF-8.") from None
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise InputError(f"{file}, line {mark.line + 1 if mark else 1}: this is not YAML ({error.problem or error.context}).") from None
    except (yaml.YAMLError, RecursionError) as error:
        raise InputError(f"{file}: this is not YAML ({str(error).splitlines()[0][:120]}).") from None
    if root is None:
        raise InputError(f"{file}, line 1: the file is empty; a lesson has title, order, summary and questions.")
    return _Reader(file).lesson(name, root)


class _Reader:
    """Walks the nodes of one file: they know their lines."""

    def __init__(self, file: str) -> None:
        self._file = file

    def lesson(self, name: str, root: yaml.Node) -> Lesson:
        parts = self._mapping(root, "a lesson", ("title", "order", "summary", "questions"))
        listed = parts["questions"]
        if not isinstance(listed, yaml.SequenceNode) or not 1 <= len(listed.value) <= MOST_QUESTIONS:
            raise self._error(listed, f"questions must be a list of 1 to {MOST_QUESTIONS} questions, each beginning with a dash")
        questions = tuple(self._question(node) for node in listed.value)
        return Lesson(name, self._text(parts["title"], 60), self._number(parts["order"]), self._text(parts["summary"], 300), questions)

    def _question(self, node: yaml.Node) -> Question:
        parts = self._mapping(node, "a question", ("question", "start", "hides", "check"), ("explanation",))
        check, hides = self._check(parts["check"]), self._choice(parts["hides"], HIDDEN)
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
            raise self._error(parts["start"], f"the check {check.kind!r} is about {wanted} decodes, and this start gives {len(states)}")
        if kind.spoilt and hides != "output":
            raise self._error(parts["hides"], f"the output gives the answer of {check.kind!r} away; write hides: output")
        explanation = self._text(parts["explanation"], 600) if "explanation" in parts else ""
        return Question(self._text(parts["question"], 600), links, tuple(states.items()), hides, check, explanation)

    def _links(self, node: yaml.Node) -> tuple[tuple[str, Link], ...]:
        """One link, or several with a name for each."""
        if not isinstance(node, yaml.MappingNode):
            return (("", self._link(node)),)
        return tuple((name, self._link(value)) for name, value in self._mapping(node, "start", (), None).items())

    def _link(self, node: yaml.Node) -> Link:
        try:
            return read_link(self._text(node, 2000))
        except InputError as error:
            if str(error).startswith(self._file):
                raise
            raise self._error(node, str(error).rstrip(".")) from None

    def _check(self, node: yaml.Node) -> Check:
        kind_node = self._mapping(node, "a check", ("kind",), None)["kind"]
        name = self._choice(kind_node, tuple(KINDS))
        kind = KINDS[name]
        parts = self._mapping(node, f"the check {name!r}", ("kind", *kind.needs), kind.takes)
        values: dict[str, Any] = {}
        for key, value in parts.items():
            if key == "measure":
                values[key] = self._choice(value, kind.measures)
            elif key == "which":
                values[key] = self._choice(value, WHICH)
            elif key == "within":
                values[key] = self._number(value, low=0)
            elif key == "at" or (key == "word" and value.tag == WHOLE and name != "says"):
                values[key] = int(self._number(value, low=1, whole=True))
            elif key != "kind":
                values[key] = self._text(value, 200)
        if values.get("measure") == "chrF" and "reference" not in values:
            raise self._error(node, "the measure chrF needs a reference: the output that would be right")
        return Check(kind=name, **values)

    def _mapping(self, node: yaml.Node, what: str, needs: Sequence[str], takes: Sequence[str] | None = ()) -> dict[str, yaml.Node]:
        """The parts of a mapping by name; `takes` None: any others."""
        if not isinstance(node, yaml.MappingNode) or not node.value:
            raise self._error(node, f"{what} must have parts, each written as name: value" + (f" ({', '.join(needs)})" if needs else ""))
        parts: dict[str, yaml.Node] = {}
        for key_node, value in node.value:
            key = self._text(key_node, 60)
            if takes is not None and key not in (*needs, *takes):
                near = difflib.get_close_matches(key, (*needs, *takes), n=1)
                hint = f"did you mean {near[0]}?" if near else f"it may have {', '.join((*needs, *takes))}."
                raise self._error(key_node, f"{what} has no {key!r}; {hint}")
            if key in parts:
                raise self._error(key_node, f"{key!r} stands here a second time; remove one")
            parts[key] = value
        missing = [name for name in needs if name not in parts]
        if missing:
            raise self._error(node, f"{what} needs {', '.join(missing)}")
        return parts

    def _text(self, node: yaml.Node, longest: int) -> str:
        if not isinstance(node, yaml.ScalarNode) or not str(node.value).strip() or not node.tag.startswith(PLAIN_TAGS):
            raise self._error(node, "a text is wanted here")
        text = " ".join(str(node.value).split())
        if len(text) > longest:
            raise self._error(node, f"this text has {len(text)} characters; at most {longest} are allowed")
        return text

    def _choice(self, node: yaml.Node, allowed: Sequence[str]) -> str:
        text = self._text(node, 60)
        if text not in allowed:
            raise self._error(node, f"{text!r} is not one of {', '.join(allowed)}")
        return text

    def _number(self, node: yaml.Node, *, low: float = -1e6, whole: bool = False) -> float:
        wanted = "a whole number" if whole else "a number"
        try:
            value = float(node.value) if node.tag in (WHOLE, FLOAT) else math.nan
        except ValueError:
            value = math.nan
        if not low <= value <= 1e6 or (whole and value != int(value)):
            raise self._error(node, f"{wanted}{f' of at least {low:g}' if low >= 0 else ''} is wanted here")
        return value

    def _error(self, node: yaml.Node, why: str) -> InputError:
        end = "" if why.endswith(("?", ".")) else "."
        return InputError(f"{self._file}, line {node.start_mark.line + 1}: {why}{end}")
