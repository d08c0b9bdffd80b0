"""A new task of text is a row in each table: with a model it is answered, steered, compared, looked into, exported and linked."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from demo import app, resources, state, tasks
from demo.blocks import steer_from
from demo.blocks.export_menu import TEXT, file_name, made
from demo.components.player.data import PlayerOptions
from demo.examples import Example
from demo.fields import NameField, TextField
from demo.labs.lessons.links import read_link
from demo.query import Query
from demo.tasks import TaskRow
from seq2seq_core import tasks as core
from seq2seq_core.store.card import CARD
from seq2seq_core.tasks import Slot, Task
from seq2seq_core.trace.trace import DecodeTrace
from tests.demo.conftest import Install
from tests.demo.pages import boxes, components, equations, open_page, player, table, texts
from tests.demo.tiny_models import MODELS

WORD, BEGUN = "dilli", "दि"


@pytest.fixture(autouse=True)
def spelling(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, install: Install) -> None:
    """The task, with the weights of another one: what they say is not the question here."""
    monkeypatch.setitem(core.TASKS, "spelling", Task("spelling", (Slot("spelt"),), metric="words", says="hi"))
    row = TaskRow(
        "spelling",
        model=NameField("spelling_model", "Model", "additive"),
        fields=(TextField("spelt", "Letters", "dosti"),),
        offered={"": (Example("kitab", "A book."),)},
        placeholder="Type letters",
        source="spelt",
        about="Given letters $x$, spell them.",
    )
    monkeypatch.setitem(tasks.TASKS, "spelling", row)
    made_of(tmp_path / "models", "spelling/additive", "spelling/dot")
    install(tmp_path / "models")


def made_of(root: Path, *names: str) -> None:
    for name in names:
        shutil.copytree(MODELS / "transliteration" / "additive", root / name)
        card = json.loads((root / name / CARD).read_text(encoding="utf8"))
        card["config"]["task"] = name.partition("/")[0]
        (root / name / CARD).write_text(json.dumps(card), encoding="utf8")


@pytest.fixture
def asking(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, install: Install) -> None:
    """A task whose decoder is given something beside what is read, and says one of a few answers."""
    row = Task("asking", (Slot("spelt"),), "answers", Slot("question"), says="hi", answers=("ल्ली", "ल"))
    monkeypatch.setitem(core.TASKS, "asking", row)
    shown = TaskRow(
        "asking",
        NameField("asking_model", "Model", "additive"),
        (TextField("spelt", "Letters", "dosti"),),
        TextField("question", "Question", "दो"),
        offered={"": (Example(BEGUN, "One of two.", given=WORD),)},
        placeholder="Type letters and a question",
        source="spelt",
        about="Go on.",
    )
    monkeypatch.setitem(tasks.TASKS, "asking", shown)
    made_of(tmp_path / "models", "asking/additive")
    install(tmp_path / "models")


def asked(page: str, **said: object) -> dict[str, Query]:
    return app.lab(page).queries(state.values_of("") | {"task": "spelling", "spelt": WORD} | said)


def answer() -> DecodeTrace:
    (query,) = asked("how_it_works").values()
    assert (query.model_id, query.given) == ("spelling/additive", (WORD,))
    return resources.answer(query)


def test_it_is_answered_and_looked_into() -> None:
    at = open_page("how_it_works", task="spelling", spelt=WORD)
    shown = player(at)
    assert shown is not None
    assert shown["player"]["parts"][0]["text"] == WORD
    assert shown["player"]["target"]["text"] == answer().text()
    assert "spell them" in str(boxes(at))
    assert equations(at)
    at.button(key="example_0").click().run()
    assert at.text_input(key="spelt").value == "kitab"
    at.text_input(key="spelt").set_value(" ").run()
    assert at.info[0].value == "Type letters, or take one of the examples above."


def test_it_is_steered() -> None:
    at = open_page("steer", task="spelling", spelt=WORD, edits="h1")
    found, (query,) = table(at, "Before and after"), asked("steer", edits="h1").values()
    assert found is not None
    assert found["language"] == "hi"
    assert texts(found) == [resources.answer(query.free).text(), resources.answer(query).text()]


def test_it_is_compared() -> None:
    at = open_page("compare", task="spelling", spelt=WORD, variants=["dot", "additive"])
    queries = asked("compare", variants=("dot", "additive"))
    assert texts(table(at, "Outputs")) == [resources.answer(query).text() for query in queries.values()]
    assert len([data for data in components(at) if data.get("player", {}).get("title")]) == 2


@pytest.mark.parametrize("kind", TEXT)
def test_it_is_exported(kind: str) -> None:
    trace = answer()
    content = made(kind, trace, 0, None, PlayerOptions())
    assert content
    assert file_name(trace, kind) == f"spelling-additive-{WORD}.{kind}"
    if kind == "json":
        assert DecodeTrace.from_dict(json.loads(content)) == trace


def test_it_is_linked() -> None:
    link = state.link("compare", {"task": "spelling", "spelt": WORD, "spelling_model": "dot"})
    assert link == f"compare?task=spelling&spelt={WORD}&spelling_model=dot"
    values = state.values_of(link.partition("?")[2])
    assert (values["task"], values["spelt"], values["spelling_model"]) == ("spelling", WORD, "dot")
    (query,) = read_link(f"steer?task=spelling&spelt={WORD}").asked.values()
    trace = resources.answer(query)
    place = steer_from.Place(query, trace.token_ids()[:2], "play")
    said = steer_from.link_to(place)
    assert (said["task"], said["spelt"], said["spelling_model"]) == (["spelling"], [WORD], ["additive"])


@pytest.mark.usefixtures("asking")
def test_a_question_is_given_with_what_is_read() -> None:
    at = open_page("how_it_works", task="asking")
    at.button(key="example_0").click().run()
    assert (at.text_input(key="spelt").value, at.text_input(key="question").value) == (WORD, BEGUN)
    shown = player(at)
    assert shown is not None
    assert shown["player"]["prompt"] == len(BEGUN)
    assert shown["player"]["parts"][0]["text"] == WORD
    (query,) = asked("how_it_works", task="asking", question=BEGUN).values()
    assert resources.answer(query).hypotheses[0].answer in ("ल्ली", "ल")
    assert [len(step["candidates"]) for step in shown["player"]["steps"]][len(BEGUN)] == 1
    at.text_input(key="question").set_value(" ").run()
    assert at.info[0].value == "Type letters and a question, or take one of the examples above."


@pytest.mark.usefixtures("asking")
@pytest.mark.parametrize("part", ["play", "explanation", "shuffle"])
def test_a_question_is_steered(part: str) -> None:
    at = open_page("steer", task="asking", spelt=WORD, question=BEGUN, part=part)
    assert not at.exception
    (query,) = asked("steer", task="asking", question=BEGUN).values()
    trace = resources.answer(query)
    said = steer_from.link_to(steer_from.Place(query, trace.token_ids()[:3], part))
    assert (said["spelt"], said["question"]) == ([WORD], [BEGUN])


@pytest.mark.usefixtures("asking")
def test_where_a_pair_is_asked_for_a_question_is_not_offered() -> None:
    assert "asking" not in tasks.of_text() and "asking" not in tasks.of_outputs()
    assert "asking" in tasks.reading() and "spelling" in tasks.of_text()
    (query,) = asked("how_it_works", task="asking", question=BEGUN).values()
    again = resources.answer(Query(query.model_id, query.given, query.prompt, target=query))
    assert again.token_ids() == resources.answer(query).token_ids()
