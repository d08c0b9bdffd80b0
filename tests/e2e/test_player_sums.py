"""The attention that each word received, under a map and on demand."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import visit


@pytest.mark.parametrize("view", ["map", "curves", "table"])
def test_the_sums_grow_with_the_steps(page: Page, lab: str, view: str) -> None:
    visit(page, f"{lab}/translate?sentence=Das gefällt mir.&words=false&view={view}&step=1")
    sums = page.locator(".sums-list .figure")
    expect(sums).to_have_count(0)
    page.get_by_text("Attention received").click()
    expect(page.locator(".sums-list li").first).to_be_visible()
    assert sum(map(float, sums.all_inner_texts())) == pytest.approx(1, abs=0.03)
    expect(page.locator(".sums-note")).to_contain_text("Coverage")
    page.get_by_role("button", name="One step forward (right arrow)").click()
    expect(page.locator(".count")).to_contain_text("2 /")
    assert sum(map(float, sums.all_inner_texts())) == pytest.approx(2, abs=0.03)
