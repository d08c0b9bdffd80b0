"""One sentence instead of a traceback, on pages and in what a click calls."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import streamlit as st

from demo.wording import plain
from seq2seq_core.errors import InputError, file_trouble

OURS = "Something went wrong here, and it is not your doing. Reload the page, or open Start."
_log = logging.getLogger(__name__)


def sentence_of(action: Callable[[], object]) -> str:
    """Do it, and say what went wrong; empty when nothing did. What a person can put right says so; what is our fault is logged."""
    try:
        action()
    except InputError as error:
        return str(error)
    except OSError as error:
        _log.exception("A file could not be used.")
        return file_trouble(error)
    except Exception:  # noqa: BLE001  whatever it is, the visitor gets a sentence
        _log.exception("A click failed.")
        return OURS
    return ""


@contextmanager
def plain_errors() -> Iterator[None]:
    """The same for a whole page."""
    try:
        yield
    except InputError as error:
        st.error(plain(str(error)), icon=":material/error:")
    except Exception:  # noqa: BLE001
        _log.exception("A page failed.")
        st.error(OURS, icon=":material/error:")
