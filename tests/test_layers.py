"""The map holds: who may import whom, how large a file may be, and what is written nowhere."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
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
MAX_FILE, MAX_FUNCTION, MAX_PAGE = 330, 55, 90

# What must not stand in any file of ours, and why. Assembled here so that this file passes its own check.
UNWANTED = {
    "unsafe" + r"_allow_(html|javascript)": "a visitor's text must never become markup",
    "inner" + "HTML": "set textContent instead",
    r"^\s*(import|from) +(c?" + "pickle|dill|shelve)\\b": "models and traces are safetensors and JSON",
    r"weights_only *= *" + "False": "loading such a file runs code",
    r"type *= *[\"']pri" + "mary": "white words on the accent are illegible in the dark theme: use a plain button",
    r"[\"'\s(=](/ro" + r"ot|/ho" + r"me|/Us" + r"ers|/wo" + r"rk|/tm" + r"p)/\w": "a path of one machine",
}


def files(*endings: str) -> list[Path]:
    found = [path for place in PLACES for path in (ROOT / place).rglob("*") if path.suffix in endings and path.is_file()]
    return sorted([*found, *(path for path in ROOT.glob("*.*") if path.suffix in endings)])


def name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def parse(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf8"), filename=str(path))


def imports(path: Path) -> Iterator[tuple[int, str]]:
    """Every import in the file, those inside functions too, as (line, first part of the name)."""
    for node in ast.walk(parse(path)):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name.split(".")[0]) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.lineno, (node.module or "").split(".")[0]


def forbidden(path: Path) -> set[str]:
    own = name(path)
    return {module for place, modules in FORBIDDEN.items() for module in modules if re.match(rf"{place}(/|_|\.py$)", own)}


PYTHON = [pytest.param(path, id=name(path)) for path in files(".py")]
WRITTEN = [pytest.param(path, id=name(path)) for path in files(".py", ".js", ".css", ".md", ".toml", ".txt", ".sh", ".yaml")]


@pytest.mark.parametrize("path", PYTHON)
def test_imports_stay_in_their_layer(path: Path) -> None:
    wrong = [f"line {line}: {module}" for line, module in imports(path) if module in forbidden(path)]
    assert not wrong, f"{name(path)} may not import {', '.join(wrong)}"


@pytest.mark.parametrize("path", PYTHON)
def test_files_and_functions_are_short(path: Path) -> None:
    tree = parse(path)
    limit = MAX_PAGE if name(path).startswith("pages/") else MAX_FILE
    lines = path.read_text(encoding="utf8").count("\n")
    assert lines <= limit, f"{name(path)} has {lines} lines; split it before it passes {limit}"
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            length = (node.end_lineno or node.lineno) - node.lineno + 1
            assert length <= MAX_FUNCTION, f"{name(path)}:{node.lineno}: {node.name}() has {length} lines, more than {MAX_FUNCTION}"


@pytest.mark.parametrize("path", WRITTEN)
def test_nothing_unwanted_is_written(path: Path) -> None:
    text = path.read_text(encoding="utf8")
    for pattern, why in UNWANTED.items():
        hit = re.search(pattern, text, re.MULTILINE)
        assert hit is None, f"{name(path)}:{text.count(chr(10), 0, hit.start()) + 1}: {hit.group().strip()!r}: {why}"


@pytest.mark.parametrize("path", [path for path in WRITTEN if path.id and path.id.startswith(("demo/", "pages/"))])
def test_no_outside_host_in_the_app(path: Path) -> None:
    """No request leaves the machine; the name of an XML namespace is not a request."""
    hosts = set(re.findall(r"https?://([\w.-]+)", path.read_text(encoding="utf8"))) - {"www.w3.org", "127.0.0.1", "localhost"}
    assert not hosts, f"{name(path)} names {', '.join(sorted(hosts))}"


def test_the_checks_can_fail(tmp_path: Path) -> None:
    sample = tmp_path / "sample.py"
    sample.write_text("def late() -> None:\n    from torch.nn import Module\n    import plotly.graph_objects\n", encoding="utf8")
    assert [module for _, module in imports(sample)] == ["torch", "plotly"]
    assert "torch" in forbidden(ROOT / "pages/translate.py")
    assert "streamlit" in forbidden(ROOT / "demo/labs/bottleneck/charts.py") & forbidden(ROOT / "demo/export/figure.py")
    assert forbidden(ROOT / "demo/app.py") == set()
