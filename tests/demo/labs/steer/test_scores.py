"""What Steer says an output is worth."""

from __future__ import annotations

import pytest

from tests.demo.pages import components, open_page, table

pytestmark = pytest.mark.usefixtures("models")


def test_the_tree_scores_an_output_as_the_table_beside_it_does() -> None:
    """Also where a list of words has a say in it."""
    at = open_page("steer", task="transliteration", word="namaste")
    shown = next(data["tree"] for data in components(at) if "tree" in data)
    ranked = table(at, "Outputs")
    assert ranked is not None
    scores = [shown["score"][place] for place, _ in sorted(shown["outputs"], key=lambda output: output[1])][: len(ranked["rows"])]
    assert [float(row["values"][0].replace("−", "-")) for row in ranked["rows"]] == pytest.approx(scores, abs=0.006)
    assert "list" in ranked["columns"][0][2]
