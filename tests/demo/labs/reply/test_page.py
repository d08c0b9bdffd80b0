"""Reply as a visitor meets it: a conversation that goes on, turns that are opened, and a beam that is ranked anew."""

from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from demo import app, resources, state
from demo.examples import CONVERSATIONS
from demo.labs.reply import LONGEST, capitalised, conversation, expected, view
from demo.wording import plain
from seq2seq_core.inputs.turns import turns_of
from seq2seq_core.store.checkpoint import save, weights_of
from seq2seq_core.trace.reranking import less_expected
from tests.core.tiny import LETTERS, tiny_model
from tests.demo.conftest import Install
from tests.demo.pages import errors, open_page, player, result, table, texts

SAID = "a bad egg | feed a hen | had a bag | a bee"


@pytest.fixture(autouse=True)
def models(tmp_path: Path, install: Install) -> Path:
    """Models that have learnt nothing: what is shown must be right all the same."""
    root = tmp_path / "models"
    for name, changes in (("additive", {}), ("none", {"attention": "none"}), ("prior", {"source": "none", "attention": "none"})):
        model = tiny_model(seed=5, task="reply", **changes)  # type: ignore[arg-type]
        save(
            root / "reply" / name,
            model.config,
            weights_of(model),
            (None if name == "prior" else LETTERS, LETTERS),
            {"name": name},
            "float32",
        )
    return install(root)


def chat(at: AppTest) -> list[tuple[str, str]]:
    """Who said what."""
    return [(message.name, message.markdown[0].value) for message in at.chat_message]


def context(at: AppTest) -> str:
    found = at.query_params.get("context", "")
    return found if isinstance(found, str) else found[0]


@pytest.mark.parametrize(
    ("reply", "said", "shown"),
    [
        ("i don't know. i'm new here.", "Hi.", "I don't know. I'm new here."),
        ("tom is in paris on monday.", "Where is Tom?", "Tom is in Paris on Monday."),
        ("are you? yes, stop it", "Congratulations! Are you nervous? STOP IT NOW", "Are you? Yes, stop it"),
        ("", "Hi.", ""),
    ],
)
def test_capitals_are_those_of_sentences_and_names(reply: str, said: str, shown: str) -> None:
    assert capitalised(reply, said) == shown


def test_the_reply_follows_what_was_said_and_what_is_typed_follows_the_reply() -> None:
    at = open_page("reply", context="a bad egg")
    assert at.title[0].value == "Reply" and not errors(at)
    ((_, first), (who, reply)) = chat(at)
    assert (first, who) == ("a bad egg", "assistant")
    assert result(at) == capitalised(result(at).lower(), first)
    at.chat_input[0].set_value("feed <b>me</b> | now").run()
    assert not errors(at)
    assert turns_of(context(at)) == [turn for turn in ("a bad egg", result_of(reply), "feed <b>me</b> / now") if turn]
    assert chat(at)[-2] == ("user", plain("feed <b>me</b> / now"))  # text, and no markup
    assert [name for name, _ in chat(at)] == ["user", "assistant"] * (len(chat(at)) // 2)


def result_of(markdown: str) -> str:
    """A reply as it was before it was written as Markdown."""
    return "" if markdown == "…" else markdown.replace("\\", "")


def test_three_turns_are_read_and_the_page_says_which() -> None:
    at = open_page("reply", context=SAID)
    shown = player(at)
    assert shown is not None
    assert shown["player"]["parts"][0]["text"] == "feed a hen | had a bag | a bee"
    assert [one.value for one in at.caption if one.value == "From here on the model reads: the last 3 turns."]
    assert not [
        one.value
        for one in open_page("reply", context="a | b | c").caption
        if one.value == "From here on the model reads: the last 3 turns."
    ]


def test_an_earlier_turn_opens_with_what_stood_before_it() -> None:
    at = open_page("reply", context="a bad egg | feed a cab | a bee")
    at.button(key="open_2").click().run()
    shown = player(at)
    assert shown is not None and shown["player"]["parts"][0]["text"] == "a bad egg"
    assert result(at).lower() == "feed a cab"
    assert table(at, "What else it might have said") and not [one for one in at.caption if "Cut after" in one.value]
    at.button(key="open_0").click().run()
    assert player(at)["player"]["parts"][0]["text"] == "a bad egg | feed a cab | a bee"  # type: ignore[index]


def test_the_slider_ranks_the_stored_beam_and_calls_no_model(monkeypatch: pytest.MonkeyPatch) -> None:
    at = open_page("reply", context="a bad egg")
    (query,) = app.lab("reply").queries(state.values_of("context=a bad egg")).values()
    trace = resources.answer(query)
    asked = [expected(found.answer) for found in trace.hypotheses]
    assert all(asked)
    priors = [resources.answer(one).hypotheses[0].total for one in asked if one]
    orders = {weight: [place for place, _ in less_expected(trace, priors, weight)] for weight in (0.0, 1.0)}
    assert orders[0.0] == list(range(len(priors))) != orders[1.0]

    def refuse(*_: object) -> None:
        raise AssertionError("a model was called")

    monkeypatch.setattr("seq2seq_core.pipeline.Pipeline.stream_memory", refuse)
    monkeypatch.setattr("seq2seq_core.pipeline.Pipeline.score", refuse)
    at.slider(key="lambda").set_value(1.0).run()
    assert not errors(at) and not at.exception
    answers = [capitalised(trace.hypotheses[place].answer, "a bad egg") for place in orders[1.0]]
    assert texts(table(at, "What else it might have said")) == answers
    assert result(at) == answers[0]


@pytest.mark.parametrize(("typed", "said"), [("   ", "Nothing was typed"), ("a" * (LONGEST + 1), f"at most {LONGEST} are allowed")])
def test_empty_or_over_long_input_gets_a_sentence_and_changes_nothing(typed: str, said: str) -> None:
    at = open_page("reply", context="a bad egg")
    before = context(at)
    at.chat_input[0].set_value(typed).run()
    assert said in at.error[0].value and context(at) == before


def test_a_conversation_is_cleared_and_begun_with_an_example() -> None:
    at = open_page("reply", context=SAID)
    at.button(key="clear").click().run()
    assert not chat(at) and at.info[0].value.startswith("Say something")
    at.button(key="example_1").click().run()
    assert [view.tidied(turn.replace("\\", "")) for _, turn in chat(at)][:3] == turns_of(CONVERSATIONS[1].text)


def test_simple_shows_words_alone_and_a_lone_model_has_no_slider(models: Path, install: Install) -> None:
    at = open_page("reply", context="a bad egg", level="simple")
    assert not at.slider and not errors(at)
    for path in (models / "reply" / "prior").iterdir():
        path.unlink()
    (models / "reply" / "prior").rmdir()
    install(models)
    at = open_page("reply", context="a bad egg", **{"lambda": "0.5"})
    assert "lambda" not in [one.key for one in at.slider] and not errors(at)
    assert open_page("reply", context="a bad egg", search="sample").button(key="draw_anew")


def test_a_link_keeps_the_last_turns_alone() -> None:
    assert len(turns_of(conversation([f"turn {number}" for number in range(100)]))) == 40
