"""State to URL to state: nothing is lost on the way, and nothing a URL may hold does harm."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from demo import state
from demo.components.player.data import PlayerOptions
from demo.fields import ChoiceField, Field, FlagField, ManyField, NameField, NumberField, RowField, TextField, WholeField
from demo.query import Query
from seq2seq_core.config import MAX_BEAM, DecodeSettings

ANYTHING = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.text(), st.binary(), st.lists(st.text()), st.lists(st.integers())
)


def values(field: Field[Any]) -> st.SearchStrategy[Any]:
    """Allowed values of a field."""
    match field:
        case TextField():
            return st.text(st.characters(exclude_categories=["Cs"]))
        case NameField():
            return st.just(field.default) | st.from_regex(r"[a-z0-9][a-z0-9_/-]{0,40}", fullmatch=True)
        case RowField():
            return st.sampled_from(field.names())
        case ChoiceField():
            return st.sampled_from(field.choices)
        case ManyField():
            return st.lists(
                st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=20), unique=True, max_size=field.most
            ).map(tuple)
        case WholeField():
            return st.integers(field.low, field.high)
        case NumberField():
            return st.floats(field.low, field.high)
        case FlagField():
            return st.booleans()
    raise AssertionError(field)


@given(st.fixed_dictionaries({field.key: values(field) for field in state.FIELDS}))
def test_a_link_opens_the_state_it_was_made_from(wanted: dict[str, Any]) -> None:
    assert state.values_of(state.query_of(wanted)) == wanted


@given(st.dictionaries(st.sampled_from([field.key for field in state.FIELDS]) | st.text(max_size=10), st.lists(st.text(), max_size=4)))
def test_no_url_is_refused_and_every_value_is_in_range(written: dict[str, list[str]]) -> None:
    found = state.values_of(written)
    assert set(found) == {field.key for field in state.FIELDS}
    for field in state.FIELDS:
        assert field.clean(found[field.key]) == found[field.key]
    assert isinstance(state.settings_of(found), DecodeSettings)
    assert state.values_of(state.query_of(found)) == found


@given(st.sampled_from(state.FIELDS), ANYTHING)
def test_clean_takes_anything_and_is_idempotent(field: Field[Any], value: object) -> None:
    clean = field.clean(value)
    assert type(clean) is type(field.default)
    assert field.clean(clean) == clean
    assert field.read(field.write(clean)) == clean


@given(st.text())
def test_any_query_string_can_be_read(query: str) -> None:
    state.values_of(query)


@pytest.mark.parametrize(
    ("query", "key", "value"),
    [
        ("beam=999", "beam", 10),
        ("beam=-3", "beam", 1),
        ("beam=many", "beam", 5),
        ("beam=", "beam", 5),
        ("beam=2&beam=3", "beam", 3),
        ("beam=3.0", "beam", 3),
        ("beam=3.5", "beam", 5),
        ("length=nan", "length", 0.7),
        ("length=inf", "length", 0.7),
        ("length=1e400", "length", 0.7),
        ("temperature=0", "temperature", 0.1),
        ("search=exhaustive", "search", "beam"),
        ("numbers=TRUE", "numbers", True),
        ("numbers=yes", "numbers", False),
        ("sentence=", "sentence", ""),
        ("sentence=%ED%A0%80", "sentence", "\ufffd\ufffd\ufffd"),
        ("model=%3Cscript%3E", "model", "additive"),
        ("variants=dot&variants=dot&variants=none", "variants", ("dot", "none")),
        ("variants=", "variants", ()),
        ("nonsense=1", "beam", 5),
    ],
)
def test_what_a_wrong_link_gives(query: str, key: str, value: object) -> None:
    assert state.values_of(query)[key] == value


def test_keys_are_unique_and_fit_a_url() -> None:
    keys = [field.key for field in state.FIELDS]
    assert len(keys) == len(set(keys)) == len(state.fields())
    assert all(key.isidentifier() and key == key.lower() for key in keys)
    assert not {"embed", "embed_options"} & set(keys), "Streamlit keeps these for itself"


@pytest.mark.parametrize(
    "field", [field for field in state.FIELDS if isinstance(field, WholeField | NumberField)], ids=lambda field: field.key
)
def test_defaults_are_in_range(field: WholeField | NumberField) -> None:
    assert field.low <= field.default <= field.high
    if isinstance(field, NumberField):
        steps = (field.default - field.low) / field.step
        assert math.isclose(steps, round(steps), abs_tol=1e-6), "a slider could not come back to its default"


def test_defaults_are_the_defaults_of_the_core() -> None:
    assert state.settings_of(state.values_of("")) == DecodeSettings()
    assert state.BEAM.high <= MAX_BEAM


def test_settings_hold_only_what_the_search_uses() -> None:
    one = state.values_of("search=greedy&beam=3&temperature=0.5&seed=7")
    assert state.settings_of(one) == DecodeSettings(search="greedy")
    other = state.values_of("search=sample&beam=3&temperature=0.5&top_k=5&top_p=0.9&seed=7&max_length=40")
    assert state.settings_of(other) == DecodeSettings(search="sample", temperature=0.5, top_k=5, top_p=0.9, seed=7, max_length=40)
    assert state.settings_of(state.values_of("search=greedy&glimpse=sample&seed=7")) == DecodeSettings(
        search="greedy", glimpse="sample", seed=7
    )


def test_a_link_is_short_and_readable() -> None:
    assert state.link("translate", {}) == "translate"
    assert state.link("translate", {"sentence": "Guten Morgen.", "beam": 3}) == "translate?sentence=Guten+Morgen.&beam=3"


def test_player_fields_are_the_players_options() -> None:
    assert {field.key for field in state.PLAYER} == set(PlayerOptions().to_dict())


def test_requests_are_equal_when_their_parts_are() -> None:
    one = Query("translation/additive", ("Guten Morgen.",), settings=DecodeSettings(beam_size=3))
    assert one == Query("translation/additive", ("Guten Morgen.",), settings=DecodeSettings(beam_size=3))
    assert hash(one) != hash(Query("translation/additive", ("Guten Abend.",), settings=DecodeSettings(beam_size=3)))
