"""The notebook in docs/ runs from its first cell to its last, and shows what it says."""

from __future__ import annotations

import ast
import json
import tomllib
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import pandas as pd
import plotly.graph_objects as go
import pytest

from seq2seq_core.trace.trace import DecodeTrace

ROOT = Path(__file__).parents[2]
NOTEBOOK = json.loads((ROOT / "docs/notebook.ipynb").read_text(encoding="utf-8"))
CODE = ["".join(cell["source"]) for cell in NOTEBOOK["cells"] if cell["cell_type"] == "code"]


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch, all_models: Path) -> None:
    """As after `pip install -e .`, with tiny models."""
    groups = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["entry-points"]
    monkeypatch.setattr(
        "seq2seq_core.trace.trace.entry_points",
        lambda group: [EntryPoint(name, target, group) for name, target in groups.get(group, {}).items()],
    )
    monkeypatch.setenv("SEQ2SEQ_MODELS", str(all_models))


def shown(code: str, names: dict[str, Any]) -> Any:
    """The value of the last line of a cell."""
    *before, last = ast.parse(code).body
    assert isinstance(last, ast.Expr)
    exec(compile(ast.Module(before, []), "cell", "exec"), names)
    return eval(compile(ast.Expression(last.value), "cell", "eval"), names)


@pytest.mark.filterwarnings("error")
def test_every_cell_runs_and_shows_something(installed: None) -> None:
    names: dict[str, Any] = {}
    values = [shown(code, names) for code in CODE]
    kinds = [type(value) for value in values]
    assert kinds == [DecodeTrace, pd.DataFrame, pd.DataFrame, pd.DataFrame, go.Figure, go.Figure, pd.DataFrame, pd.DataFrame]
    assert values[0]._repr_html_().startswith("<iframe")
    assert all(len(value) for value in values if isinstance(value, pd.DataFrame))
    assert values[2].to_numpy() == pytest.approx(values[0].attention(), abs=0.0051)
    assert len(values[5].layout.updatemenus[0].buttons) == 1 + len(names["heads"].heads)
    assert values[6]["coverage"].between(0, 1 + 1e-6).all()
    assert values[7]["origin"].tolist()[0] == "forced" and values[7]["token"].iloc[0] != values[0].tokens()[0]


def test_it_is_stored_without_outputs_in_ten_cells() -> None:
    assert len(NOTEBOOK["cells"]) == 10
    assert all(not cell.get("outputs") and cell.get("execution_count") is None for cell in NOTEBOOK["cells"])
