"""Letters of the equations know their places in the drawing, in every lettering; the vectors that are printed are there whole."""

from __future__ import annotations

import base64
from typing import Any

import numpy as np
import pytest

from demo.labs.how_it_works.encoder_equations import Source, reading
from demo.labs.how_it_works.equations import Shown, sections
from demo.labs.how_it_works.notation import ENTRIES, Section, keeping_vectors
from demo.labs.how_it_works.symbols import Lives, Moment, keys, lives, packed, said, shown
from demo.letters import NAMES
from tests.core.invariants import tiny_pipeline
from tests.core.tiny import LETTERS

PATH = (5, 9, 4, 2)
TEXT = "adchb"
WORDS = [LETTERS.token(i) for i in range(LETTERS.size)]
STEP, POSITION = 2, 3
NOW = Moment(STEP, POSITION)


def step_of(lettering: str = "lab", **changes: Any) -> tuple[dict[str, Any], tuple[Section, ...], Any]:
    pipeline = tiny_pipeline(**changes)
    config = pipeline.model.config
    inside = pipeline.inside(pipeline.score(TEXT, PATH))
    with keeping_vectors() as whole:
        found = sections(config, inside.at(STEP), Shown(POSITION, 0, tuple(TEXT), WORDS, PATH[STEP]))
    return shown(found, lettering, config.cell, NOW, whole), found, inside


def unpacked(vector: dict[str, Any]) -> list[float]:
    """As the browser does."""
    found = np.frombuffer(base64.b64decode(vector["values"]), f"<i{vector['bits'] // 8}") / 1000
    return [float(value) for value in found]


def place(data: dict[str, Any], section: int, key: str) -> list[Any]:
    found: list[Any] = data["tables"][section][key]
    return found


def test_letters_of_a_step_live_where_the_step_is() -> None:
    data, found, _ = step_of(attention="additive", cell="gru")
    names = [section.name.split(" (")[0] for section in found]
    at = {name: names.index(name) for name in names}
    state, score, row = at["New state"], at["Score of one source position"], at["Attention row"]
    assert place(data, at["Token, index, one-hot vector, embedding"], "xt") == ["input", None]
    assert place(data, at["What goes in"], "st-1") == ["state", STEP - 1]
    assert place(data, state, "st") == place(data, state, "zt") == ["state", STEP]
    assert place(data, state, "Wz") == ["input", None] and place(data, state, "Uz") == ["carry", None]
    assert place(data, score, "U") == ["asks", None] and place(data, score, "h4") == ["read", POSITION]
    assert place(data, row, "\u03b1t,4") == ["looks", POSITION]
    assert place(data, at["Context vector"], "ct") == ["context", None]
    assert place(data, at["Output distribution"], "\u2113t") == ["output", None]


@pytest.mark.parametrize(
    ("lettering", "section", "key", "where"),
    [
        ("EE5179", "Context vector", "c4", ["read", POSITION]),
        ("EE5179", "New state", "ht", ["state", STEP]),
        ("Bereyhi", "New state", "s[\u2113-1]", ["state", STEP - 1]),
        ("Bereyhi", "Context vector", "a[\u2113]", ["context", None]),
        ("Mopuri", "Attention row", "at,4", ["looks", POSITION]),
        ("Amrita, Khurana", "New state", "Wi", ["carry", None]),
    ],
)
def test_in_a_lecture_s_letters_too(lettering: str, section: str, key: str, where: list[Any]) -> None:
    data, found, _ = step_of(lettering, attention="additive", cell="gru")
    index = next(i for i, each in enumerate(found) if each.name.startswith(section))
    assert place(data, index, key) == where


@pytest.mark.parametrize("lettering", NAMES)
@pytest.mark.parametrize("cell", ["rnn", "gru", "lstm"])
@pytest.mark.parametrize(("attention", "wiring"), [("additive", "input"), ("multi-head", "output"), ("none", "output")])
def test_every_vector_that_is_printed_is_there_whole(lettering: str, cell: str, attention: str, wiring: str) -> None:
    data, found, inside = step_of(lettering, attention=attention, wiring=wiring, cell=cell)
    printed = sum(line.count(r"\in \mathbb{R}^{") for section in found for line in section.latex)
    plain = sum(r"\dots, h_" in line for section in found for line in section.latex)
    assert len(data["vectors"]) == printed - plain > 4
    for vector in data["vectors"]:
        first, size = vector["key"].split("|")
        values = unpacked(vector)
        assert len(values) == int(size)
        assert [float(number) for number in first.split(",")] == values[:ENTRIES]
    new = next(
        each for each in data["letters"] if each["lives"] == ["state", STEP] and each["vector"] is not None and each["text"] != "m_t"
    )
    whole = [unpacked(each) for each in data["vectors"]]
    state = np.round(inside.at(STEP).hidden, 4).tolist()
    assert any(values == pytest.approx(state, abs=6e-4) for values in whole) and new


def test_while_it_reads_the_encoder_lights_up() -> None:
    pipeline = tiny_pipeline(cell="lstm", encoder_layers=2)
    inside = pipeline.inside(pipeline.score(TEXT, PATH))
    part = pipeline.read(TEXT)[0]
    with keeping_vectors() as whole:
        found = reading(pipeline.model.config, inside, Source(part.labels, part.ids), POSITION)
    data = shown(found, "lab", "lstm", Moment(0, POSITION, reading=True), whole)
    assert place(data, 0, "xj") == ["source", POSITION]
    assert place(data, 1, "hj-1(1)") == place(data, 1, "hj-1") if "hj-1" in data["tables"][1] else True
    assert place(data, len(found) - 1, "hj") == ["read", POSITION]
    assert {role for table in data["tables"] for role, _ in table.values()} <= {"source", "read"}


def test_a_letter_is_read_as_it_is_set() -> None:
    assert keys(r"s^{(1)}_{t-1}") == ["st-1(1)"]
    assert keys(r"\overrightarrow{h}_j") == ["hj"]
    assert keys(r"h[t-1]") == ["h[t-1]"]
    assert keys(r"e(\hat{y}_{t-1})") == ["e", "yt-1"]
    assert said(r"\hat{x}_t") == "x\u0302_t" and said(r"\alpha_{t,4}") == "\u03b1_{t,4}" and said(r"s_{t}") == "s_t"
    assert lives("h", "T", "state", NOW) == Lives("summary") and lives("q", "t", "score", NOW) == Lives("asks")


def test_nothing_is_kept_when_nobody_asks() -> None:
    with keeping_vectors() as first:
        pass
    step_of()
    assert first == {}


def test_large_numbers_have_room() -> None:
    values = np.array([0.0004, -1.2345, 32.767, 40000.5])
    assert unpacked(packed(values)) == [0.0, -1.234, 32.767, 40000.5] and packed(values)["bits"] == 32
    assert packed(values[:3])["bits"] == 16


def test_a_button_for_each_letter_once() -> None:
    data, *_ = step_of(attention="additive", cell="gru")
    texts = [each["text"] for each in data["letters"]]
    assert texts == [
        "h_4",
        "\u03b4_9",
        "x_t",
        "s_{t-1}",
        "r_t",
        "z_t",
        "n_t",
        "s_t",
        "e_{t,4}",
        "\u03b1_{t,4}",
        "c_t",
        "\u03c1_t",
        "\u2113_t",
        "p",
        "y_t",
        "x",
    ]
    assert [each["text"] for each in data["letters"] if each["vector"] is not None] == [
        "h_4", "x_t", "s_{t-1}", "r_t", "z_t", "n_t", "s_t", "c_t", "\u03c1_t", "\u2113_t",
    ]  # fmt: skip
