"""Tables as files: the numbers of the trace, exactly; and no cell that a spreadsheet would calculate."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest

from demo.export.tables import to_csv, to_parquet
from seq2seq_core.trace.trace import DecodeTrace
from tests.demo.traces import dog_trace, image_source, make_trace, premise_trace, question_trace, text_source

HOSTILE = [
    " <script>&amp;$x$",
    '=HYPERLINK("http://a","b")',
    " +1",
    "@SUM(A1)",
    "-2",
    "\tx",
    "＝1",
    'a "quoted", token',
    "two\nlines",
    "</s>",
]
TRACES: dict[str, Callable[[], DecodeTrace]] = {
    "dog": dog_trace,
    "several": premise_trace,
    "asked": question_trace,
    "photo": lambda: make_trace([" a", "</s>"], image_source(2, 2, (40, 40)), task="captioning"),
    "none": lambda: make_trace([" a", "</s>"], text_source(["x", " y"]), heads=0),
    "language": lambda: make_trace([" a", "</s>"], task="language"),
}


def lines_of(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text, newline="")))


@pytest.mark.parametrize("kind", TRACES)
def test_csv_has_every_number_so_that_it_reads_back_the_same(kind: str) -> None:
    frame = TRACES[kind]().to_frame()
    lines = lines_of(to_csv(frame))
    assert list(lines[0]) == list(frame.columns)
    assert len(lines) == len(frame)
    for name, as_it_was in (("logprob", np.float64), ("total", np.float64), ("weight", np.float32)):
        read = np.array([float(line[name] or "nan") for line in lines], dtype=as_it_was)
        np.testing.assert_array_equal(read, frame[name].to_numpy())
    assert [int(line["step"]) for line in lines] == frame["step"].tolist()
    assert [line["token"] for line in lines] == frame["token"].tolist()


def test_numbers_are_not_longer_than_they_have_to_be() -> None:
    assert lines_of(to_csv(pd.DataFrame({"weight": np.array([0.1, 1e-7], dtype=np.float32)}))) == [{"weight": "0.1"}, {"weight": "1e-07"}]


@pytest.mark.parametrize("kind", TRACES)
def test_parquet_comes_back_equal(kind: str) -> None:
    for frame in (TRACES[kind]().to_frame(), TRACES[kind]().candidates_frame()):
        pd.testing.assert_frame_equal(pd.read_parquet(io.BytesIO(to_parquet(frame))), frame, check_dtype=False)


def test_no_text_is_a_formula_and_no_other_text_is_changed() -> None:
    trace = make_trace(HOSTILE, text_source(["=1", " <b>", " $y$"]))
    for frame in (trace.to_frame(), trace.candidates_frame(), trace.hypotheses_frame()):
        for line, row in zip(lines_of(to_csv(frame)), frame.itertuples(index=False), strict=True):
            for name, cell in line.items():
                given = getattr(row, name)
                if not isinstance(given, str):
                    continue
                formula = given.strip()[:1] in set("=+-@＝") or given[0] in "\t\r\n"
                assert cell == (f"'{given}" if formula else given)
    starts = [cell[:1] for line in lines_of(to_csv(trace.to_frame())) for cell in (line["token"], line["source_token"])]
    assert not set(starts) & set("=+-@\t＝") and "'" in starts


def test_a_number_below_0_stays_a_number() -> None:
    assert to_csv(pd.DataFrame({"logprob": [-1.5], "token": ["-1.5"]})) == "logprob,token\n-1.5,'-1.5\n"
