"""What is around everything that a visitor has drawn: a turn in the line, one sentence instead of a traceback, and a tidy house behind."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from functools import wraps

import streamlit as st

from demo import resources
from demo.errors import plain_errors
from demo.visitors.door import FIGURES
from demo.visitors.line import LINE


def in_line(before: int) -> None:
    """Said beside the page as it was, which stays as it is while one waits."""
    others = f"{before} come before you" if before > 1 else "you are next"
    st.toast(f"Many people are asking at this moment: {others}. What you typed is kept, and the answer comes by itself.", duration="long")


@contextmanager
def turn() -> Iterator[None]:
    with FIGURES.run(), LINE.turn(in_line):
        yield
    resources.tidy()


def by_itself(part: Callable[[], None]) -> Callable[[], None]:
    """A part of a page that is drawn alone when what stands in it is used: the shell around it would cost as much as an answer."""

    @st.fragment
    @wraps(part)
    def drawn() -> None:
        with turn() if _alone() else nullcontext(), plain_errors():
            part()

    return drawn


def _alone() -> bool:
    """Whether this run is of a part. The run of a whole page has its turn already."""
    from streamlit.runtime.scriptrunner import get_script_run_ctx

    context = get_script_run_ctx()
    return context is not None and bool(context.fragment_ids_this_run)
