"""Steer with a photo: the same tree, forced words and studies, and cells to paint instead of bars to drag."""

from __future__ import annotations

from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from demo import resources
from demo.components.eye_painter.mount import row_painter_data
from demo.edits import read_edits, write_edits
from demo.labs.steer.edits import force, one_hot, put_all_rows, put_row
from demo.query import Asset, Query
from seq2seq_core.config import DecodeSettings
from seq2seq_core.inputs.part import Part
from seq2seq_core.trace.steering import Steering
from seq2seq_core.trace.trace import DecodeTrace
from tests.demo.captioners import CAPTIONS
from tests.demo.pages import components, errors, open_page, player, result, table, texts

pytestmark = pytest.mark.usefixtures("every_model")

CELLS = 100
PART = Part.of_grid("photo", (2, 2), (4, 4))


def steer(**query: str) -> AppTest:
    return open_page("steer", task="captioning", **query)


def trace_of(photo: str = "cat", edits: str = "") -> DecodeTrace:
    request = Query("captioning/soft", (Asset("photo", photo),), settings=DecodeSettings(beam_size=5), steering=read_edits(edits))
    return resources.answer(request)


def painter(at: AppTest) -> dict[str, Any]:
    return next(data for data in components(at) if "thing" in data and "tall" in data)


def test_a_photo_has_its_tree_and_its_player() -> None:
    at = steer(photo="cat")
    assert result(at) == CAPTIONS["cat"]
    shown = next(data["tree"] for data in components(at) if "tree" in data)
    assert [shown["token"][i] for i in shown["best"]][-1] == "end"
    playing = player(at)
    assert playing is not None
    assert (playing["player"]["parts"][0]["rows"], playing["player"]["parts"][0]["columns"]) == (10, 10)
    assert playing["player"]["parts"][0]["url"].startswith("data:image/jpeg;base64,")
    assert result(steer(photo="coffee")) == CAPTIONS["coffee"]


def test_another_photo_begins_without_the_edits_of_the_last() -> None:
    at = steer(photo="cat", edits="h0,1,2", node="7")
    assert table(at, "Before and after") is not None
    assert any(button.label == "3 cells blocked" for button in at.button)
    at.query_params["photo"] = "coffee"
    at.run()
    assert table(at, "Before and after") is None
    assert result(at) == CAPTIONS["coffee"]
    assert "node" not in at.query_params


def test_a_forced_word_is_followed_by_another_caption() -> None:
    cup = trace_of("coffee").token_ids()[:4]
    steering = force(Steering(), (), cup)
    at = steer(photo="cat", part="force a word", edits=write_edits(steering))
    shown = table(at, "Before and after")
    assert shown is not None
    assert texts(shown)[0] == CAPTIONS["cat"]
    assert texts(shown)[1] == trace_of("cat", write_edits(steering)).text() != CAPTIONS["cat"]


def test_cells_are_painted_at_a_step() -> None:
    free = trace_of()
    steering = put_row(Steering(hidden=(0, 1)), free.token_ids()[:2], one_hot(CELLS, 99))
    edited = trace_of(edits=write_edits(steering))
    at = steer(photo="cat", part="move attention", edits=write_edits(steering), node=str(edited.path()[2].id))
    cells = painter(at)
    assert (cells["kind"], cells["step"], cells["look"], cells["block"]) == ("row", 2, [99], [0, 1])
    assert cells["row"] == list(one_hot(CELLS, 99))
    hidden = resources.pipeline("captioning/soft").score(
        resources.encoded(Query("captioning/soft", (Asset("photo", "cat"),))),
        edited.token_ids(), steering=Steering(hidden=(0, 1)),
    )  # fmt: skip
    assert cells["own"] == pytest.approx(hidden.attention()[2].tolist(), abs=1e-5)
    shown = table(at, "Before and after")
    assert shown is not None
    assert "Word 3" in shown["note"] and "KL" in shown["note"]
    at.button(key="edit_0").click().run()
    assert table(at, "Before and after") is not None
    at.button(key="edit_0").click().run()
    assert table(at, "Before and after") is None
    assert result(at) == CAPTIONS["cat"]


def test_what_the_painter_shows_as_painted() -> None:
    def painted(row: list[float], **more: Any) -> list[int]:
        data = row_painter_data("data:,", PART, row, [0.25] * 4, step=0, **more)
        return list(data["look"])

    assert painted([0.5, 0.5, 0, 0], edited=True) == [0, 1]
    assert painted([0.5, 0.5, 0, 0]) == []
    assert painted([0.7, 0.3, 0, 0], edited=True) == []
    assert painted([0.25] * 4, edited=True) == []
    assert painted([0.5, 0.5, 0, 0], edited=True, block=(2, 3)) == []


def test_the_painter_is_made_anew_for_another_row_or_step() -> None:
    """The browser keeps a painter as long as its id stays."""
    rows = ([0.7, 0.3, 0.0, 0.0], [0.3, 0.7, 0.0, 0.0])
    ids = {row_painter_data("data:,", PART, row, rows[0], step=step)["id"] for row in rows for step in (0, 1)}
    assert len(ids) == 4


def test_an_oracle_paints_word_by_word() -> None:
    free = trace_of()
    steering = put_all_rows(Steering(), [None, one_hot(CELLS, 0)])
    at = steer(photo="cat", part="oracle", oracle_step="1", edits=write_edits(steering))
    assert (painter(at)["step"], painter(at)["look"], painter(at)["reach"]) == (1, [0], False)
    words = table(at, "With your rows")
    assert words is not None
    assert [row["chosen"] for row in words["rows"][:3]] == [False, True, False]
    assert [row["lead"] for row in words["rows"][:3]] == ["", "●", ""]
    assert words["rows"][-1]["values"][0] == f"{free.hypotheses[0].total:.2f}".replace("-", "−")
    assert painter(steer(photo="cat", part="oracle", oracle_step="399"))["step"] == len(free.tokens()) - 1


def test_regions_explain_a_word() -> None:
    at = steer(photo="cat", part="explanation", node=str(trace_of().path()[2].id))
    regions = table(at, "The regions")
    assert regions is not None
    assert len(regions["rows"]) == 5
    drops = [float(row["values"][2].replace("−", "-")) for row in regions["rows"]]
    assert drops == sorted(drops, reverse=True)
    pictures = [caption for shown in at.get("image") for caption in shown.captions]
    assert pictures == ["attention", "gradient × input, its size", "drop without the region"]
    assert table(at, "Do they rank") is not None
    assert table(at, "Another row") is not None


def test_studies_of_a_caption() -> None:
    at = steer(photo="cat", part="beam sizes", target=CAPTIONS["cat"])
    sizes = table(at, "Beam 1 to 10")
    assert sizes is not None
    assert sizes["rows"][4]["values"][-1] == "100"
    assert table(at, "Where the beam beats greedy") is None
    at = steer(photo="cat", part="whose error", target=CAPTIONS["coffee"])
    assert table(at, "Model error") is not None
    assert at.text_input(key="target").label == "Your own caption"


@pytest.mark.parametrize("part", ["move attention", "oracle", "explanation"])
def test_a_captioner_without_a_map_says_so(part: str) -> None:
    at = steer(photo="cat", photo_model="none", part=part)
    assert any("no attention row" in info.value for info in at.info)
    assert not errors(at)


@pytest.mark.parametrize("edits", ["r1:0.5,0.5", "h100", "nonsense"])
def test_edits_that_do_not_fit_the_grid_are_refused(edits: str) -> None:
    at = steer(photo="cat", edits=edits)
    assert len(errors(at)) == 1
    assert errors(at)[0].endswith(".")
    next(button for button in at.button if button.label == "Remove the edits").click().run()
    assert result(at) == CAPTIONS["cat"]


def test_a_photo_that_is_not_there_is_the_first_sample() -> None:
    at = steer(photo="../../etc")
    assert not errors(at)
    assert result(at)
    upload = at.file_uploader[0].set_value(("x.jpg", b"not a photo", "image/jpeg")).run()
    assert len(errors(upload)) == 1
    assert result(upload)
