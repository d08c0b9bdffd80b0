"""How it works in a real browser: every equation is seen whole in the windows of small laptops."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import visit

CUT = """() => [...document.querySelectorAll('.katex-display')].map(place => [
    Math.max(...[...place.querySelectorAll('.base')].map(part => part.getBoundingClientRect().right)) - place.getBoundingClientRect().right,
    place.textContent.slice(0, 40)]).filter(([beyond]) => beyond > 1)"""


@pytest.mark.parametrize("asked", ["model=additive&step=2", "model=multi-head&step=1&head=2", "model=none&step=1"])
def test_no_equation_is_cut_off(page: Page, lab: str, asked: str) -> None:
    page.set_viewport_size({"width": 1280, "height": 900})
    visit(page, f"{lab}/how_it_works?sentence=Zwei Kinder spielen am Strand.&words=false&{asked}")
    expect(page.locator(".katex-display").nth(5)).to_be_attached()
    expect(page.get_by_text("The six parts of this system")).to_be_attached()
    page.wait_for_function("() => document.fonts.status === 'loaded'")
    assert page.evaluate(CUT) == []
    page.set_viewport_size({"width": 1440, "height": 900})
    assert page.evaluate(CUT) == []
