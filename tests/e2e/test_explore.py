"""The map to explore: plotly.js comes with it and not before, on the page and in a file of its own."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import Browser, Page, expect

from demo.export.chart import page as chart_page
from tests.demo.traces import make_trace, text_source


def test_the_chart_is_loaded_when_it_is_asked_for(fresh_page: Page, lab: str) -> None:
    asked: list[str] = []
    fresh_page.on("request", lambda request: asked.append(request.url))
    fresh_page.goto(f"{lab}/translate")
    fresh_page.get_by_role("button", name="Explore").wait_for()
    expect(fresh_page.locator(".player .cell, .player canvas").first).to_be_visible()
    assert not [url for url in asked if "plotly" in url.lower()]
    fresh_page.get_by_role("button", name="Explore").click()
    expect(fresh_page.locator(".js-plotly-plot .main-svg").first).to_be_visible()
    expect(fresh_page.locator(".player .stage")).to_be_hidden()
    expect(fresh_page).to_have_url(re.compile("view=explore"))
    fresh_page.get_by_role("button", name="Map", exact=True).click()
    expect(fresh_page.locator(".js-plotly-plot")).to_have_count(0)
    expect(fresh_page.locator(".player .stage")).to_be_visible()


def test_the_file_draws_itself_without_a_network(browser: Browser, tmp_path: Path) -> None:
    file = tmp_path / "map.html"
    trace = make_trace([" <b>a</b>", " $x$", " a", "</s>"], text_source(["eins", " eins", " <img src=x>"]), heads=2)
    file.write_text(chart_page(trace, words=False), encoding="utf8")
    context = browser.new_context(viewport={"width": 1280, "height": 800}, color_scheme="dark")
    opened, asked, problems = context.new_page(), [], []
    context.on("request", lambda request: asked.append(request.url))
    opened.on("console", lambda message: problems.append(message.text))
    opened.on("pageerror", lambda error: problems.append(str(error)))
    opened.goto(file.as_uri(), timeout=120_000)
    chart = opened.locator("#place")
    expect(chart.locator(".main-svg").first).to_be_visible()
    labels = chart.locator(".xtick text, .ytick text").all_text_contents()
    assert labels == ["eins", "eins", "<img src=x>", "<b>a</b>", "$x$", "a", "end"]
    assert chart.locator("img").count() == 0
    expect(chart.locator(".updatemenu-header-group, .updatemenu-container").first).to_contain_text("All heads, averaged")
    box = chart.locator(".nsewdrag").bounding_box()
    assert box is not None
    opened.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 8)
    expect(chart.locator(".hoverlayer")).to_contain_text("step 1")
    context.close()
    assert [url for url in asked if not url.startswith(("file:", "data:", "blob:"))] == [] and problems == []
