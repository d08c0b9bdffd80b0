"""What a student may do: exact to undo, whole in the link, and nothing changes when a row is given back."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from demo import state
from demo.edits import read_edits, write_edits
from demo.labs.steer.edits import Entry, History, begun, chosen_steps, force, hide, one_hot, put_all_rows, put_row, remove_row
from demo.labs.steer.view import differing
from seq2seq_core.config import DecodeSettings
from seq2seq_core.trace.steering import RowEdit, Steering
from tests.core.invariants import tiny_pipeline
from tests.core.trace.test_steering import steerings

TEXT = "abc d"
SETTINGS = DecodeSettings(beam_size=4, max_length=8)


@given(steering=steerings(), node=st.integers(-1, 4000), kept=st.integers(1, 10), length=st.sampled_from([0.0, 0.3, 0.7, 1.5]))
def test_a_link_holds_the_whole_edited_state(steering: Steering, node: int, kept: int, length: float) -> None:
    values = {"sentence": "Ein Hund; läuft & =", "edits": write_edits(steering), "node": node, "kept": kept, "rank_length": length}
    read = state.values_of(state.query_of(values))
    assert {key: read[key] for key in values} == values
    assert read_edits(read["edits"]) == steering


@given(steering=steerings())
@settings(max_examples=20)
def test_a_link_gives_the_same_trace(steering: Steering) -> None:
    pipeline = tiny_pipeline(3, eos=-2.0)
    again = read_edits(state.values_of(state.query_of({"edits": write_edits(steering)}))["edits"])
    assert pipeline.decode(TEXT, SETTINGS, again).nodes == pipeline.decode(TEXT, SETTINGS, steering).nodes


def test_undo_gives_the_exact_earlier_trace() -> None:
    pipeline = tiny_pipeline(3, eos=-2.0)
    known, steering, traces = History(), Steering(), []
    for step, change in enumerate((lambda s: force(s, (4,), (6,)), lambda s: put_row(s, (4, 6), one_hot(5, 2)), lambda s: hide(s, [1]))):
        traces.append(pipeline.decode(TEXT, SETTINGS, steering).nodes)
        steering = change(steering)
        known = known.push(Entry(steering, step))
    for nodes in reversed(traces):
        assert known.can_undo
        known = known.undo()
        assert pipeline.decode(TEXT, SETTINGS, known.now.edits).nodes == nodes
    assert not known.can_undo
    assert known.redo().redo().redo().now.edits == steering


def test_a_new_edit_forgets_what_was_undone() -> None:
    five, six, seven = (Steering(tokens=((0, token),)) for token in (5, 6, 7))
    known = History().push(Entry(five)).push(Entry(six)).undo().push(Entry(seven))
    assert [entry.edits for entry in known.entries] == [Steering(), five, seven]
    assert not known.can_redo
    assert begun(("a", "b"), SETTINGS, five, 3).undo().now == Entry()
    assert not begun(("a", "b"), SETTINGS, Steering(), 3).can_undo


@pytest.mark.parametrize("search", ["greedy", "beam"])
def test_giving_a_row_back_gives_the_same_trace(search: str) -> None:
    pipeline, how = tiny_pipeline(3, eos=-2.0), replace(SETTINGS, search=search)
    trace = pipeline.decode(TEXT, how)
    own = trace.token_ids()
    for step in range(len(own)):
        edited = put_row(Steering(), own[:step], one_hot(5, step % 5))
        assert edited.prefix == own[:step]
        assert pipeline.decode(TEXT, how, edited).attention()[step].tolist() == list(one_hot(5, step % 5))
        assert remove_row(edited, step, own) == Steering()
        assert pipeline.decode(TEXT, how, remove_row(edited, step, own)).nodes == trace.nodes


def test_giving_a_row_back_keeps_a_forced_word() -> None:
    forced = force(Steering(), (4,), (9,))
    assert remove_row(put_row(forced, (4, 9), one_hot(5, 0)), 2, (4, 5, 6)) == forced


def test_forcing_keeps_the_beginning() -> None:
    pipeline = tiny_pipeline(3, eos=-2.0)
    own = pipeline.decode(TEXT, SETTINGS).token_ids()
    steering = force(Steering(tokens=((6, 5),)), own[:2], (9, 8))
    trace = pipeline.decode(TEXT, SETTINGS, steering)
    assert trace.token_ids()[:4] == (*own[:2], 9, 8)
    assert chosen_steps(steering, trace, own)[0] == 2
    assert chosen_steps(Steering(), pipeline.decode(TEXT, SETTINGS), own) == []


def test_rows_of_an_oracle() -> None:
    steering = put_all_rows(Steering(prefix=(4,), hidden=(1,)), [one_hot(5, 0), None, one_hot(5, 3)])
    assert steering == Steering(rows=(RowEdit(0, one_hot(5, 0)), RowEdit(2, one_hot(5, 3))), hidden=(1,))


def test_hiding_a_word_drops_the_rows_that_live_on_it() -> None:
    steering = Steering(rows=(RowEdit(0, one_hot(5, 1)), RowEdit(1, (0.5, 0.5, 0, 0, 0))))
    assert hide(steering, [1]) == Steering(rows=(RowEdit(1, (0.5, 0.5, 0, 0, 0)),), hidden=(1,))


def test_what_two_sentences_do_not_share() -> None:
    def marked(one: str, other: str) -> tuple[str, str]:
        (a, b), (c, d) = differing(one, other)
        assert a <= b <= len(one) and c <= d <= len(other)
        return one[a:b], other[c:d]

    assert marked("A man in a red shirt.", "A man in a blue shirt.") == ("red", "blue")
    assert marked("A man.", "A man.") == ("", "")
    assert marked("A man sleeps.", "A dog barks loudly.") == ("man sleeps.", "dog barks loudly.")
    assert marked("The very old man", "The old man") == ("very", "")
    assert marked("", "A") == ("", "A")
