"""Exported files: complete, exact where they claim to be, safe with any token, silent on the network."""

from __future__ import annotations

import io
import json
import re
import subprocess
import sys
import tomllib
import xml.etree.ElementTree as ET
from html import unescape
from importlib.metadata import EntryPoint
from itertools import pairwise
from pathlib import Path

import pytest
from PIL import Image

from demo.colours import attention_color, hex_color
from demo.components.player.data import PlayerOptions
from demo.export.figure import CELL, GAP, PART_GAP, Label, Rectangle, figure
from demo.export.files import notebook_html, to_html, to_json, to_png, to_svg
from seq2seq_core.trace.trace import DecodeTrace
from tests.demo.traces import dog_trace, image_source, make_trace, premise_trace, question_trace, text_source

SVG = "http://www.w3.org/2000/svg"  # the name of a language, which nobody fetches
HOSTILE = [" <script>alert(1)</script>", ' "onload="x', " 😀", "\x07", " </style>", "</s>"]
TRACES = {
    "dog": dog_trace,
    "none": lambda: make_trace([" a", "</s>"], text_source(["x", " y"]), heads=0, model_id="translation/none"),
    "language": lambda: make_trace([" a", " b", "</s>"], task="language"),
    "heads": lambda: make_trace([" a", " b", "</s>"], text_source(["x", " y"]), heads=4),
    "image": lambda: make_trace([" a", " dog", "</s>"], image_source(7, 7, (70, 70)), task="captioning", model_id="captioning/soft"),
    "hostile": lambda: make_trace(HOSTILE, text_source(["<script>", " a&b", " ]]>", " -->"])),
    "arabic": lambda: make_trace([" book", "</s>"], text_source(["الكتاب", " على"])),
    "long": lambda: make_trace([" word"] * 59 + ["</s>"], text_source(["wort"] + [" wort"] * 59)),
}


@pytest.fixture(params=TRACES, ids=list(TRACES))
def trace(request: pytest.FixtureRequest) -> DecodeTrace:
    made: DecodeTrace = TRACES[request.param]()
    return made


def test_json_comes_back_equal(trace: DecodeTrace) -> None:
    assert DecodeTrace.from_json(to_json(trace)) == trace


def test_svg_is_well_formed_and_shows_every_token(trace: DecodeTrace) -> None:
    for theme in ("light", "dark"):
        root = ET.fromstring(to_svg(trace, words=False, theme=theme))
        texts = [node.text for node in root.iter("{http://www.w3.org/2000/svg}text")]
        for token in trace.tokens():
            assert any((token.strip() or "\u2423").replace("\x07", "\ufffd")[:5] in (text or "") for text in texts)
        assert not list(root.iter("{http://www.w3.org/2000/svg}script"))


def test_svg_cells_have_the_colours_of_their_weights() -> None:
    root = ET.fromstring(to_svg(dog_trace(), words=False, numbers=False))
    fills = [node.get("fill") for node in root.iter("{http://www.w3.org/2000/svg}rect")][1:81]
    wanted = [hex_color(attention_color(float(w))) for w in dog_trace().attention().ravel()]
    assert fills == wanted


def test_a_source_read_from_the_right_is_drawn_from_the_right() -> None:
    root = ET.fromstring(to_svg(TRACES["arabic"]()))
    places = {node.text: float(node.get("x", 0)) for node in root.iter("{http://www.w3.org/2000/svg}text")}
    assert places["الكتاب"] > places["على"]


def test_png_opens_and_is_not_empty(trace: DecodeTrace) -> None:
    for theme in ("light", "dark"):
        image = Image.open(io.BytesIO(to_png(trace, theme=theme, scale=1)))
        assert image.format == "PNG"
        assert len(image.convert("RGB").getcolors(100_000) or []) > 10


def test_png_cell_shows_the_weight() -> None:
    image = Image.open(io.BytesIO(to_png(dog_trace(), words=False, numbers=False, scale=1))).convert("RGB")
    assert attention_color(0.81) in {color for _, color in image.getcolors(100_000) or []}


def test_png_draws_letters_beyond_ascii() -> None:
    pictures = {to_png(make_trace([f" {text}", "</s>"], task="language"), scale=1) for text in ("läuft", "l\u0416uft", "lßuft")}
    assert len(pictures) == 3


def test_html_is_one_file_without_an_address(trace: DecodeTrace) -> None:
    page = to_html(trace)
    assert not re.search(r"https?:|//[a-z]+\.|src=[\"']|<link|@import|url\(", page.replace("src=x", "").replace(SVG, ""))
    assert "default-src &#x27;none&#x27;" in page
    given = re.search(r'<script type="application/json" id="trace">(.*?)</script>', page)
    assert given is not None
    assert json.loads(given[1])["player"]["target"]["tokens"] == list(trace.tokens())


def test_no_token_becomes_markup() -> None:
    page = to_html(TRACES["hostile"](), title="<b>title</b>", options=PlayerOptions(view="table"))
    assert page.count("<script") == 2
    assert "alert(1)</script>" not in page
    assert "<b>title" not in page
    assert page.count("</style>") == 1


def test_notebook_frame_holds_the_same_page() -> None:
    frame = notebook_html(dog_trace())
    inner = re.fullmatch(r'<iframe title="[^"]+" sandbox="allow-scripts" style="[^"]+" srcdoc="([^"]*)"></iframe>', frame)
    assert inner is not None
    assert unescape(inner[1]) == to_html(dog_trace())


def test_heavy_packages_are_imported_when_they_are_asked_for() -> None:
    """A decode, its exports and its player need neither Streamlit, Plotly nor pandas; a table needs pandas."""
    code = (
        "import sys; import seq2seq_core.pipeline, seq2seq_core.trace.frames, demo.export.files, demo.export.film, demo.export.tables;"
        "import demo.components.player.data; from tests.demo.traces import dog_trace; trace = dog_trace();"
        "early = {'streamlit', 'plotly', 'pandas', 'pyarrow'} & set(sys.modules); assert not early, early;"
        "trace.to_frame(); assert 'pandas' in sys.modules"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=Path(__file__).parents[3], check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_a_notebook_shows_the_player(monkeypatch: pytest.MonkeyPatch) -> None:
    project = tomllib.loads((Path(__file__).resolve().parents[3] / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    (target,) = project["entry-points"]["seq2seq_core.notebook"].values()
    entry = EntryPoint("html", target, "seq2seq_core.notebook")
    monkeypatch.setattr("seq2seq_core.trace.trace.entry_points", lambda group: [entry])
    shown = dog_trace()._repr_html_()
    assert shown is not None and shown.startswith("<iframe") and "allow-scripts" in shown
    monkeypatch.setattr("seq2seq_core.trace.trace.entry_points", lambda group: [])
    assert dog_trace()._repr_html_() is None


def test_a_figure_of_two_texts_shows_both_with_their_names_and_the_marks() -> None:
    texts = [shape.text for shape in figure(premise_trace()).shapes if isinstance(shape, Label)]
    assert {"premise", "hypothesis", "Hund", "schläft", "not", "gate", "0.91", "box: forced by a person"} <= set(texts)
    assert "copied" not in texts  # a position is no number
    ones = [
        shape for shape in figure(premise_trace(), words=False).shapes if isinstance(shape, Rectangle) and shape.height == CELL - 2 * GAP
    ]
    assert len(ones) == 6 * 10
    starts = sorted({shape.x for shape in ones})
    assert [round(b - a) - round(starts[1] - starts[0]) for a, b in pairwise(starts)] == [0] * 5 + [PART_GAP] + [0] * 3
    question = [shape.text for shape in figure(question_trace()).shapes if isinstance(shape, Label)]
    assert {"question", "Tier", "dog", "dots: given to go on from"} <= set(question) and "photo" not in question
