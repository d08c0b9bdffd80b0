"""Each kind of field makes something allowed of whatever a link or a session holds."""

from __future__ import annotations

from typing import Any

import pytest

from demo.fields import ChoiceField, Field, FlagField, ManyField, NameField, NumberField, TextField, WholeField

TEXT = TextField("text", "", "Hallo")
NAME = NameField("name", "", "additive")
CHOICE = ChoiceField("choice", "", "beam", choices=("greedy", "beam"))
MANY = ManyField("many", "", ("none",), most=3)
WHOLE = WholeField("whole", "", 5, low=1, high=10)
NUMBER = NumberField("number", "", 0.7, low=0.1, high=2.0)
FLAG = FlagField("flag", "", default=True)
OF_NO_USE = (None, [], {}, b"5", float("nan"), float("inf"), [["x"]])


@pytest.mark.parametrize(
    ("field", "written", "value"),
    [
        (TEXT, "", ""),
        (TEXT, "\x00", "\x00"),  # whether a model takes it is the pipeline's to say
        (TEXT, "<b>नमस्ते</b>", "<b>नमस्ते</b>"),
        (TEXT, "\ud800", "?"),
        (NAME, "dot", "dot"),
        (NAME, "", "additive"),
        (NAME, "<script>", "additive"),
        (NAME, "a\nb", "additive"),
        (NAME, "x" * 61, "additive"),
        (CHOICE, "greedy", "greedy"),
        (CHOICE, "Greedy", "beam"),
        (CHOICE, "", "beam"),
        (WHOLE, "7", 7),
        (WHOLE, "7.0", 7),
        (WHOLE, "7.5", 5),
        (WHOLE, "-5", 1),
        (WHOLE, "99999", 10),
        (WHOLE, "1e9", 10),
        (WHOLE, "1e400", 5),
        (WHOLE, "9" * 5000, 5),
        (WHOLE, "many", 5),
        (WHOLE, "", 5),
        (NUMBER, "1", 1.0),
        (NUMBER, "-1", 0.1),
        (NUMBER, "1e9", 2.0),
        (NUMBER, "nan", 0.7),
        (NUMBER, "x", 0.7),
        (FLAG, "FALSE", False),
        (FLAG, "perhaps", True),
        (FLAG, "0", True),
    ],
)
def test_what_is_written_becomes_allowed(field: Field[Any], written: str, value: object) -> None:
    assert field.read([written]) == field.clean(written) == value
    assert field.read(["?", written]) == value, "the last one counts"
    assert field.read([]) == field.default


@pytest.mark.parametrize(
    ("written", "value"),
    [
        (["dot"], ("dot",)),
        (["dot", "none", "dot"], ("dot", "none")),
        (list("abcde"), ("a", "b", "c")),
        ([""], ()),
        ([], ("none",)),
        (["x" * 61], ()),
        (["\ud800"], ("?",)),
    ],
)
def test_several_names_are_each_taken_once(written: list[str], value: tuple[str, ...]) -> None:
    assert MANY.read(written) == value
    assert MANY.read(MANY.write(value)) == value


@pytest.mark.parametrize("field", [TEXT, NAME, CHOICE, WHOLE, NUMBER, FLAG], ids=lambda field: field.key)
@pytest.mark.parametrize("value", OF_NO_USE, ids=repr)
def test_what_a_session_cannot_mean_is_the_default(field: Field[Any], value: object) -> None:
    assert field.clean(value) == field.default


@pytest.mark.parametrize("value", [True, False])
def test_yes_is_no_number(value: bool) -> None:
    assert (WHOLE.clean(value), NUMBER.clean(value), FLAG.clean(value)) == (5, 0.7, value)


def test_a_name_that_is_not_there_is_another_that_is() -> None:
    assert NAME.among("dot", ["none", "dot"]) == "dot"
    assert NAME.among("gone", ["none", "additive"]) == "additive"
    assert NAME.among("gone", ["none", "dot"]) == "none"
    assert NAME.among("gone", []) == "additive"
