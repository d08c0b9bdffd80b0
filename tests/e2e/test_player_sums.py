"""The attention that each word received, under a map and on demand."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.player_pages import open_case


def test_the_sums_grow_with_the_steps(page: Page) -> None:
    open_case(page, *(f"dog&view={view}" for view in ("map", "curves", "table")), words="false", step="1")
    for player in page.locator(".player").all():
        sums = player.locator(".sums-list .figure")
        expect(sums).to_have_count(0)
        player.get_by_text("Attention received").click()
        expect(player.locator(".sums-list li").first).to_be_visible()
        assert sum(map(float, sums.all_inner_texts())) == pytest.approx(1, abs=0.05)
        expect(player.locator(".sums-note")).to_contain_text("Coverage")
        player.get_by_role("button", name="One step forward (right arrow)").click()
        expect(player.locator(".count")).to_contain_text("2 /")
        assert sum(map(float, sums.all_inner_texts())) == pytest.approx(2, abs=0.05)
