"""Lessons: what may stand in a file, and which line is named when it does not; links, and answers as a file."""

from __future__ import annotations

import csv
import io
import os
from pathlib import Path

import pytest
import yaml

from demo import state
from demo.given.photos import SAMPLES
from demo.labs.lessons import answers as lesson_answers
from demo.labs.lessons import files
from demo.labs.lessons.answers import Given
from demo.labs.lessons.checks import Check
from demo.labs.lessons.files import Lesson, read_lesson, shelf
from demo.labs.lessons.kinds import KINDS
from demo.labs.lessons.links import pages, read_link
from demo.labs.lessons.measures import MEASURES
from seq2seq_core.errors import InputError

GOOD = """\
title: Where it looks
order: 3
summary: A lesson for this test.
questions:
  - question: Where will it look for “{word}”?
    start: translate?sentence=Das gefällt mir.&beam=3
    hides: attention
    check: {kind: looks at, word: 1}
    explanation: The weights sum to 1.
  - question: Are they the same?
    start:
      one: translate?sentence=Das gefällt mir.
      two: translate?sentence=Das gefällt dir.
    hides: output
    check:
      kind: same outputs
"""


def read(text: str) -> Lesson:
    return read_lesson("lesson.yaml", text.encode())


def refused(text: str) -> str:
    with pytest.raises(InputError) as caught:
        read(text)
    return str(caught.value)


# Files


def test_a_lesson_is_read() -> None:
    lesson = read(GOOD)
    assert (lesson.name, lesson.title, lesson.order, lesson.summary) == ("lesson", "Where it looks", 3, "A lesson for this test.")
    first, second = lesson.questions
    assert first.check == Check("looks at", word=1)
    assert first.hides == "attention"
    assert [(name, asked.text, asked.settings.beam_size) for name, asked in first.states] == [("additive", "Das gefällt mir.", 3)]
    assert [(name, asked.text) for name, asked in second.states] == [("one", "Das gefällt mir."), ("two", "Das gefällt dir.")]


@pytest.mark.parametrize(
    ("old", "new", "line", "why"),
    [
        ("order: 3", "order: third", 2, "a number is wanted here"),
        ("order: 3", "order: .nan", 2, "a number is wanted here"),
        ("order: 3", "order: [3", 3, "not YAML"),
        ("order: 3", "ordr: 3", 2, "did you mean order?"),
        ("order: 3\n", "", 1, "needs order"),
        ("order: 3", "title: again", 2, "second time"),
        ("title: Where it looks", "title: ''", 1, "a text is wanted"),
        ("title: Where it looks", "title: !!python/name:os.system x", 1, "a text is wanted"),
        ("title: Where it looks", f"title: {'x' * 61}", 1, "61 characters; at most 60"),
        ("looks at, word: 1", "looks, word: 1", 8, "'looks' is not one of looks at, best output"),
        ("looks at, word: 1", "looks at", 8, "needs word"),
        ("looks at, word: 1", "looks at, word: 0", 8, "a whole number of at least 1"),
        ("looks at, word: 1", "looks at, word: 1, at: 2", 8, "has no 'at'"),
        ("looks at, word: 1", "number, measure: beauty", 8, "'beauty' is not one of"),
        ("looks at, word: 1", "number, measure: tokens, within: -1", 8, "at least 0"),
        ("looks at, word: 1", "number, measure: chrF", 8, "needs a reference"),
        ("looks at, word: 1", "output text", 7, "gives the answer of 'output text' away"),
        ("looks at, word: 1", "same outputs", 6, "is about 2 to 7 decodes, and this start gives 1"),
        ("hides: attention", "hides: nothing", 7, "'nothing' is not one of output, attention"),
        ("translate?sentence=Das gefällt mir.&beam=3", "start?beam=3", 6, "a lesson can begin at translate, transliterate"),
        ("&beam=3", "&beans=3", 6, "has 'beans', which is no setting"),
        ("&beam=3", "&beam=99", 6, "beam=99, which is not allowed; the nearest is 10"),
        ("translate?sentence=Das gefällt mir.&beam=3", "caption?photo=moon", 6, "photo=moon; the sample photos are dog"),
        ("translate?sentence=Das gefällt mir.&beam=3", "compare?variants=", 6, "compares nothing"),
        ("translate?sentence=Das gefällt mir.&beam=3", "compare?compare=cells", 6, "attention variants or searches"),
        ("    start:\n      one", "    start: []\n    begin:\n      one", 12, "a question has no 'begin'"),
        ("      kind: same outputs", "      kind: [same]", 16, "a text is wanted here"),
    ],
)
def test_a_bad_file_is_named_with_its_line(old: str, new: str, line: int, why: str) -> None:
    assert old in GOOD
    said = refused(GOOD.replace(old, new, 1))
    assert said.startswith(f"lesson.yaml, line {line}: "), said
    assert why in said


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", "line 1: the file is empty"),
        (b"- a\n- b\n", "line 1: a lesson must have parts"),
        (b"title: \xff\n", "line 1: this is not UTF-8"),
        (b"title: a\norder: \xff\n", "line 2: this is not UTF-8"),
        (b"title: a\x00b\n", "not YAML"),
        (b"[" * 3000, "not YAML"),
        (b"title: [\n", "line 2: this is not YAML"),
    ],
)
def test_what_is_no_lesson_at_all(content: bytes, why: str) -> None:
    with pytest.raises(InputError) as caught:
        read_lesson("odd.yaml", content)
    assert str(caught.value).startswith("odd.yaml")
    assert why in str(caught.value)
    assert "\n" not in str(caught.value)


def test_bad_files_do_not_hide_the_good_ones(tmp_path: Path) -> None:
    (tmp_path / "b.yaml").write_text(GOOD, encoding="utf8")
    (tmp_path / "a.yaml").write_text(GOOD.replace("order: 3", "order: 4"), encoding="utf8")
    (tmp_path / "bad.yaml").write_text("title\n", encoding="utf8")
    (tmp_path / "long.yaml").write_text("#" * (files.LONGEST + 1), encoding="utf8")
    (tmp_path / "odd&name.yaml").write_text(GOOD, encoding="utf8")
    found = shelf(tmp_path)
    assert [lesson.name for lesson in found.all] == ["b", "a"]
    assert [sentence.split(":")[0].split(",")[0] for sentence in found.wrong] == ["bad.yaml", "long.yaml has 60", "odd&name.yaml"]


def test_a_changed_file_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    path.write_text(GOOD, encoding="utf8")
    assert shelf(tmp_path).all[0].title == "Where it looks"
    path.write_text(GOOD.replace("Where it looks", "Where it points"), encoding="utf8")
    os.utime(path, (1, 1))
    assert shelf(tmp_path).all[0].title == "Where it points"


def test_nothing_in_a_file_is_run(tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    assert "line 3" in refused(GOOD.replace("A lesson for this test.", f"!!python/object/apply:os.mkdir ['{mark}']"))
    assert not mark.exists()


# The lessons that are shipped

SHIPPED = shelf()
QUESTIONS = [pytest.param(question, id=f"{lesson.name}-{i + 1}") for lesson in SHIPPED.all for i, question in enumerate(lesson.questions)]


def test_the_lessons_are_there_in_the_order_of_the_lectures() -> None:
    assert SHIPPED.wrong == ()
    titles = ["Language model", "Encoder-decoder", "Bottleneck", "Attention step by step", "Score functions", "Greedy and beam"]
    titles += ["Captioning", "Soft and hard", "Greedy’s bad luck", "Option 1 or 2", "Tokens and the end sign", "Cells"]
    titles += [
        "Keys and queries",
        "One step of learning",
        "A set is not a sequence",
        "What is in the question?",
        "Copying",
        "Up to the Transformer",
        "What comes first?",
        "Where was it heard?",
        "Two looks",
        "The safe answer",
    ]
    assert [lesson.title for lesson in SHIPPED.all] == titles
    assert all(3 <= len(lesson.questions) <= 5 for lesson in SHIPPED.all)
    assert {question.check.kind for lesson in SHIPPED.all for question in lesson.questions} == set(KINDS)


@pytest.mark.parametrize("question", QUESTIONS)
def test_every_start_is_a_link_that_comes_back_as_it_was(question: files.Question) -> None:
    for _, link in question.links:
        page, _, query = link.address.partition("?")
        assert page == link.page
        assert state.values_of(query) == link.values
        assert read_link(link.address).asked == link.asked
        assert read_link(f"http://localhost:8501/lab/{link.address}").asked == link.asked


@pytest.mark.parametrize("lesson", SHIPPED.all, ids=lambda lesson: lesson.name)
def test_a_lessons_own_link_comes_back_as_it_was(lesson: Lesson) -> None:
    for place in range(len(lesson.questions)):
        wanted = state.values_of("") | {state.LESSON.key: lesson.name, state.QUESTION.key: place + 1}
        assert state.values_of(state.query_of(wanted)) == wanted


def test_the_readme_of_the_lessons_names_every_check_measure_and_part() -> None:
    text = (files.FOLDER / "README.md").read_text(encoding="utf8")
    missing = [name for name in (*KINDS, *MEASURES) if f"`{name}`" not in text]
    assert not missing
    example = "\n".join(line[4:] for line in text.splitlines() if line.startswith("    "))
    assert read(example).title == yaml.safe_load(example)["title"]


# Links


@pytest.mark.parametrize(
    ("link", "wanted"),
    [
        ("translate?sentence=Ja.&model=dot&search=greedy", {"dot": ("translation/dot", "Ja.", "greedy")}),
        ("how_it_works?task=transliteration&word=ab&word_model=none", {"none": ("transliteration/none", "ab", "beam")}),
        ("steer?sentence=Ja.&beam=3", {"additive": ("translation/additive", "Ja.", "beam")}),
        (
            "compare?sentence=Ja.&variants=none&variants=dot",
            {"none": ("translation/none", "Ja.", "beam"), "dot": ("translation/dot", "Ja.", "beam")},
        ),
        (
            "compare?sentence=Ja.&compare=searches",
            {"greedy": ("translation/additive", "Ja.", "greedy"), "beam 5": ("translation/additive", "Ja.", "beam")},
        ),
        ("caption?photo=cat&photo_model=none", {"none": ("captioning/none", "", "beam")}),
        ("language_model?beginning=We&language_model=rnn", {"rnn": ("language/rnn", "", "beam")}),
    ],
)
def test_a_link_gives_what_its_page_decodes(link: str, wanted: dict[str, tuple[str, str, str]]) -> None:
    asked = read_link(link).asked
    assert {name: (one.model_id, one.text, one.settings.search) for name, one in asked.items()} == wanted


def test_given_words_are_scored() -> None:
    asked = read_link("compare?variants=none&same_target=true&followed=typed words&target=Yes.").asked
    assert asked["none"].target == "Yes."
    assert read_link("language_model?do=score&scored=Yes.").asked["gru"].target == "Yes."


def test_a_glimpse_counts_for_hard_attention_alone() -> None:
    hard = read_link("caption?photo=cat&photo_model=hard&search=greedy&glimpse=sample&seed=4").asked["hard"]
    soft = read_link("caption?photo=cat&photo_model=soft&search=greedy&glimpse=sample&seed=4").asked["soft"]
    assert (hard.settings.glimpse, hard.settings.seed) == ("sample", 4)
    assert (soft.settings.glimpse, soft.settings.seed) == ("argmax", 0)
    two = read_link("caption?photo=cat&photo_model=hard&tool=glimpses&seed=4").asked
    assert [one.settings.glimpse for one in two.values()] == ["sample", "expected"]


def test_every_page_of_a_lesson_is_a_page_of_the_app() -> None:
    first = [
        "translate",
        "transliterate",
        "caption",
        "listen",
        "language_model",
        "headline",
        "entailment",
        "story",
        "reply",
        "ask",
        "watch",
    ]
    assert pages() == [*first, "compare", "how_it_works", "steer"]
    assert all(read_link(f"caption?photo={sample.name}") for sample in SAMPLES)


# Answers


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "  =1", "\n=1"])
def test_no_cell_is_a_formula(text: str) -> None:
    assert lesson_answers.cell(text) == f"'{text}"


def test_answers_as_csv() -> None:
    lesson = read(GOOD)
    answers = {
        1: Given("Are they, “the same”?", "-", "=2", False, ("translation/additive",), "translate"),
        0: Given("Where?", "", "", None),
    }
    lines = list(csv.DictReader(io.StringIO(lesson_answers.to_csv([(lesson, answers)]))))
    assert [(line["question"], line["result"]) for line in lines] == [("1", "skipped"), ("2", "wrong")]
    assert lines[1]["answer"] == "'-"
    assert lines[1]["right answer"] == "'=2"
    assert lines[1]["text"] == "Are they, “the same”?"
    assert lesson_answers.progress(5, answers) == "1 of 5 answered, 0 right, 1 skipped"
