"""The shell as a visitor meets it: the pages that are there, quick to appear, and a sentence instead of a traceback."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from demo import app, resources
from seq2seq_core.errors import InputError

ROOT = Path(__file__).parents[2]


def test_every_page_file_is_in_the_list() -> None:
    assert {path.stem for path in (ROOT / "pages").glob("*.py")} == {lab.name for lab in app.LABS}
    assert app.labs()[0].name == "start"


def test_labs_are_told_apart_and_described() -> None:
    assert len({lab.name for lab in app.LABS}) == len({lab.title for lab in app.LABS}) == len(app.LABS)
    assert all(lab.about.endswith(".") for lab in app.LABS)
    groups = [lab.group for lab in app.LABS]
    assert groups == sorted(groups, key=groups.index), "the pages of a group stand together"


def test_the_app_opens_on_start() -> None:
    shown = AppTest.from_file(str(ROOT / "streamlit_app.py"), default_timeout=30).run()
    assert not shown.exception
    assert not shown.error
    assert shown.title[0].value == app.TITLE


def test_the_shell_needs_no_torch() -> None:
    """A second of import time: the first page is to be there before it."""
    code = "import sys, demo.app; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False).returncode == 0


def failing_page() -> None:
    import streamlit as st

    from demo.app import plain_errors
    from seq2seq_core.errors import InputError

    st.write("before")
    with plain_errors():
        raise {
            "input": InputError("The size is ![0](http://x/y.png); it must be 1."),
            "bug": ZeroDivisionError("inner detail"),
        }[st.query_params["kind"]]
    st.write("after")


@pytest.mark.parametrize(("kind", "said"), [("input", r"The size is \!\[0\]\("), ("bug", "not your doing")])
def test_an_error_is_one_sentence(kind: str, said: str) -> None:
    at = AppTest.from_function(failing_page)
    at.query_params["kind"] = kind
    at.run()
    assert not at.exception
    assert [said in error.value for error in at.error] == [True]
    assert "inner detail" not in at.error[0].value
    assert [text.value for text in at.markdown] == ["before", "after"]


def test_other_ways_to_stop_a_page_pass_through() -> None:
    with pytest.raises(KeyboardInterrupt), app.plain_errors():
        raise KeyboardInterrupt
    assert issubclass(InputError, ValueError)


def test_a_damaged_model_is_named_in_the_sidebar_and_takes_nothing_down(
    all_models: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "translation" / "every-step").mkdir(parents=True)
    (tmp_path / "translation" / "every-step" / "model.json").write_text("{", encoding="utf8")
    (tmp_path / "translation" / "additive").symlink_to(all_models / "translation" / "additive")
    monkeypatch.setenv("SEQ2SEQ_MODELS", str(tmp_path))
    resources.shelf.clear()
    shown = AppTest.from_file(str(ROOT / "streamlit_app.py"), default_timeout=30)
    shown.run()
    assert not shown.exception and not shown.error
    said = [caption.value for caption in shown.sidebar.caption]
    assert [one for one in said if "every" in one] == [r"Left out, because its folder is damaged: translation\/every\-step."]
    assert [info.id for info in resources.installed("translation")] == ["translation/additive"]
    resources.shelf.clear()
