"""Files that a teacher writes: read strictly and safely, and whatever is wrong with one is said with its line."""

from __future__ import annotations

import difflib
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Generic, Protocol, TypeVar

import yaml

from demo.fields import NameField
from demo.links.link import Link
from seq2seq_core.errors import InputError


class Placed(Protocol):
    """What a file holds: its name is the file's without the ending, its order is written in it."""

    @property
    def name(self) -> str: ...

    @property
    def order(self) -> float: ...


T = TypeVar("T", bound=Placed)
PLAIN_TAGS = tuple(f"tag:yaml.org,2002:{kind}" for kind in ("str", "bool", "timestamp", "int", "float"))
WHOLE, FLOAT = PLAIN_TAGS[-2:]


@dataclass(frozen=True, slots=True)
class Shelf(Generic[T]):
    """What the .yaml files of a folder hold."""

    all: tuple[T, ...]  # in order
    wrong: tuple[str, ...]  # one sentence for each file that cannot be read

    def named(self, name: str) -> T | None:
        return next((one for one in self.all if one.name == name), None)


class Reader(Generic[T]):
    """Reads a shelf of such files. `what` names one of them, `longest` is the most bytes it may have, `read` takes its name and content."""

    def __init__(self, what: str, longest: int, read: Callable[[str, bytes], T]) -> None:
        self._what, self._longest, self._read = what, longest, read
        self._remembered = lru_cache(maxsize=64)(self._file)

    def shelf(self, folder: Path) -> Shelf[T]:
        """A file is read again only when it has changed."""
        found, wrong = list[T](), []
        for path in sorted(folder.glob("*.yaml")):
            try:
                about = path.stat()
                found.append(self._remembered(path, about.st_mtime_ns, about.st_size))
            except InputError as error:
                wrong.append(str(error))
            except OSError as error:
                wrong.append(f"{path.name} cannot be read ({error.strerror}).")
        return Shelf(tuple(sorted(found, key=lambda one: (one.order, one.name))), tuple(wrong))

    def _file(self, path: Path, changed: int, size: int) -> T:
        if size > self._longest:
            raise InputError(f"{path.name} has {size:,} bytes; {self._what} has at most {self._longest:,}.")
        return self._read(path.name, path.read_bytes())


class Nodes:
    """Walks the nodes of one file: they know their lines. Nothing is ever built but texts and numbers at places that are known, so a
    file whose aliases would grow without end is read no further than its first wrong place."""

    def __init__(self, file: str, field: NameField) -> None:
        self._file = file
        self.name = file.removesuffix(".yaml")
        if NameField("", "", "").clean(self.name) != self.name or field.clean(self.name) != self.name:
            raise InputError(f"{file}: the name may have letters, digits, spaces and - _ . only, and at most 60 of them.")

    def root(self, data: bytes, empty: str) -> yaml.Node:
        """The whole file. `empty`: what it would have."""
        try:
            root = yaml.compose(data.decode("utf8"), Loader=yaml.SafeLoader)
        except UnicodeDecodeError as error:
            line = data[: error.start].count(10) + 1
            raise InputError(f"{self._file}, line {line}: this is not UTF-8 text; save the file as UTF-8.") from None
        except yaml.MarkedYAMLError as error:
            mark = error.problem_mark or error.context_mark
            line = mark.line + 1 if mark else 1
            raise InputError(f"{self._file}, line {line}: this is not YAML ({error.problem or error.context}).") from None
        except (yaml.YAMLError, RecursionError) as error:
            raise InputError(f"{self._file}: this is not YAML ({str(error).splitlines()[0][:120]}).") from None
        if root is None:
            raise InputError(f"{self._file}, line 1: the file is empty; {empty}.")
        return root

    def mapping(self, node: yaml.Node, what: str, needs: Sequence[str], takes: Sequence[str] | None = ()) -> dict[str, yaml.Node]:
        """The parts of a mapping by name; `takes` None: any others."""
        if not isinstance(node, yaml.MappingNode) or not node.value:
            raise self.error(node, f"{what} must have parts, each written as name: value" + (f" ({', '.join(needs)})" if needs else ""))
        parts: dict[str, yaml.Node] = {}
        for key_node, value in node.value:
            key = self.text(key_node, 60)
            if takes is not None and key not in (*needs, *takes):
                near = difflib.get_close_matches(key, (*needs, *takes), n=1)
                hint = f"did you mean {near[0]}?" if near else f"it may have {', '.join((*needs, *takes))}."
                raise self.error(key_node, f"{what} has no {key!r}; {hint}")
            if key in parts:
                raise self.error(key_node, f"{key!r} stands here a second time; remove one")
            parts[key] = value
        missing = [name for name in needs if name not in parts]
        if missing:
            raise self.error(node, f"{what} needs {', '.join(missing)}")
        return parts

    def listed(self, node: yaml.Node, what: str, most: int) -> list[yaml.Node]:
        """The members of a list; `what` names them."""
        if not isinstance(node, yaml.SequenceNode) or not 1 <= len(node.value) <= most:
            raise self.error(node, f"{what}s must be a list of 1 to {most} {what}s, each beginning with a dash")
        return list(node.value)

    def text(self, node: yaml.Node, longest: int) -> str:
        if not isinstance(node, yaml.ScalarNode) or not str(node.value).strip() or not node.tag.startswith(PLAIN_TAGS):
            raise self.error(node, "a text is wanted here")
        text = " ".join(str(node.value).split())
        if len(text) > longest:
            raise self.error(node, f"this text has {len(text)} characters; at most {longest} are allowed")
        return text

    def choice(self, node: yaml.Node, allowed: Sequence[str]) -> str:
        text = self.text(node, 60)
        if text not in allowed:
            raise self.error(node, f"{text!r} is not one of {', '.join(allowed)}")
        return text

    def number(self, node: yaml.Node, *, low: float = -1e6, whole: bool = False) -> float:
        wanted = "a whole number" if whole else "a number"
        try:
            value = float(node.value) if node.tag in (WHOLE, FLOAT) else math.nan
        except ValueError:
            value = math.nan
        if not low <= value <= 1e6 or (whole and value != int(value)):
            raise self.error(node, f"{wanted}{f' of at least {low:g}' if low >= 0 else ''} is wanted here")
        return value

    def link(self, node: yaml.Node, read: Callable[[str], Link]) -> Link:
        written = self.text(node, 2000)
        try:
            return read(written)
        except InputError as error:
            raise self.error(node, str(error).rstrip(".")) from None

    def error(self, node: yaml.Node, why: str) -> InputError:
        end = "" if why.endswith(("?", ".")) else "."
        return InputError(f"{self._file}, line {node.start_mark.line + 1}: {why}{end}")
