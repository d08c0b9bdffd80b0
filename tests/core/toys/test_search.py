from __future__ import annotations

import itertools

import pytest

from seq2seq_core.errors import InputError
from seq2seq_core.pipeline import Pipeline
from seq2seq_core.toys.search import LETTERS, search_all, toy_pipeline


@pytest.fixture(scope="module")
def toy() -> Pipeline:
    return toy_pipeline()


def test_nothing_beats_the_exhaustive_search(toy: Pipeline) -> None:
    errors = 0
    for letters in list(itertools.product(LETTERS, repeat=5))[::4]:
        found = search_all(toy, "".join(letters))
        exact = found.found[0]
        assert exact.name == "exhaustive"
        assert all(one.total <= exact.total + 1e-4 for one in found.found)
        errors += any(one.total < exact.total - 1e-4 for one in found.found)
    assert errors > 0, "some search has to miss the best, or there is nothing to show"


def test_the_best_has_the_total_of_teacher_forcing(toy: Pipeline) -> None:
    exact = search_all(toy, "abc").found[0]
    assert toy.score("abc", exact.output).hypotheses[0].total == pytest.approx(exact.total, abs=1e-4)


def test_how_many_there_are(toy: Pipeline) -> None:
    found = search_all(toy, "ab")
    assert found.limit == 4
    assert found.upper == 5**4
    assert found.found[0].looked_at == 1 + 3 + 9 + 27 + 81


@pytest.mark.parametrize("source", ["", "abcabca", "xyz"])
def test_other_sources_are_refused(toy: Pipeline, source: str) -> None:
    with pytest.raises(InputError, match="toy task"):
        search_all(toy, source)


def test_the_same_model_every_time(toy: Pipeline) -> None:
    assert search_all(toy_pipeline(), "abca") == search_all(toy, "abca")
