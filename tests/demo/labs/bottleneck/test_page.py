"""Bottleneck as a visitor meets it."""

from __future__ import annotations

import base64
import json
import re
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from demo import examples, resources
from demo.labs.bottleneck import results
from demo.labs.bottleneck.charts import with_room
from demo.labs.bottleneck.data import aligned, meanings, own_pairs, typed_pairs, typed_sentences
from demo.labs.bottleneck.vectors import kinds
from demo.query import Query
from seq2seq_core.errors import InputError
from seq2seq_core.training.sentence_scores import FILE
from tests.demo.labs.bottleneck.conftest import SET
from tests.demo.pages import errors, open_page, table, texts
from tests.demo.tiny_models import GERMAN, HINDI

PAIRS = "\n".join(f"{source} | {target}" for source, target in GERMAN)


def figures(at: AppTest) -> list[dict[str, Any]]:
    return [json.loads(chart.proto.spec) for chart in at.get("plotly_chart")]


def numbers(written: Any) -> np.ndarray:
    """A list of a figure, which may be packed."""
    if isinstance(written, dict):
        found = np.frombuffer(base64.b64decode(written["bdata"]), dtype=written["dtype"])
        return found.reshape([int(size) for size in written["shape"].split(",")]) if "shape" in written else found
    return np.array(written, dtype=float)


def written(at: AppTest) -> str:
    return " ".join(each.value for each in at.markdown)


# -- quality and length ---------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("scored")
def test_simple_shows_the_chart_without_the_terms() -> None:
    at = open_page("bottleneck", set=SET, level="simple")
    (chart,) = figures(at)
    assert chart["layout"]["yaxis"]["title"]["text"] == "how near to a good translation, 0 to 100"
    assert not [each for each in at.selectbox if each.label in ("Gap from", "to", "Dev set", "Outputs of")]
    assert table(at, "BLEU by length") is None
    assert "interval" not in written(at) + " ".join(each.value for each in at.caption)
    at = open_page("bottleneck", look_at="sentence vectors", level="simple")
    nearest = table(at, "Nearest neighbours")
    assert nearest is not None and not nearest["columns"] and table(at, "How far") is None
    assert not any("variance" in said for said in (*(each.value for each in at.caption), at.get("plotly_chart")[0].proto.spec))
    at = open_page("bottleneck", set=SET, level="simple", sample="our own")  # a link that needs more has it
    assert any("our own" in group.options for group in at.get("button_group"))


@pytest.mark.usefixtures("scored")
def test_the_page_opens_with_stored_results() -> None:
    at = open_page("bottleneck")
    assert not errors(at)
    assert at.selectbox(key="set").value == SET
    shown = table(at, "BLEU by length in words")
    assert shown is not None
    assert texts(shown) == ["none", "additive"]
    parts, whole = shown["note"].removeprefix("n = ").rsplit(" = ", 1)
    assert sum(map(int, parts.split(" + "))) == int(whole) == len(GERMAN)
    chart = figures(at)[0]
    ticks = chart["layout"]["xaxis"]["ticktext"]
    assert [int(re.findall(r"n = (\d+)", tick)[0]) for tick in ticks] == list(map(int, parts.split(" + ")))
    assert [trace["name"] for trace in chart["data"] if trace["type"] == "bar"] == ["none", "additive"]
    long = table(at, examples.LONG.text)
    assert long is not None and [row["lead"] for row in long["rows"]] == ["none", "additive"]
    assert texts(long) == [resources.answer(Query(f"translation/{name}", (examples.LONG.text,))).text() for name in ("none", "additive")]
    assert bool(long["rows"][0]["parts"][1]) is (texts(long)[0] != texts(long)[1]) and not long["rows"][1]["parts"][1]


@pytest.mark.usefixtures("scored")
def test_the_findings_are_those_of_the_numbers() -> None:
    at = open_page("bottleneck")
    base, other = (next(iter(results.stored("translation", SET, [name]))) for name in ("none", "additive"))
    found = results.gap_between(base, other)
    assert found is not None
    said = written(at)
    assert f"additive {other.value:.1f}, none {base.value:.1f}: a gap of +{found.average.value:.1f} [+{found.average.low:.1f}, " in said
    assert f"n = {len(GERMAN)}" in said
    at.selectbox(key="base").set_value("additive").run()
    at.selectbox(key="other").set_value("none").run()
    assert f"none {base.value:.1f}, additive {other.value:.1f}: a gap of −{found.average.value:.1f}" in written(at)


def test_without_each_sentence_there_is_no_interval(scored: Path) -> None:
    kept = scored / "translation/none" / FILE
    content = kept.read_text()
    try:
        kept.unlink()
        said = written(open_page("bottleneck"))
    finally:
        kept.write_text(content)
    assert "On average" in said and "No interval can be given" in said


@pytest.mark.usefixtures("scored")
def test_words_are_scored_by_letters() -> None:
    at = open_page("bottleneck", task="transliteration")
    shown = table(at, "Exactly right, %, by length in letters")
    assert shown is not None
    assert shown["note"].endswith(f"= {len(HINDI)}")
    assert any("With a second variant" in info.value for info in at.info)


@pytest.mark.usefixtures("models")
def test_without_stored_results_it_offers_its_own_sentences() -> None:
    at = open_page("bottleneck")
    assert any("choose our own sentences" in info.value for info in at.info)
    assert not at.get("plotly_chart")


@pytest.mark.usefixtures("models")
def test_a_sample_is_computed_now_and_its_failures_open() -> None:
    at = open_page("bottleneck", sample="yours", pairs=PAIRS, bar="none", bucket="1", failed="2")
    shown = table(at, "BLEU by length in words")
    assert shown is not None
    assert float(shown["rows"][1]["values"][0]) > 90  # additive was trained on them
    assert shown["note"].endswith(f"= {len(GERMAN)}")
    wrong = table(at, "none:")
    assert wrong is not None
    assert [row["chosen"] for row in wrong["rows"]].index(True) == 1
    told = dict(zip([row["lead"] for row in table(at, "Number 2")["rows"]], texts(table(at, "Number 2")), strict=True))  # type: ignore[index]
    assert dict(GERMAN)[told["source"]] == told["reference"] != told["output"]
    links = [link.proto for link in at.get("page_link")]
    assert [link.label for link in links] == ["Open in Translate", "Open in Compare"]
    assert "model=none" in links[0].query_string


@pytest.mark.usefixtures("scored")
def test_behind_a_bar_of_a_dev_set_stand_our_own_sentences_of_its_length() -> None:
    (stored,) = results.stored("translation", SET, ["none"])
    first = stored.lengths[-1][0]
    at = open_page("bottleneck", bar="none", bucket=str(len(stored.buckets)))
    assert not errors(at)
    wrong, number = table(at, "none:"), table(at, "Number 1")
    assert wrong is not None and number is not None
    source, output, reference = texts(number)
    own = [pair for pair in own_pairs("translation") if len(pair.source.split()) >= first]
    assert f" of {len(own)} of our own" in wrong["title"]
    assert (source, reference) in [(pair.source, pair.target) for pair in own] and output == texts(wrong)[0] != reference
    assert at.get("plotly_chart")[0].proto.selection_mode


@pytest.mark.usefixtures("models")
def test_a_bar_without_failures_says_so() -> None:
    at = open_page("bottleneck", sample="yours", pairs="Das gefällt mir. | I like it.", bar="additive", bucket="1")
    assert any("Every output of additive in this bar is the reference" in success.value for success in at.success)


@pytest.mark.usefixtures("models")
def test_our_own_sentences_are_decoded() -> None:
    at = open_page("bottleneck", sample="our own", shown="additive")
    shown = table(at, "BLEU by length")
    assert shown is not None
    assert shown["note"].endswith(f"= {len(own_pairs('translation'))}")
    assert not errors(at)


@pytest.mark.usefixtures("models")
@pytest.mark.parametrize(
    ("pairs", "sentence"),
    [
        ("Das gefällt mir.", "Line 1 is 'Das gefällt mir.'; write source | reference, with one | or tab between them."),
        ("a | b\n\n | c", "Line 3 is"),
        ("a | b | c", "Line 1 is"),
        ("a | b\n" * 201, "There are 201 pairs; at most 200"),
        (f"{'a' * 2001} | b", "The text has 2,001 characters"),
    ],
)
def test_pairs_that_cannot_be_read_are_named(pairs: str, sentence: str) -> None:
    at = open_page("bottleneck", sample="yours", pairs=pairs)
    assert len(errors(at)) == 1
    assert errors(at)[0].startswith(sentence)


@pytest.mark.usefixtures("models")
def test_no_pairs_and_no_variant_are_asked_for() -> None:
    assert any("Write pairs above" in info.value for info in open_page("bottleneck", sample="yours").info)
    assert any("Choose at least one variant" in info.value for info in open_page("bottleneck", sample="our own", shown="").info)


@pytest.mark.usefixtures("scored")
def test_a_bad_link_shows_the_defaults() -> None:
    bad = {"look_at": "the sky", "sample": "all", "set": "none such", "base": "x", "other": "<b>", "bucket": "many", "bar": "?"}
    at = open_page("bottleneck", **bad)
    assert not errors(at)
    assert at.selectbox(key="set").value == SET
    assert texts(table(at, "BLEU by length")) == ["none", "additive"]


# -- sentence vectors -----------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("models")
def test_sentences_are_points_with_neighbours() -> None:
    at = open_page("bottleneck", look_at="sentence vectors", sentences="Das gefällt mir.\nDas gefällt dir.", point="25")
    near = table(at, "Nearest neighbours")
    assert near is not None
    distances = [float(row["values"][0]) for row in near["rows"]]
    assert len(distances) == 8 and distances == sorted(distances)
    assert any(row["lead"] == "26" for row in near["rows"][:1])  # the other one of the two
    drawn = [trace for trace in figures(at)[0]["data"] if trace.get("name")]
    assert sum(len(trace["text"]) for trace in drawn) == len(meanings()) + 2
    assert drawn[-1]["name"] == "yours"
    assert any("of the variance" in caption.value for caption in at.caption)
    assert table(at, "How far a change moves the vector") is not None


@pytest.mark.usefixtures("models")
@pytest.mark.parametrize(
    ("sentences", "sentence"), [("a\n" * 21, "There are 21 sentences; at most 20"), ("a\x07", "Character 2 is a control")]
)
def test_sentences_that_cannot_be_read_are_named_and_ours_stay(sentences: str, sentence: str) -> None:
    at = open_page("bottleneck", look_at="sentence vectors", sentences=sentences, point="60", vector_model="nothing")
    assert len(errors(at)) == 1 and errors(at)[0].startswith(sentence)
    assert len(at.get("plotly_chart")) == 1
    assert at.selectbox[-1].value == len(meanings()) - 1


@pytest.mark.usefixtures("models")
def test_states_along_a_sentence() -> None:
    at = open_page("bottleneck", look_at="sentence vectors", vectors="decoder states", vector_model="additive", sentence="Das gefällt mir.")
    shown = table(at, "How far each token moves the state")
    assert shown is not None
    path = figures(at)[0]["data"][0]
    assert path["text"] == ["start", *texts(shown)]
    assert texts(shown)[-1] == "end"
    steps = [float(row["values"][0]) for row in shown["rows"]]
    assert min(steps) > 0
    at.text_input(key="sentence").set_value("  ").run()
    assert any("Type a German sentence" in info.value for info in at.info)


@pytest.mark.usefixtures("models")
def test_a_strange_sentence_is_a_sentence_of_its_own() -> None:
    at = open_page("bottleneck", look_at="sentence vectors", vectors="decoder states", vector_model="additive", sentence="<b>x</b> 😀")
    assert not errors(at)
    assert open_page("bottleneck", look_at="sentence vectors", vectors="decoder states", sentence="a" * 2001).error


def test_distances_by_kind_count_what_they_say() -> None:
    ours = meanings()
    assert len(ours) == 24
    unequal = np.array([[float(one.who != other.who) for other in ours] for one in ours])
    found = {kind: (mean, count) for kind, _, mean, count in kinds(ours, unequal)}
    assert found["same words, roles swapped"] == (1.0, 6)
    assert found["same meaning, passive"] == (0.0, 6)
    assert found["another scene"] == (1.0, 24)
    assert typed_sentences(" \n") == ()


# -- aligned words --------------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("models")
def test_alignment_errors_of_every_variant() -> None:
    at = open_page("bottleneck", look_at="aligned words")
    shown = table(at, "Alignment error rate")
    assert shown is not None
    assert texts(shown) == ["none", "additive", "multi-head", "no model: the diagonal"]
    assert shown["rows"][0]["values"][0] == "no map"
    for row in shown["rows"][1:]:
        assert 0 < float(row["values"][0].removesuffix(" %")) < 100
        assert row["values"][2] == str(len(aligned()))
    gold, attention, difference = figures(at)
    assert numbers(difference["data"][0]["z"]) == pytest.approx(numbers(attention["data"][0]["z"]) - numbers(gold["data"][0]["z"]))
    assert numbers(attention["data"][0]["z"]).sum(1) == pytest.approx(1.0, abs=1e-5)


@pytest.mark.usefixtures("models")
def test_a_map_less_itself_is_all_zeros() -> None:
    at = open_page("bottleneck", look_at="aligned words", map_of="additive", against="additive", pair="7")
    assert not numbers(figures(at)[2]["data"][0]["z"]).any()
    assert any("0% of a row differs" in caption.value.replace("\\", "") for caption in at.caption)


@pytest.mark.usefixtures("models")
def test_a_bad_link_to_a_pair_shows_one_that_is_there() -> None:
    at = open_page("bottleneck", look_at="aligned words", pair="200", map_of="none", against="<b>")
    assert not errors(at)
    assert at.selectbox[0].value == len(aligned()) - 1
    assert (at.selectbox(key="map_of").value, at.selectbox(key="against").value) == ("additive", "gold")


def test_without_any_map_it_says_so(models: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(models / "translation/none", tmp_path / "only/translation/none")
    monkeypatch.setenv("SEQ2SEQ_MODELS", str(tmp_path / "only"))
    resources.shelf.clear()
    at = open_page("bottleneck", look_at="aligned words")
    assert any("No installed variant has an attention map" in info.value for info in at.info)
    assert table(at, "Alignment error rate")["rows"][0]["values"][0] == "no map"  # type: ignore[index]


def test_pairs_are_read_by_line() -> None:
    assert [(pair.source, pair.target) for pair in typed_pairs("a\tb\n\n c | d ")] == [("a", "b"), ("c", "d")]
    with pytest.raises(InputError, match="Line 2"):
        typed_pairs("a | b\nc")


def test_a_number_stands_where_no_point_or_number_lies_under_it_and_the_chosen_one_always() -> None:
    points = np.array([[0.0, 0.0], [0.05, 0.0], [0.5, 0.5], [0.53, 0.51], [0.56, 0.5], [1.0, 1.0]])
    assert with_room(points, 5) == {1, 4, 5}
    assert with_room(points, 2) == {1, 2, 5}
