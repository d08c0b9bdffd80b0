"""Lessons in a real browser: opened, answered from the first question to the last, and counted in the list."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from demo.labs.lessons.files import Lesson, Question, shelf
from demo.labs.lessons.kinds import KINDS
from tests.e2e.conftest import settled

ATTENTION, CAPTIONING = (lesson for lesson in shelf().all if lesson.name in ("4-attention", "7-captioning"))


@pytest.fixture
def lessons_url(lab: str) -> str:
    return f"{lab}/lessons"


def answer(page: Page, question: Question) -> None:
    """Answer the question with the first option; skip it where the page says that it cannot be asked."""
    beginning = re.compile(re.escape(question.text.split("{")[0]))
    expect(page.get_by_role("heading", name=beginning)).to_be_visible()
    form = page.get_by_test_id("stForm")
    expect(form.or_(page.get_by_test_id("stAlert")).first).to_be_visible()  # of the page before one may still stand there
    settled(page)
    if not form.count():
        page.get_by_role("button", name="Skip").click()
        return
    asks = KINDS[question.check.kind].asks
    if asks == "a number":
        page.get_by_label("Type a number").fill("1")
    elif asks == "your prediction":
        page.get_by_label("Type your prediction").fill("A woman reads.")
    else:
        form.get_by_test_id("stRadio").locator("label:has(input)").first.click()
    page.get_by_role("button", name="Answer", exact=True).click()
    expect(page.get_by_text(re.compile("Right:|Not this time"))).to_be_visible()
    expect(page.get_by_role("slider").first).to_be_visible()  # a player
    expect(page.get_by_role("link", name=re.compile("Open in")).first).to_have_attribute("href", question.links[0][1].address)


@pytest.mark.parametrize("lesson", [ATTENTION, CAPTIONING], ids=lambda lesson: lesson.name)
def test_a_lesson_from_beginning_to_end(page: Page, lessons_url: str, lesson: Lesson) -> None:
    page.goto(lessons_url)
    page.get_by_role("link", name=re.compile(re.escape(lesson.title))).click()
    expect(page.get_by_role("heading", name=lesson.title, exact=True)).to_be_visible()
    count = len(lesson.questions)
    for place, question in enumerate(lesson.questions):
        expect(page).to_have_url(re.compile(f"question={place + 1}"))
        answer(page, question)
        settled(page)
        onward = page.get_by_role("button", name="Next question")
        if onward.count():
            onward.click()
    page.get_by_role("button", name="Back to all lessons").click()
    expect(page.get_by_role("button", name="Answers, CSV")).to_be_visible()
    done = page.get_by_text(re.compile(rf"^(\d) of {count} answered")).last.inner_text()
    answered, skipped = int(done[0]), re.search(r"(\d) skipped", done)
    assert answered + (int(skipped.group(1)) if skipped else 0) == count, done


def test_a_state_opens_on_its_own_page_and_the_answers_can_be_taken_along(page: Page, lessons_url: str) -> None:
    page.goto(f"{lessons_url}?lesson=4-attention&question=1")
    answer(page, ATTENTION.questions[0])
    with page.context.expect_page() as opened:
        page.get_by_role("link", name="Open in Translate").click()
    expect(opened.value).to_have_url(re.compile(r"/translate\?sentence=Ein"))
    expect(opened.value.get_by_role("textbox", name="German")).to_have_value("Ein Hund läuft über die Wiese.")
    opened.value.close()
    page.get_by_role("button", name="All lessons").click()
    with page.expect_download() as taken:
        page.get_by_role("button", name="Answers, CSV").click()
    assert "Attention step by step,1,The model writes" in Path(taken.value.path()).read_text(encoding="utf-8-sig")


def test_readable_by_all(page: Page, lessons_url: str) -> None:
    page.goto(f"{lessons_url}?lesson=4-attention&question=1")
    answer(page, ATTENTION.questions[0])
    settled(page)
    found = Axe().run(page, context="[data-testid=stMain]", options={"runOnly": ["wcag2a", "wcag2aa"]})
    wrong = [(one["id"], [node["html"][:160] for node in one["nodes"][:3]]) for one in found.response["violations"]]
    assert not wrong, wrong
