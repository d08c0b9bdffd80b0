"""The map to explore: every weight at its place, texts as texts, and one file that needs nothing else."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from demo.colours import THEME_SCALE, attention_color, hex_color
from demo.export.chart import MOST, heat_map, page, plain
from seq2seq_core.errors import InputError
from seq2seq_core.trace.trace import DecodeTrace
from tests.demo.traces import dog_trace, image_source, make_trace, premise_trace, question_trace, text_source

ROOT = Path(__file__).parents[3]
HOSTILE = [" <b>bold</b>", " $x^2$", " &lt;", " =1", " \u05d0", "</s>"]
TRACES: dict[str, Callable[[], DecodeTrace]] = {
    "dog": dog_trace,
    "heads": lambda: make_trace([" a", " b", "</s>"], text_source(["x", " y"]), heads=4),
    "two texts": premise_trace,
    "photo and question": question_trace,
    "photo": lambda: make_trace([" a", "</s>"], image_source(2, 2, (40, 40)), task="captioning"),
    "none": lambda: make_trace([" a", "</s>"], text_source(["x", " y"]), heads=0),
    "language": lambda: make_trace([" a", "</s>"], task="language"),
}


def parts(trace: DecodeTrace, **options: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    found = json.loads(heat_map(trace, **options).to_json())
    return found["data"][0], found["layout"]


@pytest.mark.parametrize("kind", TRACES)
@pytest.mark.parametrize("theme", ["light", "dark", "streamlit"])
def test_every_kind_of_trace_has_a_figure(kind: str, theme: Any) -> None:
    trace = TRACES[kind]()
    data, layout = parts(trace, words=False, theme=theme)
    text = any(part.kind == "text" for place, part in enumerate(trace.parts) if any(head.part == place for head in trace.heads))
    assert data["type"] == ("heatmap" if text else "bar")
    assert data["y"] == list(range(1, len(trace.tokens()) + 1))
    assert [len(row) for row in data.get("z", [])] == [len(data["x"])] * (len(data["y"]) if text else 0)
    assert layout["yaxis"]["autorange"] == "reversed"


def test_every_weight_has_its_own_place_though_words_repeat() -> None:
    trace = make_trace([" the", " the", " the", "</s>"], text_source(["die", " die", " die"]))
    data, layout = parts(trace, words=False)
    np.testing.assert_allclose(data["z"], trace.attention(), atol=1e-7)
    assert data["x"] == layout["xaxis"]["tickvals"] == [1, 2, 3]
    assert layout["xaxis"]["ticktext"] == ["die"] * 3 and layout["yaxis"]["ticktext"] == ["the", "the", "the", "end"]
    assert (data["zmin"], data["zmax"]) == (0, 1)
    assert data["text"][1][2] == "step 2: <b>the</b><br>looks at <b>die</b>"


def test_by_word_it_is_what_the_trace_says() -> None:
    for trace in (dog_trace(), premise_trace()):
        grouped = [trace.grouped(0, place) for place in range(len(trace.parts))]
        data, layout = parts(trace)
        np.testing.assert_allclose(data["z"], np.concatenate([one.attention for one in grouped], axis=1), atol=1e-6)
        assert layout["xaxis"]["ticktext"] == [word for one in grouped for word in one.source]


def test_a_menu_chooses_the_head() -> None:
    trace = TRACES["heads"]()
    _, layout = parts(trace, words=False)
    buttons = layout["updatemenus"][0]["buttons"]
    assert [button["label"] for button in buttons] == ["All heads, averaged", "head 1", "head 2", "head 3", "head 4"]
    np.testing.assert_allclose(buttons[3]["args"][0]["z"][0], trace.maps()[:, 2], atol=1e-7)
    assert "updatemenus" not in parts(dog_trace())[1]


def test_two_texts_have_their_names_and_a_border() -> None:
    _, layout = parts(premise_trace())
    assert [note["text"] for note in layout["annotations"]] == ["premise", "hypothesis"]
    assert layout["shapes"][0]["x0"] == 6.5


def test_texts_are_texts() -> None:
    data, layout = parts(make_trace(HOSTILE, text_source(["<img src=x>", " $a$"])), words=False)
    shown = [*layout["xaxis"]["ticktext"], *layout["yaxis"]["ticktext"]]
    assert "&lt;img src=x&gt;" in shown and "&#36;x^2&#36;" in shown and "&amp;lt;" in shown
    for text in [*shown, *(cell for row in data["text"] for cell in row)]:
        assert not re.search(r"<(?!/?b>|br>)", text) and "$" not in text
    assert plain("<b>&$") == "&lt;b&gt;&amp;&#36;"


def test_a_source_read_from_the_right_stands_from_the_right() -> None:
    trace = make_trace([" book", "</s>"], text_source(["الكتاب", " على"]))
    data, layout = parts(trace, words=False)
    assert layout["xaxis"]["ticktext"] == ["على", "الكتاب"]
    np.testing.assert_allclose(data["z"], trace.attention()[:, ::-1], atol=1e-7)


def test_a_long_map_is_not_higher_than_a_screen_and_names_every_second() -> None:
    trace = make_trace([" word"] * 119 + ["</s>"], text_source(["wort"] + [" wort"] * 29))
    _, layout = parts(trace, words=False)
    assert layout["height"] == MOST
    assert layout["yaxis"]["tickvals"] == list(range(1, 121, 2)) and len(layout["xaxis"]["tickvals"]) == 30


def test_the_colours_are_those_of_the_map() -> None:
    for theme in ("light", "dark"):
        scale = parts(dog_trace(), theme=theme)[0]["colorscale"]
        assert scale[0][1] == hex_color(attention_color(0, theme)) and scale[-1] == [1.0, hex_color(attention_color(1, theme))]
    assert parts(dog_trace(), theme="streamlit")[0]["colorscale"] == [list(stop) for stop in THEME_SCALE]


def test_the_file_names_no_place_outside_and_no_text_becomes_markup() -> None:
    text = page(make_trace(HOSTILE, text_source(["</script><script>alert(1)"])), title="<b>title</b>", words=False)
    ours = re.sub(r"<script>\n/\*\*?\n.*?\n</script>", "", text, count=1, flags=re.DOTALL)
    assert len(ours) < 100_000 < len(text), "plotly.js was not found and taken out"
    assert not re.search(r"https?:|//[a-z]+\.|src=[\"']|<link|@import|url\(", ours)
    assert ours.count("<script") == 2 and "<b>title" not in ours
    assert "default-src &#x27;none&#x27;" in ours


def test_a_trace_draws_it_where_the_app_is_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    (target,) = project["entry-points"]["seq2seq_core.figure"].values()
    entry = EntryPoint("plotly", target, "seq2seq_core.figure")
    monkeypatch.setattr("seq2seq_core.trace.trace.entry_points", lambda group: [entry] if group == "seq2seq_core.figure" else [])
    assert dog_trace().figure(theme="dark") == heat_map(dog_trace(), theme="dark")
    monkeypatch.setattr("seq2seq_core.trace.trace.entry_points", lambda group: [])
    with pytest.raises(InputError, match="pip install -e"):
        dog_trace().figure()
