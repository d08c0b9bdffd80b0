"""What of a long output is in sight: the whole map by zooming, and the current row in every view."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.e2e.player_pages import open_case


def test_ctrl_and_the_wheel_zoom_between_the_whole_map_and_its_cells(page: Page) -> None:
    page.set_viewport_size({"width": 1280, "height": 720})
    open_case(page, "long-60")
    sizes = "node => [node.scrollWidth, node.clientWidth, node.scrollHeight, node.clientHeight]"
    place = page.locator(".map-scroll")
    wide, room, *_ = place.evaluate(sizes)
    assert wide > room
    expect(page.locator(".sources .token").nth(0)).to_be_visible()
    page.locator(".targets .token.current").hover()
    page.keyboard.down("Control")
    for _ in range(12):
        page.mouse.wheel(0, 200)
    page.wait_for_function("() => true")
    wide, room, tall, height = place.evaluate(sizes)
    assert wide <= room + 1 and tall <= height + 1
    page.mouse.wheel(0, -700)
    assert place.evaluate(sizes)[0] > room
    page.keyboard.up("Control")


def test_the_current_row_is_in_sight_as_it_opens(page: Page) -> None:
    page.set_viewport_size({"width": 1280, "height": 560})
    open_case(page, "language", "none", "long-30", "dog&view=table")
    page.wait_for_function("""() => [...document.querySelectorAll('.place')].every(({ shadowRoot }) => {
      const row = shadowRoot.querySelector('.current').getBoundingClientRect();
      const box = shadowRoot.querySelector('.map-scroll, .bars-scroll, .table-scroll').getBoundingClientRect();
      return row.top >= box.top - 1 && row.bottom <= box.bottom + 2;
    })""")
