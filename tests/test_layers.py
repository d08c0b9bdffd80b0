"""The map holds: who may import whom, how large a file may be, and what is written nowhere. Each question names all that offend."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PLACES = ("seq2seq_core", "demo", "pages", "tests", "tools")
APP = {"streamlit", "plotly", "demo", "pages", "streamlit_app"}
FORBIDDEN = {
    "seq2seq_core": APP,
    "demo/labs/bottleneck/charts": {"streamlit"},
    "demo/export": {"streamlit"},
    "pages": {"torch"},
}
# What the core's files stand on, the lowest first; a room may import its own floor and those below. All other files are above them.
FLOORS = ("errors", "tasks", "config", "inputs", "model", "trace", "search", "pipeline", "store", "training", "toys", "study")
TABLE = "demo/app.py"  # the table of labs
GUIDES = {"file": 300, "function": 40, "page": 60}  # lines; a tenth more is let pass

# Offenders of today, as the tests below name them. One that is mended is taken off: the lists only shrink.
NEIGHBOURS: set[str] = set()
LONG: set[str] = set()
UPWARDS = {  # Pipeline.load and Pipeline.inside, doors to the store and to a study for who reads the README
    "seq2seq_core/pipeline.py imports seq2seq_core.store.zoo",
    "seq2seq_core/pipeline.py imports seq2seq_core.study.inside.Inside",
    "seq2seq_core/pipeline.py imports seq2seq_core.study.inside.inside",
}

# What must not stand in any file of ours, and why. Assembled here so that this file passes its own check.
UNWANTED = {
    "unsafe" + r"_allow_(html|javascript)": "a visitor's text must never become markup",
    "inner" + "HTML": "set textContent instead",
    r"^\s*(import|from) +(c?" + "pickle|dill|shelve)\\b": "models and traces are safetensors and JSON",
    r"^(import|from) +(fcntl|grp|pwd|" + "resource|termios)\\b": "Windows has none: import it where it is used",
    r"weights_only *= *" + "False": "loading such a file runs code",
    r"type *= *[\"']pri" + "mary": "white words on the accent are illegible in the dark theme: use a plain button",
    r"st\.ima" + r"ge\((?![\s\S]{0,200}?alt=)": "who cannot see a picture is told what it shows",
    r"[\"'\s(=](/ro" + r"ot|/ho" + r"me|/Us" + r"ers|/wo" + r"rk|/tm" + r"p)/\w": "a path of one machine",
}


def files(*endings: str) -> list[Path]:
    found = [path for place in PLACES for path in (ROOT / place).rglob("*") if path.suffix in endings and path.is_file()]
    return sorted([*found, *(path for path in ROOT.glob("*.*") if path.suffix in endings)])


PYTHON = files(".py")
WRITTEN = files(".py", ".js", ".mjs", ".css", ".md", ".toml", ".txt", ".sh", ".yaml")


def name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@cache
def parse(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf8"), filename=str(path))


@cache
def imports(path: Path) -> tuple[tuple[int, str], ...]:
    """Every import in the file, those inside functions too, as (line, what is named in full)."""
    found: list[tuple[int, str]] = []
    for node in ast.walk(parse(path)):
        if isinstance(node, ast.Import):
            found += [(node.lineno, alias.name) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            found += [(node.lineno, f"{node.module}.{alias.name}") for alias in node.names]
    return tuple(found)


def forbidden(path: Path) -> set[str]:
    own = name(path)
    return {module for place, modules in FORBIDDEN.items() for module in modules if re.match(rf"{place}(/|_|\.py$)", own)}


def room(module: str, building: str) -> str:
    """The folder of `building` where a module is; empty for one that is in none."""
    first = module.removeprefix(building + ".").split(".")[0] if module.startswith(building + ".") else ""
    return first if (ROOT / building.replace(".", "/") / first).is_dir() else ""


def module_of(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts)


def neighbours(path: Path) -> Iterator[str]:
    """What a file of the app takes from a lab that is not its own, and a component from another one."""
    labs, components = "demo.labs", "demo.components"
    own_lab, own_component = room(module_of(path), labs), room(module_of(path), components)
    for _, module in imports(path):
        lab, component = room(module, labs), room(module, components)
        if lab and lab != own_lab and name(path) != TABLE:
            yield f"{name(path)} imports {labs}.{lab}"
        if component and own_component and component != own_component:
            yield f"{name(path)} imports {components}.{component}"


def floor(module: str) -> int:
    """How high a module of the core stands; what FLOORS does not name stands on top."""
    part = (module.split(".") + [""])[1]
    return FLOORS.index(part) if part in FLOORS else len(FLOORS)


def upwards(path: Path) -> Iterator[str]:
    for _, module in imports(path):
        if module.startswith("seq2seq_core.") and floor(module) > floor(module_of(path)):
            yield f"{name(path)} imports {module}"


def too_long(path: Path) -> Iterator[str]:
    guide = GUIDES["page" if name(path).startswith("pages/") else "file"]
    lines = path.read_text(encoding="utf8").count("\n")
    if lines > 1.1 * guide:
        yield f"{name(path)} has {lines} lines; the guide is {guide}"
    for node in ast.walk(parse(path)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            length = (node.end_lineno or node.lineno) - node.lineno + 1
            if length > 1.1 * GUIDES["function"]:
                yield f"{name(path)}:{node.lineno} {node.name}() has {length} lines; the guide is {GUIDES['function']}"


def unwanted(path: Path) -> Iterator[str]:
    text = path.read_text(encoding="utf8")
    for pattern, why in UNWANTED.items():
        for hit in re.finditer(pattern, text, re.MULTILINE):
            yield f"{name(path)}:{text.count(chr(10), 0, hit.start()) + 1}: {hit.group().strip()!r}: {why}"


def only(found: set[str], known: set[str]) -> None:
    assert not found - known, "\n".join(sorted(found - known))
    assert not known - found, "mended, so take off the list: " + ", ".join(sorted(known - found))


def test_imports_stay_in_their_layer() -> None:
    wrong = [
        f"{name(path)}:{line} may not import {module}"
        for path in PYTHON
        for line, module in imports(path)
        if module.split(".")[0] in forbidden(path)
    ]
    assert not wrong, "\n".join(wrong)


def test_the_core_imports_downwards() -> None:
    only({each for path in PYTHON if name(path).startswith("seq2seq_core/") for each in upwards(path)}, UPWARDS)


def test_nobody_imports_a_neighbours_room() -> None:
    only({each for path in PYTHON if name(path).startswith("demo/") for each in neighbours(path)}, NEIGHBOURS)


def test_files_and_functions_are_short() -> None:
    found = {each.split(" has ")[0]: each for path in PYTHON for each in too_long(path)}
    assert not found.keys() - LONG, "\n".join(each for own, each in found.items() if own not in LONG)
    only(LONG & found.keys(), LONG)


def test_nothing_unwanted_is_written() -> None:
    wrong = [each for path in WRITTEN for each in unwanted(path)]
    assert not wrong, "\n".join(wrong)


def test_no_outside_host_in_the_app() -> None:
    """No request leaves the machine; the name of an XML namespace is not a request."""
    hosts = {
        f"{name(path)} names {host}"
        for path in WRITTEN
        if name(path).startswith(("demo/", "pages/"))
        for host in re.findall(r"https?://([\w.-]+)", path.read_text(encoding="utf8"))
        if host not in ("www.w3.org", "127.0.0.1", "localhost")
    }
    assert not hosts, "\n".join(sorted(hosts))


def test_the_checks_can_fail(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def written(path: str, text: str) -> Path:
        file = tmp_path / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf8")
        return file

    assert "torch" in forbidden(ROOT / "pages/translate.py")
    assert "streamlit" in forbidden(ROOT / "demo/labs/bottleneck/charts.py") & forbidden(ROOT / "demo/export/figure.py")
    assert forbidden(ROOT / "demo/app.py") == set()
    monkeypatch.setitem(globals(), "ROOT", tmp_path)
    late = written("demo/late.py", "def late() -> None:\n    from torch.nn import Module\n    import plotly.graph_objects\n")
    assert [module for _, module in imports(late)] == ["torch.nn.Module", "plotly.graph_objects"]
    lab = written("demo/labs/one/view.py", "from demo.labs.one import own\nfrom demo.labs.two import view\nfrom demo.labs import two\n")
    written("demo/labs/two/view.py", "from demo.components.map import data\n")
    assert list(neighbours(lab)) == ["demo/labs/one/view.py imports demo.labs.two"] * 2
    assert list(neighbours(written("demo/blocks/row.py", "import demo.labs.two.view\n"))) == ["demo/blocks/row.py imports demo.labs.two"]
    written("demo/components/map/data.py", "")
    part = written("demo/components/tree/mount.py", "from demo.components import map, script\n")
    assert list(neighbours(part)) == ["demo/components/tree/mount.py imports demo.components.map"]
    low = written("seq2seq_core/model/cells.py", "from seq2seq_core.pipeline import Pipeline\nfrom seq2seq_core.inputs import text\n")
    assert list(upwards(low)) == ["seq2seq_core/model/cells.py imports seq2seq_core.pipeline.Pipeline"]
    assert not list(upwards(written("seq2seq_core/commands.py", "from seq2seq_core.study import inside\n")))
    long = written("pages/long.py", "def one() -> None:\n" + "    pass\n" * 70)
    assert [each.split(" has ")[1] for each in too_long(long)] == ["71 lines; the guide is 60", "71 lines; the guide is 40"]
    assert [each.split(": ")[0] for each in unwanted(written("a.js", "// fine\nx.inner" + "HTML = text\n"))] == ["a.js:2"]
