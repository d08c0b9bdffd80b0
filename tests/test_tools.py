"""The scripts in tools/ find what they import: they are run by hand, so nothing else notices when a module has moved."""

from __future__ import annotations

import runpy
import sys
from pathlib import Path

import pytest

TOOLS = Path(__file__).resolve().parents[1] / "tools"
OURS = {"demo", "seq2seq_core", "tests", "tools", *(path.stem for path in TOOLS.glob("*.py"))}


@pytest.mark.parametrize("tool", sorted(TOOLS.glob("*.py")), ids=lambda path: path.stem)
def test_what_it_imports_is_there(tool: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", [str(TOOLS), *sys.path])
    try:
        runpy.run_path(str(tool), run_name="looked_at")
    except ModuleNotFoundError as missing:
        if str(missing.name).partition(".")[0] in OURS:
            raise
        pytest.skip(f"{missing.name} is not installed")
