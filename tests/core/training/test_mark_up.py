"""Pages with markup made of novels: what is opened is closed, the words are the book's, and a page fits what a model may say."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from seq2seq_core.config import MAX_STEPS
from tools.mark_up import Book

NOVEL = "\n\n".join(
    [
        'Old Anselm Greve sat on the pier. "Is Maud there?" he asked, and nobody answered Greve in all that [wind].',
        "She was seen by Anselm Greve, and by Maud, at the lighthouse. They called Maud at once.",
        "It rained. Nobody came that day at all, and the boats stayed where they were.",
        "In the end, Maud rowed. Then Maud slept, and old Greve watched her. He liked Maud. But Anselm Greve never told.",
        "And the captain met Anselm Greve, who met Greve, whom Maud saw with Anselm Greve, near Maud, and so did Greve. Poor Greve!",
    ]
    * 3
)


@pytest.fixture
def book(tmp_path: Path) -> Book:
    path = tmp_path / "Lind_Pier_1899.txt"
    path.write_text(NOVEL, encoding="utf-8")
    return Book.read(path)


def test_every_page_has_its_heading_name_and_end(book: Book) -> None:
    pages = list(book.pages())
    assert len(pages) >= 5 and pages == list(book.pages())
    for page in pages:
        title = re.match(r"== (.+?) == ", page)
        assert title and page.count(f"'''{title[1]}'''") <= 1
        assert page.endswith("<ref>Lind, 1899</ref> [[Category:Lind]]")
        assert len(page) <= MAX_STEPS


def test_what_is_opened_is_closed(book: Book) -> None:
    for page in book.pages():
        for opening, closing in (("[[", "]]"), ("{{", "}}"), ("<ref>", "</ref>")):
            assert page.count(opening) == page.count(closing) > (0 if opening != "{{" else -1)
        assert page.count("'''") % 2 == 0
    assert any("{{quote|Is " in page for page in book.pages())


def test_names_are_linked_to_their_longest_form_and_words_stay(book: Book) -> None:
    pages = " ".join(book.pages())
    assert ("[[Anselm Greve|Greve]]" in pages and "[[Maud]]" in pages) or "'''Maud'''" in pages
    bare = re.sub(r"== .+? == |<ref>.*?</ref>|\[\[Category:.*?\]\]|\[\[[^\]|]*\||\{\{quote\||[\[\]{}']", "", pages)
    words = Counter(re.findall(r"\w+", bare))
    assert not words - Counter(re.findall(r"\w+", NOVEL.replace("'", "")))
