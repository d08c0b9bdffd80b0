"""Language model as a visitor meets it: generating, scoring, searches and models side by side, and the step to a condition."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from demo import resources, state
from demo.labs.language.score import written
from demo.query import Query
from demo.wording import chance, piece, signed
from seq2seq_core.config import DecodeSettings
from seq2seq_core.training.evaluation import evaluate_lines
from tests.demo.pages import components, open_page, player, result, table, texts

pytestmark = pytest.mark.usefixtures("language_models")

SENTENCE = "A dog runs across the meadow."
BEGINNING = "A dog"
MODEL = "language/gru"


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
    assert not any(step["forced"] for step in shown["player"]["steps"])
    assert shown["player"]["prompt"] == 4
    assert shown["player"]["parts"] == []


def test_nothing_typed_lets_the_model_begin() -> None:
    at = open_page("language_model", beginning="", search="greedy")
    own = resources.answer(Query(MODEL, settings=DecodeSettings(search="greedy", max_length=60)))
    assert result(at) == own.text() != ""
    assert not at.info


def test_nothing_draws_another_sentence_each_time() -> None:
    at = open_page("language_model")
    said = set()
    for _ in range(3):
        at.button(key="example_0").click().run()
        assert at.text_input(key="beginning").value == ""
        assert at.session_state["search"] == "sample"
        said.add((at.session_state["seed"], result(at)))
    assert len({seed for seed, _ in said}) == 3
    assert len({text for _, text in said}) > 1


def test_the_next_piece_is_offered_with_its_probability() -> None:
    at = open_page("language_model", beginning=BEGINNING, search="greedy")
    found = table(at, "The next piece after “A dog”")
    assert found is not None
    trace = resources.answer(Query(MODEL, prompt=BEGINNING, settings=DecodeSettings(search="greedy")))
    best = trace.path()[trace.prompt].candidates
    assert texts(found) == [piece(one.token) for one in best[:8]]
    assert [row["share"] for row in found["rows"]] == pytest.approx([math.exp(one.logprob) for one in best[:8]])
    assert found["rows"][0]["chosen"]


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
    found = resources.reading(Query(MODEL, target="A newspaper unbelievably.")).words[2]
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
    assert strip(at)["chosen"] == least["end"] - 1
    at = open_page("language_model", do="score", scored=text, at="6")
    assert strip(at)["chosen"] == 6


def test_a_likelier_order_of_the_same_words_has_less_perplexity() -> None:
    right, wrong = (resources.reading(Query(MODEL, target=text)) for text in (SENTENCE, "meadow the across runs dog A."))
    assert right.perplexity < wrong.perplexity


def test_by_piece_a_word_shows_that_it_goes_on() -> None:
    only = strip(open_page("language_model", do="score", scored="unbelievably", words="false"))["tracks"][0]
    assert len(only["units"]) > 2
    assert only["units"][2]["text"].startswith("·")


# -- side by side ---------------------------------------------------------------------------------------------------------


def test_searches_go_on_from_the_same_beginning() -> None:
    at = open_page("language_model", do="searches", beginning=BEGINNING)
    found = table(at, "“A dog” …")
    assert found is not None
    assert [row["lead"] for row in found["rows"]][:2] == ["greedy", "beam 5"]
    assert texts(found)[0] == "… runs across the meadow."
    greedy = resources.reading(Query(MODEL, target=SENTENCE))
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


def test_a_sample_is_drawn_again_with_one_click() -> None:
    at = open_page("language_model", beginning=BEGINNING, search="sample", seed="4")
    next(each for each in at.button if each.label == "Draw again").click().run()
    shown = player(at)
    assert "5" in at.query_params["seed"] and shown is not None and shown["layout"]["autoplay"]
    assert not [each for each in open_page("language_model", beginning=BEGINNING).button if each.label == "Draw again"]


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
    read = [resources.reading(Query(f"language/{name}", target=SENTENCE)) for name in names]
    assert [row["values"][0] for row in found["rows"]] == [written(one.perplexity) for one in read]
    assert [row["chosen"] for row in found["rows"]] == [name == "gru" for name in names]
    assert [row["values"][4] for row in found["rows"]] == ["–"] * 4  # nothing was evaluated
    assert [one["name"] for one in strip(at)["tracks"]] == names


def test_a_chosen_word_is_open_in_every_model() -> None:
    at = open_page("language_model", do="models", scored=SENTENCE)
    data = strip(at)
    (word,) = {next(u["text"] for u in one["units"] if u["begin"] <= data["chosen"] < u["end"]) for one in data["tracks"]}
    assert word in SENTENCE


def test_held_out_perplexity_comes_from_the_card() -> None:
    from demo.labs.language.score import held_out

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
    said = [data["note"] for data in components(at) if data.get("kind") == "line"]
    assert said == ["language/gru, greedy", "translation/additive, greedy"]
    assert notes(at) == ["No captioning model is installed: put one under models/captioning/, as the README says."]


def test_the_picture_panel_with_a_captioning_model(every_model: Path) -> None:
    at = open_page("language_model", do="condition", photo="cat", after="a brown")
    tables = [data for data in components(at) if data.get("kind") == "table"]
    assert len(tables) == 3
    assert texts(tables[2])[0] == "cat"
    at.selectbox(key="condition_photo").set_value("coffee").run()
    assert not at.exception
    assert state.PHOTO.key in at.query_params
    assert not at.info
