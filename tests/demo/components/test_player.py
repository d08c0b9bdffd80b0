"""What the attention player is given, and what it gives back."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from demo.colours import attention_color, color_scale, ink_on, luminance
from demo.components.player.data import (
    PlayerLayout,
    PlayerOptions,
    clock_data,
    player_data,
)
from seq2seq_core.inputs.part import Part
from seq2seq_core.trace.steering import RowEdit, Steering
from tests.demo.traces import dog_trace, image_source, make_trace, premise_trace, question_trace, text_source

PICTURE = "data:image/png;base64,iVBORw0KGgo="


def test_everything_of_one_hypothesis_is_there() -> None:
    trace = dog_trace()
    data = player_data(trace)
    assert data["parts"][0]["tokens"][1] == "Hund"
    assert data["parts"][0]["words"][5] == "entlang"
    assert data["target"]["tokens"][:2] == [" A", " dog"]
    assert data["target"]["special"] == [9]
    assert len(data["attention"]) == len(data["steps"]) == 10
    assert data["attention"][1][0][1] == 0.81
    assert data["steps"][-1]["total"] == pytest.approx(trace.hypotheses[0].total, abs=1e-4)
    assert [step["node"] for step in data["steps"]] == [node.id for node in trace.path()]
    assert data["map"]
    assert data["link"] is None


def test_it_is_plain_json_and_its_id_is_its_content() -> None:
    one, same, other = player_data(dog_trace()), player_data(dog_trace()), player_data(dog_trace(), diverges=2)
    assert json.loads(json.dumps(one, allow_nan=False)) == one
    assert one["id"] == same["id"] != other["id"]


def test_a_step_tells_its_candidates_and_the_chosen_one() -> None:
    step = player_data(dog_trace())["steps"][0]
    assert step["candidates"][step["chosen"]] == [" A", 0.9]
    assert [p for _, p in step["candidates"]] == sorted((p for _, p in step["candidates"]), reverse=True)
    assert step["logprob"] == pytest.approx(math.log(0.9), abs=1e-4)


def test_a_token_below_the_best_candidates_is_shown_too() -> None:
    trace = make_trace([" z", "</s>"], probabilities=[0.001, 0.5], others=[f" {letter}" for letter in "abcdefgh"], task="language")
    step = player_data(trace)["steps"][0]
    assert step["candidates"][-1] == [" z", 0.001]
    assert step["chosen"] == len(step["candidates"]) - 1


@pytest.mark.parametrize(("model_id", "link"), [("translation/none", "none"), ("translation/every-step-lstm", "every-step")])
def test_without_a_map_the_link_is_named(model_id: str, link: str) -> None:
    data = player_data(make_trace([" a", "</s>"], text_source(["x", " y"]), heads=0, model_id=model_id))
    assert not data["map"]
    assert data["link"] == link
    assert data["attention"] == []
    assert data["steps"][0]["entropy"] is None


def test_without_a_source_there_is_no_link() -> None:
    data = player_data(make_trace([" a", "</s>"], task="language"))
    assert (data["kind"], data["map"], data["link"]) == ("none", False, None)


def test_heads_stay_apart() -> None:
    data = player_data(make_trace([" a", "</s>"], text_source(["x", " y", " z"]), heads=4))
    assert [head["name"] for head in data["heads"]] == ["head 1", "head 2", "head 3", "head 4"]
    assert all(len(step) == 4 for step in data["attention"])


def test_a_photo_comes_as_a_data_url_with_its_grid() -> None:
    trace = make_trace([" a", "</s>"], image_source(2, 3, (60, 40)), task="captioning", glimpses=[4, 0])
    data = player_data(trace, image_url=PICTURE)
    grid = {"rows": 2, "columns": 3, "width": 60, "height": 40, "labels": None}
    assert data["parts"] == [{"kind": "grid", "name": "photo", "url": PICTURE, **grid}]
    assert data["marks"] == [{"name": "glimpse", "position": True, "values": [4, 0]}]


@pytest.mark.parametrize(
    "url", ["http://127.0.0.1/x.png", "javascript:alert(1)", "data:text/html;base64,AAAA", "data:image/svg+xml;base64,AA"]
)
def test_any_other_address_is_refused(url: str) -> None:
    trace = make_trace([" a", "</s>"], image_source(2, 3, (60, 40)), task="captioning")
    with pytest.raises(ValueError, match="data URL"):
        player_data(trace, image_url=url)


def test_what_a_person_changed_is_marked() -> None:
    steering = Steering(rows=(RowEdit(1, (1.0, 0.0), onward=True),), hidden=(1,))
    data = player_data(make_trace([" a", " b", "</s>"], text_source(["x", " y"]), steering=steering))
    assert data["edited"] == [1, 2]
    assert data["hidden"] == [1]


def test_options_survive_the_way_to_the_browser_and_back() -> None:
    options = PlayerOptions(view="curves", words=False, head=2, speed=0.25, step=3, strength=0.5, paint="heat")
    assert PlayerOptions.from_dict(json.loads(json.dumps(options.to_dict()))) == options


@pytest.mark.parametrize(
    "bad", [{"view": "pie"}, {"speed": 3}, {"step": -1}, {"step": True}, {"words": "yes"}, {"strength": 7}, {"other": 1}, {"head": "x"}]
)
def test_options_that_are_not_valid_become_the_default(bad: dict[str, Any]) -> None:
    assert PlayerOptions.from_dict(bad) == PlayerOptions()


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_colour_scale_is_even_and_legible(theme: Any) -> None:
    brightness = [luminance(attention_color(i / 20, theme)) for i in range(21)]
    assert brightness == sorted(brightness, reverse=theme == "light")
    assert len(set(color_scale(theme))) == 33
    for i in range(101):
        color = attention_color(i / 100, theme)
        ink = 0.0 if ink_on(color) == "#000000" else 1.0
        low, high = sorted((luminance(color), ink))
        assert (high + 0.05) / (low + 0.05) >= 4.5


def app() -> None:
    from demo.components.player.data import PlayerOptions as Options
    from demo.components.player.data import player_data as pack
    from demo.components.player.mount import attention_player as place
    from tests.demo.traces import dog_trace as dog

    place(pack(dog()), key="player", options=Options(step=4))


def test_it_stands_on_a_page() -> None:
    at = AppTest.from_function(app, default_timeout=20).run()
    assert not at.exception
    sent = json.loads(at.get("bidi_component")[0].proto.json)
    assert sent["player"]["target"]["text"] == "A dog is running along the beach."
    assert sent["options"]["step"] == 4


def test_a_clock_alone() -> None:
    assert clock_data(8)["length"] == 8
    assert PlayerLayout(sync="compare").to_dict()["sync"] == "compare"


def test_every_part_is_told_with_its_heads_and_marks() -> None:
    data = player_data(premise_trace())
    assert data["kind"] == "text"
    assert [(part["name"], part["words"][-2]) for part in data["parts"]] == [("premise", "Strand"), ("hypothesis", "schläft")]
    heads = [{"name": "premise", "part": 0}, {"name": "hypothesis", "part": 1}, {"name": "again", "part": 0}]
    assert data["heads"] == heads
    assert [(mark["name"], mark["position"], mark["values"][2]) for mark in data["marks"]] == [("gate", False, 0.07), ("copied", True, 7)]
    assert [len(row) for row in data["attention"][0]] == [10, 10, 10]
    assert [step["forced"] for step in data["steps"]] == [False, False, True, False, False, False]
    assert data["steps"][0]["entropy"] is None  # one for each part: the browser computes them


def test_a_photo_and_a_question() -> None:
    data = player_data(question_trace(), image_url="data:image/png;base64,AAAA")
    assert (data["kind"], data["prompt"]) == ("several", 3)
    photo, question = data["parts"]
    assert (photo["kind"], photo["rows"], photo["columns"], photo["url"]) == ("grid", 4, 6, "data:image/png;base64,AAAA")
    assert (photo["labels"], question["tokens"][3]) == (None, "Tier")


def test_cells_with_names_of_their_own_keep_them() -> None:
    sound = Part.of_grid("sound", (1, 3), (300, 80), ("0.0 s", "0.3 s", "0.6 s"))
    assert player_data(make_trace([" a", "</s>"], sound))["parts"][0]["labels"] == ["0.0 s", "0.3 s", "0.6 s"]
