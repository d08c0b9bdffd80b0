"""The app's shell: page set-up, the list of pages, the sidebar, and one sentence instead of a traceback."""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
if str(ROOT) not in sys.path:  # so that `streamlit run demo/app.py` works too
    sys.path.insert(0, str(ROOT))

import streamlit as st  # noqa: E402

from demo import resources  # noqa: E402
from demo.components.copy_link.mount import copy_link  # noqa: E402
from demo.wording import plain  # noqa: E402
from seq2seq_core.errors import InputError  # noqa: E402

TITLE = "Encoder-decoder lab"


@dataclass(frozen=True, slots=True)
class Lab:
    """One page: its file is pages/<name>.py and its address is /<name>."""

    name: str
    title: str
    group: str
    icon: str
    about: str  # what a visitor sees there, in one or two sentences

    @property
    def file(self) -> Path:
        return ROOT / "pages" / f"{self.name}.py"


LABS = (
    Lab("start", "Start", "", "home", "What this is, with one translation playing."),
    Lab(
        "translate",
        "Translate",
        "Decode",
        "translate",
        "A German sentence becomes English token by token, and every token shows where it looked.",
    ),
    Lab(
        "transliterate",
        "Transliterate",
        "Decode",
        "spellcheck",
        "A word in Latin letters becomes Devanagari, Tamil, Telugu or Bengali while you type.",
    ),
    Lab("caption", "Caption", "Decode", "image", "A photo gets its sentence, and every word shows the part of the photo it looked at."),
    Lab(
        "language_model",
        "Language model",
        "Decode",
        "notes",
        "A decoder with no source: it goes on from any beginning and scores any sentence.",
    ),
    Lab("compare", "Compare", "Look inside", "view_column", "The same sentence through up to seven variants, under one cursor."),
    Lab("how_it_works", "How it works", "Look inside", "function", "The equations of one step with that step's own numbers in them."),
    Lab(
        "steer",
        "Steer",
        "Look inside",
        "account_tree",
        "The tree of the beam; force a word, or overwrite the attention, and see what changes.",
    ),
    Lab(
        "bottleneck",
        "Bottleneck",
        "Look inside",
        "compress",
        "What one fixed vector can hold: quality against sentence length, with and without attention.",
    ),
    Lab("train", "Train", "Learn", "trending_up", "A small model learns in front of you, and its attention forms."),
    Lab("lessons", "Lessons", "Learn", "school", "Predict what the model will do, then see it."),
)


def labs() -> tuple[Lab, ...]:
    """Those that are there."""
    return tuple(lab for lab in LABS if lab.file.is_file())


def page_of(lab: Lab) -> st.Page:
    return st.Page(lab.file, title=lab.title, icon=f":material/{lab.icon}:", url_path=lab.name, help=lab.about, default=lab.name == "start")


@contextmanager
def plain_errors() -> Iterator[None]:
    """What a person can put right is said in one sentence; what is our fault is logged, and said too."""
    try:
        yield
    except InputError as error:
        st.error(plain(str(error)), icon=":material/error:")
    except Exception:
        logging.getLogger(__name__).exception("A page failed.")
        st.error("Something went wrong on this page, and it is not your doing. Reload the page, or open Start.", icon=":material/error:")


def main() -> None:
    st.set_page_config(page_title=TITLE, page_icon=str(ROOT / "demo/icon.png"), layout="wide", initial_sidebar_state="auto")
    groups: dict[str, list[st.Page]] = {}
    for lab in labs():
        groups.setdefault(lab.group, []).append(page_of(lab))
    page = st.navigation(groups)
    st.html(ROOT / "demo/app.css")
    with st.sidebar:
        copy_link()
        st.caption("Everything runs on this computer: nothing you type leaves it.")
    with plain_errors():
        page.run()
    resources.warm_up("translation/additive", after_seconds=1.5)


if __name__ == "__main__":
    main()
