"""Language model as a visitor meets it: generating, scoring, searches and models side by side, and the step to a condition."""

from __future__ import annotations

import math
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from demo import examples, resources, state
from demo.components.word_strip_data import chance, label, signed, track
from demo.language_requests import continuation
from demo.language_score import written
from demo.scale import attention_color, ink_on, luminance, surprise_color
from demo.state import DecodeRequest
from seq2seq_core.config import DecodeSettings
from seq2seq_core.evaluation import evaluate_lines
from tests.demo.captioners import make_captioners
from tests.demo.pages import components, errors, open_page, player, result, table, texts
from tests.demo.tiny_models import make_language_models

SENTENCE = "A dog runs across the meadow."
BEGINNING = "A dog"
MODEL = "language/gru"


@pytest.fixture(scope="module")
def everything(tiny_models: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Language and translation models; captioning ones are added where a test needs them."""
    root = tmp_path_factory.mktemp("language")
    shutil.copytree(tiny_models / "translation", root / "translation")
    return make_language_models(root)


@pytest.fixture(autouse=True)
def installed(everything: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("SEQ2SEQ_MODELS", str(everything))
    monkeypatch.setattr(examples, "FOLDER", tmp_path / "traces")
    forget()
    yield
    forget()


def forget() -> None:
    resources.pipeline.clear()
    resources.installed.clear()
    resources.forget_answers()


def strip(at: AppTest) -> dict[str, Any]:
    return next(data for data in components(at) if "tracks" in data)


def notes(at: AppTest) -> list[str]:
    return [note.value for note in at.info]


# -- generate -------------------------------------------------------------------------------------------------------------


def test_the_page_opens_with_a_sentence_that_goes_on_from_the_beginning() -> None:
    at = open_page("language_model", beginning=BEGINNING, search="greedy")
    assert not at.error
    assert result(at) == SENTENCE
    shown = player(at)
    assert shown is not None
    assert shown["player"]["kind"] == "none"
    assert [step["forced"] for step in shown["player"]["steps"]][:2] == [True, True]
    assert shown["player"]["source"]["tokens"] == []


def test_nothing_typed_lets_the_model_begin() -> None:
    at = open_page("language_model", beginning="", search="greedy")
    own = resources.answer(DecodeRequest(MODEL, settings=DecodeSettings(search="greedy", max_length=60)))
    assert result(at) == own.text() != ""
    assert not at.info


def test_the_next_piece_is_offered_with_its_probability() -> None:
    at = open_page("language_model", beginning=BEGINNING, search="greedy")
    found = table(at, "The next piece after “A dog”")
    assert found is not None
    trace = resources.answer(continuation(DecodeRequest(MODEL, settings=DecodeSettings(search="greedy")), BEGINNING))
    best = trace.path()[len(trace.steering.prefix)].candidates
    assert texts(found) == [label(one.token) for one in best[:8]]
    assert [row["share"] for row in found["rows"]] == pytest.approx([math.exp(one.logprob) for one in best[:8]])
    assert found["rows"][0]["chosen"]
    assert found["choose"]


def test_sampling_has_its_controls_and_its_seed() -> None:
    drawn = {open_page_result(seed) for seed in "0123456"}
    assert len(drawn) > 1
    assert open_page_result("3") == open_page_result("3")


def open_page_result(seed: str) -> str:
    return result(open_page("language_model", beginning="", search="sample", temperature="1.9", seed=seed))


def test_a_sentence_goes_from_the_player_to_its_score() -> None:
    at = open_page("language_model", beginning=BEGINNING, search="greedy")
    at.button(key="score_it").click().run()
    assert not at.exception
    assert at.text_input[0].label == "Sentence"
    assert at.text_input[0].value == SENTENCE
    assert result(at).startswith("Perplexity")


# -- score ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("words", ["true", "false"])
def test_perplexity_recomputed_from_the_strip_is_the_one_shown(words: str) -> None:
    at = open_page("language_model", do="score", scored=SENTENCE, words=words)
    (only,) = strip(at)["tracks"]
    total = sum(unit["logprob"] for unit in only["units"])
    own = resources.pipeline(MODEL)
    count = len(set(own.target_tokenizer.groups(own.target_tokenizer.encode(SENTENCE).ids))) + 1
    assert (len(only["units"]) == count) == (words == "true")
    assert result(at) == f"Perplexity {math.exp(-total / count):.2f} per word"
    assert result(at) == f"Perplexity {written(evaluate_lines(own, [SENTENCE])['perplexity'])} per word"
    figures = {name: value for name, value, _ in next(data for data in components(at) if data.get("kind") == "line")["figures"]}
    assert figures["log p"] == signed(total)
    assert figures["words"] == str(count) == "8"


def test_a_word_of_several_pieces_multiplies() -> None:
    at = open_page("language_model", do="score", scored="A newspaper unbelievably.")
    units = strip(at)["tracks"][0]["units"]
    assert [unit["text"] for unit in units] == ["A", "newspaper", "unbelievably", ".", "end"]
    long = units[2]
    found = resources.reading(DecodeRequest(MODEL), "A newspaper unbelievably.").words[2]
    assert len(long["pieces"]) == len(found.pieces) > 1
    product = math.prod(math.exp(piece.logprob) for piece in found.pieces)
    assert math.exp(long["logprob"]) == pytest.approx(product, rel=1e-4)
    assert long["p"] == chance(product)


def test_each_word_carries_its_colour_its_entropy_and_what_was_expected() -> None:
    only = strip(open_page("language_model", do="score", scored=SENTENCE))["tracks"][0]
    assert only["most"] == pytest.approx(math.log2(only["size"]))
    for unit in only["units"]:
        assert 0 <= unit["entropy"] <= only["most"]
        assert len(unit["top"]) == 10
        assert sum(p for _, p, _ in unit["top"]) <= 1.00001
        assert unit["rank"] > 10 or unit["top"][unit["rank"] - 1][2] == unit["pieces"][0][1]
    assert only["units"][2]["before"] == "A dog"


def test_the_least_probable_word_is_open_and_a_link_opens_another() -> None:
    text = "A dog runs across the newspaper."
    units = strip(open_page("language_model", do="score", scored=text))["tracks"][0]["units"]
    least = min(units, key=lambda unit: unit["logprob"])
    at = open_page("language_model", do="score", scored=text)
    assert strip(at)["chosen"] == least["begin"]
    at = open_page("language_model", do="score", scored=text, at="6")
    assert strip(at)["chosen"] == 6


def test_a_likelier_order_of_the_same_words_has_less_perplexity() -> None:
    right, wrong = (resources.reading(DecodeRequest(MODEL), text) for text in (SENTENCE, "meadow the across runs dog A."))
    assert right.perplexity < wrong.perplexity


# -- side by side ---------------------------------------------------------------------------------------------------------


def test_searches_go_on_from_the_same_beginning() -> None:
    at = open_page("language_model", do="searches", beginning=BEGINNING)
    found = table(at, "“A dog” …")
    assert found is not None
    assert [row["lead"] for row in found["rows"]][:2] == ["greedy", "beam 5"]
    assert texts(found)[0] == "… runs across the meadow."
    greedy = resources.reading(DecodeRequest(MODEL), SENTENCE)
    assert found["rows"][0]["values"] == [signed(greedy.total), written(greedy.perplexity), "8"]


def test_what_is_drawn_from_sums_to_one_in_every_column() -> None:
    at = open_page("language_model", do="searches", beginning="")
    found = table(at, "The next piece at the start")
    assert found is not None
    columns = [name for name, _, _ in found["columns"]]
    sums = [sum(row["bars"][i] or 0 for row in found["rows"]) for i in range(len(columns))]
    assert sums == pytest.approx([1.0] * len(columns), abs=1e-4)
    first = dict(zip(columns, found["rows"][0]["bars"], strict=True))
    assert first["greedy"] == 1
    assert first["temperature 0.5"] > first["temperature 1"] > first["temperature 1.5"]
    assert sum(1 for row in found["rows"][:-1] if row["bars"][columns.index("top k = 5")]) == 5


def test_draw_again_takes_the_next_seed() -> None:
    at = open_page("language_model", do="searches", seed="4")
    at.button(key="draw_again").click().run()
    assert not at.exception
    assert "Sampling used seed 5." in table(at, "“I am going to” …")["note"]  # type: ignore[index]


def test_models_read_the_same_sentence() -> None:
    at = open_page("language_model", do="models", scored=SENTENCE)
    found = table(at, "The same sentence")
    assert found is not None
    names = ["rnn", "gru", "lstm", "prose"]
    assert [row["lead"] for row in found["rows"]] == names
    read = [resources.reading(DecodeRequest(f"language/{name}"), SENTENCE) for name in names]
    assert [row["values"][0] for row in found["rows"]] == [written(one.perplexity) for one in read]
    assert [row["chosen"] for row in found["rows"]] == [name == "gru" for name in names]
    assert [row["values"][4] for row in found["rows"]] == ["–"] * 4  # nothing was evaluated
    assert [one["name"] for one in strip(at)["tracks"]] == names


def test_held_out_perplexity_comes_from_the_card() -> None:
    from demo.language_score import held_out

    assert held_out({"scores": {"Sentences": {"perplexity": 34.21, "n": 5}}}) == "34.2"
    assert held_out({"scores": {"Sentences": {"bleu": 34.21}}}) == held_out({}) == "–"


# -- condition ------------------------------------------------------------------------------------------------------------


def test_nothing_a_sentence_and_a_picture() -> None:
    at = open_page("language_model", do="condition", sentence="Ein Hund läuft über die Wiese.", after="A")
    lines = [data["text"] for data in components(at) if data.get("kind") == "line"]
    assert len(lines) == 2
    assert lines[1] == SENTENCE
    tables = [data for data in components(at) if data.get("kind") == "table"]
    assert [one["title"] for one in tables] == ["After “A”"] * 2
    assert [one["header"] for one in tables] == ["language/gru, greedy", "translation/additive, greedy"]
    assert notes(at) == ["No captioning model is installed: put one under models/captioning/, as the README says."]


def test_the_picture_panel_with_a_captioning_model(everything: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = tmp_path / "all"
    shutil.copytree(everything, root)
    make_captioners(root)
    monkeypatch.setenv("SEQ2SEQ_MODELS", str(root))
    forget()
    at = open_page("language_model", do="condition", photo="cat", after="a brown")
    tables = [data for data in components(at) if data.get("kind") == "table"]
    assert [one["header"].partition("/")[0] for one in tables] == ["language", "translation", "captioning"]
    assert texts(tables[2])[0] == "cat"
    at.selectbox(key="condition_photo").set_value("coffee").run()
    assert not at.exception
    assert state.PHOTO.key in at.query_params
    assert not at.info


# -- what may go wrong ----------------------------------------------------------------------------------------------------


def test_no_model_is_said_in_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SEQ2SEQ_MODELS", str(tmp_path / "empty"))
    forget()
    for part in state.LANGUAGE_PART.choices:
        at = open_page("language_model", do=part)
        assert notes(at) == ["No language model is installed: put one under models/language/, as the README says."]
        assert not at.error


@pytest.mark.parametrize("part", ["score", "models"])
@pytest.mark.parametrize("text", ["", "   "])
def test_an_empty_sentence_is_asked_for(part: str, text: str) -> None:
    at = open_page("language_model", do=part)
    at.text_input[0].set_value(text).run()
    assert notes(at) == ["Type a sentence to score, or take one of the examples above."]
    assert not at.error


FIELD = {"generate": "beginning", "score": "scored", "searches": "beginning", "models": "scored", "condition": "after"}


@pytest.mark.parametrize("part", FIELD)
def test_a_text_too_long_is_refused_in_one_sentence(part: str) -> None:
    at = open_page("language_model", do=part, **{FIELD[part]: "x" * 10_000})
    assert errors(at) == ["The text has 10,000 characters; at most 2,000 are allowed, so shorten it."]


def test_a_beginning_of_too_many_pieces_is_refused_in_one_sentence() -> None:
    at = open_page("language_model", beginning="zq " * 400)
    assert errors(at)[0].endswith("pieces; at most 300 can be gone on from, so shorten it.")
    at = open_page("language_model", do="score", scored="zq " * 400)
    assert not at.error
    assert len(strip(at)["tracks"][0]["units"]) == 401


@pytest.mark.parametrize("part", FIELD)
@pytest.mark.parametrize("text", ["😀 🙂", "<img src=x onerror=alert(1)>", "**x** $y$ :red[z] [a](b)"])
def test_any_other_text_is_shown_as_text(part: str, text: str) -> None:
    at = open_page("language_model", do=part, **{FIELD[part]: text})
    assert not at.error
    assert at.text_input[0].value == text
    assert not any("<img" in markdown.value for markdown in at.markdown)
    if part == "score":
        only = strip(at)["tracks"][0]
        assert only["units"][0]["text"] == text.split()[0][: len(only["units"][0]["text"])]


WRONG = (
    ("generate", "do", "dance"),
    ("generate", "beginning", "\x1b"),
    ("generate", "language_model", "../../etc"),
    ("generate", "search", "exhaustive"),
    ("generate", "step", "-7"),
    ("score", "scored", "\x00"),
    ("score", "at", "999999"),
    ("score", "at", "x"),
    ("score", "words", "?"),
    ("searches", "seed", "x"),
    ("models", "at", "-5"),
    ("condition", "after", "\x07"),
    ("condition", "photo", "<b>"),
    ("condition", "sentence", "\x00"),
)


@pytest.mark.parametrize(("part", "key", "value"), WRONG)
def test_a_wrong_parameter_does_no_harm(part: str, key: str, value: str) -> None:
    at = open_page("language_model", **({"do": part} | {key: value}))
    if value.isprintable():
        assert not at.error
        assert result(at) or table(at, "")
    else:
        assert errors(at) == [f"Character 1 is a control character (U+{ord(value):04X}); remove it."]


@pytest.mark.parametrize(("key", "value"), [("temperature", "-4"), ("top_k", "many"), ("top_p", "7"), ("seed", "1e99")])
def test_a_wrong_way_of_sampling_does_no_harm(key: str, value: str) -> None:
    at = open_page("language_model", **({"search": "sample"} | {key: value}))
    assert not at.error
    assert result(at)


# -- how numbers are written ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("p", "shown"),
    [(1.0, "1.00"), (0.234, "0.23"), (0.0999, "0.10"), (0.0454, "0.045"), (0.07, "0.070"), (0.00012, "0.00012"), (3.2e-5, "3·10⁻⁵"),
     (9.9e-6, "1·10⁻⁵"), (2.1e-12, "2·10⁻¹²"), (0.0, "0")],
)  # fmt: skip
def test_probabilities_are_written_with_the_figures_that_count(p: float, shown: str) -> None:
    assert chance(p) == shown


def test_less_probable_is_further_from_the_page_and_legible() -> None:
    steps = [0.0, -1.0, -3.0, -6.0, -10.0, -50.0]
    light, dark = ([luminance(surprise_color(step, theme)) for step in steps] for theme in ("light", "dark"))  # type: ignore[arg-type]
    assert light == sorted(light, reverse=True)
    assert dark == sorted(dark)
    assert light[-1] == light[-2]
    for step in steps:
        for theme in ("light", "dark"):
            colour = surprise_color(step, theme)  # type: ignore[arg-type]
            ink = 1.0 if ink_on(colour) == "#ffffff" else 0.0
            high, low = sorted((luminance(colour), ink), reverse=True)
            assert (high + 0.05) / (low + 0.05) >= 4.5
    assert surprise_color(-5) != attention_color(0.5)


def test_pieces_inside_a_word_are_marked() -> None:
    assert [label(token) for token in (" run", "ning", ".", "</s>", " ")] == ["run", "·ning", ".", "end", "␣"]
    only = track("gru", resources.reading(DecodeRequest(MODEL), "unbelievably"), by_word=False, vocabulary=330)
    assert len(only["units"]) > 2
    assert only["units"][1]["text"].startswith("·")
