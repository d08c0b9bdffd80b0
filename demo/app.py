"""The app's shell: page set-up, the list of pages, the sidebar, and one sentence instead of a traceback."""

from __future__ import annotations

import base64
import sys
from copy import copy
from functools import cache
from pathlib import Path
from urllib.parse import parse_qs

ROOT = Path(__file__).resolve().parents[1]
if str(ROOT) not in sys.path:  # so that `streamlit run demo/app.py` works too
    sys.path.insert(0, str(ROOT))

import streamlit as st  # noqa: E402

from demo import controls, resources, state  # noqa: E402
from demo.components import served  # noqa: E402
from demo.components.copy_link.mount import copy_link  # noqa: E402
from demo.components.gloss.mount import gloss  # noqa: E402
from demo.errors import plain_errors  # noqa: E402
from demo.given import assets  # noqa: E402
from demo.lab import Lab  # noqa: E402
from demo.labs import (  # noqa: E402
    ask,
    bottleneck,
    caption,
    compare,
    entailment,
    headline,
    how_it_works,
    language,
    lectures,
    lessons,
    listen,
    reply,
    start,
    steer,
    story,
    time_machine,
    train,
    training_step,
    translate,
    transliterate,
    watch,
)  # fmt: skip
from demo.terms import IN_TEXT, LABELS, TERMS  # noqa: E402
from demo.visitors import switches  # noqa: E402
from demo.visitors.turn import turn  # noqa: E402
from demo.wording import plain  # noqa: E402

TITLE = "Encoder-decoder lab"
SIDEBAR = 236  # pixels: the longest name of a page


LABS: tuple[Lab, ...] = tuple(
    room.LAB
    for room in (
        start, translate, transliterate, caption, listen, language, headline, entailment, story, reply, ask, watch, compare, how_it_works,
        steer, bottleneck, train, time_machine, training_step, lessons, lectures,
    )
)  # fmt: skip


def lab(name: str) -> Lab:
    return next(lab for lab in LABS if lab.name == name)


def labs() -> tuple[Lab, ...]:
    """Those that are there."""
    return tuple(lab for lab in _with_files() if not lab.needs or resources.installed(lab.needs))


@cache
def _with_files() -> tuple[Lab, ...]:
    return tuple(lab for lab in LABS if lab.file.is_file())


def page_of(lab: Lab) -> st.Page:
    """A copy for each run, which marks the one that it opens; to make one Streamlit looks its file up again and reads its name."""
    return copy(_page(lab))


@cache
def _page(lab: Lab) -> st.Page:
    return st.Page(lab.file, title=lab.title, icon=f":material/{lab.icon}:", url_path=lab.name, help=lab.about, default=lab.name == "start")


@cache
def _icon() -> str:
    """As an address: a file would be read, hashed and put into Streamlit's store with every run."""
    return "data:image/png;base64," + base64.b64encode((ROOT / "demo/icon.png").read_bytes()).decode()


def heed_history() -> None:
    """Back and Forward open an entry as it stood: without this, Streamlit drops what the page that is left has widgets for too."""
    from streamlit.runtime.scriptrunner import get_script_run_ctx

    context = get_script_run_ctx()
    if context is None or not context.is_history_navigation:
        return
    for key in state.fields():  # what the page that is left had chosen would be asked for before this one's widgets are drawn
        if key != state.LEVEL.key and key in st.session_state:
            del st.session_state[key]
    written = parse_qs(context.query_string, keep_blank_values=True)
    st.query_params.update({key: values for key, values in written.items() if key not in st.query_params})
    with context.session_state.query_params() as seeds:
        seeds.set_initial_query_params_from_current()


@st.dialog("What the words mean")
def words() -> None:
    """Every term of the app in a sentence, a click away on every page."""
    st.caption("On every page: rest the pointer on one of these words, tap it, or reach its button by key, and it is explained there.")
    for term, said in TERMS.items():
        st.markdown(f"**{plain(term)}**: {plain(said)}")


def given(page: st.Page) -> None:
    """While a lecture is given, what it says stands on every page."""
    if state.GIVING in st.session_state or state.LECTURE.key in st.query_params:
        from demo.lectures.giving import give

        give(page.url_path)


def main() -> None:
    with turn():
        draw()


def draw() -> None:
    heed_history()
    st.set_page_config(page_title=TITLE, page_icon=_icon(), layout="wide", initial_sidebar_state=SIDEBAR)
    groups: dict[str, list[st.Page]] = {}
    for lab in labs():
        groups.setdefault(lab.group, []).append(page_of(lab))
    page = st.navigation(groups, expanded=True)
    st.set_page_config(page_title=f"{page.title} · {TITLE}")
    if not served.SERVING:  # else the page has it
        st.html(ROOT / "demo/app.css")
    with st.sidebar:
        controls.segments(state.LEVEL)
        if st.button("What the words mean", key="words_meant", icon=":material/menu_book:", width="stretch"):
            words()
        gloss(IN_TEXT, LABELS)
        copy_link(assets.not_in_link(page.url_path))
        st.caption("Everything runs on this computer: nothing you type leaves it.")
        left_out = resources.damaged()
        if left_out:
            st.caption(f"Left out, because its folder is damaged: {plain(', '.join(left_out))}.")
    with plain_errors():
        switches.off()  # a misspelt one is said
        given(page)
        with st.container(key=f"page_{page.url_path}"):
            page.run()
    resources.warm_up("translation/additive", after_seconds=1.5)


if __name__ == "__main__":
    main()
