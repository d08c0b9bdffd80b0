"""Open a page as a visitor would, and read what it shows."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from streamlit.runtime.pages_manager import PagesManager
from streamlit.testing.v1 import AppTest, app_test

ROOT = Path(__file__).parents[2]


class _Pages(PagesManager):
    """AppTest takes the folder pages for an app of Streamlit's older kind and would run a page without the shell around it."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        PagesManager.uses_pages_directory = _Pages.uses_pages_directory = False
        super().__init__(*args, **kwargs)


def open_page(name: str, **query: str) -> AppTest:
    """The page in the whole app, with what a link says."""
    app_test.PagesManager = _Pages  # type: ignore[misc]
    at = AppTest.from_file(str(ROOT / "streamlit_app.py"), default_timeout=120)
    for key, value in query.items():
        at.query_params[key] = value
    if name == "start":
        at.run()
    else:
        at.switch_page(f"pages/{name}.py").run()
    assert not at.exception
    return at


def components(at: AppTest) -> list[dict[str, Any]]:
    return [json.loads(each.proto.json) for each in at.get("bidi_component") if each.proto.json]


def result(at: AppTest) -> str:
    """The large line of output; empty when there is none."""
    return next((str(data["text"]) for data in components(at) if data.get("kind") == "line"), "")


def table(at: AppTest, title: str) -> dict[str, Any] | None:
    return next((data for data in components(at) if data.get("kind") == "table" and data["title"].startswith(title)), None)


def texts(found: dict[str, Any] | None) -> list[str]:
    return ["".join(row["parts"]) for row in found["rows"]] if found else []


def player(at: AppTest) -> dict[str, Any] | None:
    return next((data for data in components(at) if "player" in data), None)


def moment(at: AppTest) -> dict[str, Any]:
    """Of the equations beside a player that reads, those that the browser shows where the player opens."""
    shown, found = player(at), next(data for data in components(at) if "steps" in data and "reads" in data)
    assert shown is not None
    step, read = shown["options"]["step"], shown["options"]["read"]
    if step != 0:
        return dict(found["steps"][-1 if step is None else step - 1])
    return dict(found["reads"][read - 1] if read is not None and 0 < read <= len(found["reads"]) else found.get("read", found["steps"][0]))


def equations(at: AppTest) -> str:
    return "\n".join(line for section in moment(at)["sections"] for line in section["lines"])


def boxes(at: AppTest) -> dict[str, Any]:
    """The equations that stand still: the six parts of a system."""
    return next(data for data in components(at) if "boxes" in data)


def errors(at: AppTest) -> list[str]:
    return [re.sub(r"\\(.)", r"\1", error.value) for error in at.error]  # as it is read: without the marks that keep Markdown out
