"""The player as a component of Streamlit: what it tells Python arrives, what Python sends is shown, and playing is silent."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.e2e.player_pages import SAMPLER, TRAFFIC, open_served, say, shown

STOP_AND_COUNT = """() => {
  cancelAnimationFrame(sampled.timer);
  return { ...sampled, messages: traffic.filter((at) => at >= sampled.first && at <= sampled.last).length };
}"""


def test_clicks_and_changes_reach_python_and_a_new_trace_replaces_the_old_one(page: Page, player_url: str) -> None:
    open_served(page, player_url, "dog", words="false", step="6")
    page.locator(".body").click(position={"x": 15, "y": 15})
    expect(page.get_by_text("Clicked node 0 source 0")).to_be_visible()
    shown(page, "1 / 10")
    page.locator(".sources .token").nth(4).click()
    expect(page.get_by_text("Clicked node None source 4")).to_be_visible()
    page.locator(".player").press("End")
    page.locator(".targets .token").first.focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Clicked node 1 source None")).to_be_visible()
    shown(page, "2 / 10")
    page.locator(".map-scroll").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_text("Clicked node 1 source 1")).to_be_visible()
    shown(page, "2 / 10")
    page.get_by_role("slider", name="Step").fill("4")
    shown(page, "4 / 10")
    expect(page.get_by_text("Reported map step 4 words False speed 1.0")).to_be_visible()
    page.get_by_role("combobox", name="Speed").select_option("4×")
    expect(page.get_by_text("Reported map step 4 words False speed 4.0")).to_be_visible()
    page.get_by_role("button", name="Another sentence").click()
    expect(page.locator(".sources .token").first).to_have_text("Das")
    expect(page.locator(".player")).to_have_count(1)
    page.get_by_role("combobox", name="Attention head").select_option("Head 2")
    expect(page.locator(".numbers")).to_contain_text("bit")


def test_a_change_while_it_plays_is_told_at_the_pause(page: Page, player_url: str) -> None:
    open_served(page, player_url, "long-60", pace="1", step="0")
    expect(page.get_by_text("Run 1")).to_be_visible()
    page.get_by_role("button", name="Play", exact=True).click()
    page.get_by_role("combobox", name="Speed").select_option("0.25×")
    shown(page, "2 / 60")
    expect(page.get_by_text("speed 0.25")).to_have_count(0)
    page.locator(".player").press("Space")
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()
    expect(page.get_by_text("speed 0.25")).to_be_visible()
    expect(page.get_by_text("Run 2")).to_be_visible()


def test_playing_sends_no_message_and_shows_no_blank_frame(fresh_page: Page, player_url: str) -> None:
    page = fresh_page
    page.add_init_script(f"({TRAFFIC})()")
    open_served(page, player_url, "long-60", pace="15", speed="4", step="0")
    expect(page.get_by_text("Run 1")).to_be_visible()
    page.wait_for_function("() => document.fonts.status === 'loaded'")
    assert page.evaluate("() => traffic.length") > 0
    for view, begins in (("Map", "Play"), ("Network", "Replay")):
        page.get_by_role("button", name=view, exact=True).click()
        expect(page.get_by_text(f"Reported {view.lower()}")).to_be_visible()
        page.evaluate(SAMPLER)
        page.get_by_role("button", name=begins, exact=True).click()
        expect(page.get_by_role("button", name="Pause")).to_be_visible()
        shown(page, "60 / 60")
        expect(page.get_by_role("button", name="Replay")).to_be_visible()
        result = page.evaluate(STOP_AND_COUNT)
        seconds = (result["last"] - result["first"]) / 1000
        say(
            f"{view}: {result['updates'] / seconds:.0f} updates/s, {result['steps'] / seconds:.0f} tokens/s, "
            f"{result['messages']} messages, {result['blank']} blank of {result['frames']} frames"
        )
        assert (result["messages"], result["blank"]) == (0, 0)
