"""What a training reports is read as it was written; anything else that stands on a line is no report."""

from __future__ import annotations

import json
import math
import subprocess
import sys
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as some

from seq2seq_core.toys.messages import Failed, Finished, Learnt, Report, Scored, Started, from_line, to_line, write_job

numbers = some.floats(allow_nan=False, allow_infinity=False)
reports: some.SearchStrategy[Report] = some.one_of(
    some.builds(Learnt, some.integers(0), some.lists(numbers).map(tuple), numbers, numbers),
    some.builds(
        Scored, some.integers(0), numbers, some.lists(some.tuples(*[some.integers(0)] * 3), max_size=3).map(tuple), numbers, numbers
    ),
    *(some.from_type(kind) for kind in get_args(Report) if not {"losses", "seconds"} & {field.name for field in fields(kind)}),
    some.builds(Finished, numbers, numbers),
)


@given(reports)
def test_a_report_is_read_as_it_was_written(report: Report) -> None:
    assert from_line(to_line(report) + "\n") == report


def test_a_number_that_is_none_is_not_written() -> None:
    for wrong in (math.nan, math.inf):
        with pytest.raises(ValueError, match="JSON compliant"):
            to_line(Learnt(1, (wrong,), 1.0, 1.0))


SCORED: dict[str, Any] = {"kind": "scored", **asdict(Scored(1, 0.5, ((3, 2, 1),), 1.0, 1.0))}


@pytest.mark.parametrize(
    "changes",
    [
        {"kind": "other"}, {"kind": None}, {"kind": ["scored"]}, {"more": 1}, {"step": "1"}, {"step": 1.0}, {"step": True}, {"step": None},
        {"exact": math.nan}, {"exact": math.inf}, {"exact": 10**400}, {"exact": "0.5"}, {"exact": True},
        {"by_length": [[1, 2]]}, {"by_length": 3}, {"by_length": "123"}, {"by_length": [[1, 2, 3.0]]}, {"by_length": {"1": [1, 2, 3]}},
    ],
    ids=str,
)  # fmt: skip
def test_a_value_of_another_form_is_no_report(changes: dict[str, Any]) -> None:
    assert from_line(json.dumps(SCORED)) == Scored(1, 0.5, ((3, 2, 1),), 1.0, 1.0)
    assert from_line(json.dumps(SCORED | changes)) is None


@pytest.mark.parametrize("name", sorted(SCORED))
def test_a_report_with_a_part_missing_is_none(name: str) -> None:
    assert from_line(json.dumps({key: value for key, value in SCORED.items() if key != name})) is None


@pytest.mark.parametrize("line", ["", "\n", "Warning: slow", "{", "[]", "3", "null", '"scored"', "[" * 100_000, '{"kind": "learnt"}'])
def test_a_line_that_something_else_printed_is_no_report(line: str) -> None:
    assert from_line(line) is None


@given(some.text())
def test_any_text_at_all_can_be_read(line: str) -> None:
    from_line(line)


def test_a_whole_number_may_stand_for_a_fraction() -> None:
    report = from_line('{"kind": "finished", "seconds": 3, "cpu_seconds": 2}')
    assert report == Finished(3.0, 2.0)
    assert isinstance(report, Finished) and type(report.seconds) is float


def test_the_kinds_have_names_of_their_own() -> None:
    lines = [to_line(report) for report in (Started(1, 2, "text"), Failed("no"))]
    assert [json.loads(line)["kind"] for line in lines] == ["started", "failed"]


def test_a_person_without_pairs_leaves_no_file_of_them(tmp_path: Path) -> None:
    write_job(tmp_path, {"toy": "copy"})
    assert [path.name for path in tmp_path.iterdir()] == ["job.json"]
    write_job(tmp_path, {"toy": "own pairs"}, "a\tb\n")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["job.json", "pairs.tsv"]


def test_reading_needs_no_torch() -> None:
    asked = "import sys, seq2seq_core.toys.messages; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", asked], check=False).returncode == 0
