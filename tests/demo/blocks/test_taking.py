"""What is opened to choose a file is closed by the page, also where the browser has not heard yet that it is open."""

from __future__ import annotations

from streamlit.testing.v1 import AppTest


def page() -> None:
    import streamlit as st

    from demo.blocks.taking import opener, taken

    with opener("thing", "Your thing", ":material/upload:"):
        st.button("good", on_click=lambda: taken(lambda: "what it is", opened="thing", wrong="said"))
        st.button("bad", on_click=lambda: taken(lambda: float("a thing"), opened="thing", wrong="said"))


def test_it_is_another_one_after_it_was_closed() -> None:
    """The browser closes the one it has only when it hears that it is closed after it heard that it is open."""
    at = AppTest.from_function(page).run()
    known = [at.get("popover")[0].proto.popover.id]
    for button in (1, 0, 0):
        at.button[button].click().run()
        shown = at.get("popover")[0].proto.popover
        assert not shown.open
        known.append(shown.id)
    assert len(set(known)) == len(known)
