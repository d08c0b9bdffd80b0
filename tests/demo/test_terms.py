"""The table of terms: which of them a text uses."""

from __future__ import annotations

from demo import resources
from demo.tasks import TASKS
from demo.terms import IN_TEXT, LABELS, MODELS, TERMS, met


def test_terms_are_found_whole_and_once() -> None:
    assert met("Whose entropy, by chrF, in tokens, and whose Entropy again?") == ["entropy", "chrF", "token"]
    assert met("an outscored statement, a key-query, </s>") == ["key-query", "</s>"]
    assert met("") == []


def test_words_of_every_day_are_explained_as_labels_alone() -> None:
    assert LABELS.keys() & TERMS.keys() == {"none"} == TERMS.keys() - IN_TEXT.keys()
    assert {"hard", "small", "log p"} <= LABELS.keys() and "hypotheses" in TERMS


def test_every_term_is_one_sentence() -> None:
    assert all(said.endswith(".") and len(said) < 140 for said in TERMS.values())
    assert all(term in met(term) for term in TERMS)


def test_every_model_that_is_no_language_is_told_of_in_simple_words() -> None:
    """Of the models that come with the app."""
    spoken = {language.casefold() for language in ("Bengali", "Tamil", "Telugu")}
    variants = {info.variant for task in TASKS for info in resources.installed(task)} - spoken
    assert {variant for variant in variants if variant not in MODELS} <= set()
