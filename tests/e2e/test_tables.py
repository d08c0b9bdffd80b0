"""A table to take along, in a browser: it opens, and the one CSV there is keeps spreadsheets from calculating."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Page, expect

from demo.blocks.take_along import LABEL


def test_the_hypotheses_can_be_saved(page: Page, lab: str) -> None:
    page.goto(f"{lab}/translate")
    page.get_by_text(LABEL).first.click()
    table = page.get_by_test_id("stDataFrame").first
    expect(table).to_be_visible()
    table.hover()
    expect(page.get_by_role("button", name="Search: Hypotheses")).to_be_visible()
    expect(page.get_by_role("button", name="Download as CSV")).to_have_count(0)
    with page.expect_download() as waiting:
        page.get_by_role("button", name="CSV", exact=True).click()
    assert waiting.value.suggested_filename == "hypotheses.csv"
    lines = Path(waiting.value.path()).read_text(encoding="utf8").splitlines()
    assert lines[0] == "hypothesis,output,score,logprob,tokens" and lines[1].startswith("1,")
