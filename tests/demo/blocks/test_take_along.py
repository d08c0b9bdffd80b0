"""The tables that can be sorted, copied and saved: made when they are opened, with the numbers that the page writes."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from demo.blocks.take_along import LABEL
from tests.demo.pages import open_page


def small() -> None:
    import pandas as pd
    import streamlit as st

    from demo.blocks.take_along import take_along

    def make() -> pd.DataFrame:
        st.session_state["made"] = True
        return pd.DataFrame({"output": ["=1+1", "<b>"], "logprob": [-1.0, -2.5]})

    take_along(make, key="small", name="Two outputs", tips={"logprob": "Of all of it.", "absent": "x"})


def opened(at: AppTest, key: str) -> pd.DataFrame:
    at.session_state[f"{key}_open"] = True
    at.run()
    assert not at.exception
    (found,) = at.dataframe
    table: pd.DataFrame = found.value
    return table


def test_nothing_is_made_before_it_is_opened() -> None:
    at = AppTest.from_function(small, default_timeout=60).run()
    assert [one.label for one in at.expander] == [LABEL]
    assert "made" not in at.session_state and not at.dataframe
    table = opened(at, "small")
    assert table["output"].tolist() == ["=1+1", "<b>"] and table["logprob"].tolist() == [-1.0, -2.5]
    assert [button.proto.label for button in at.get("download_button")] == ["CSV", "Parquet"]


@pytest.mark.parametrize(
    ("page", "values", "key", "columns"),
    [
        ("translate", {}, "n_best_numbers", ["hypothesis", "output", "score", "logprob", "tokens"]),
        ("steer", {"sentence": "Das gefällt mir.", "node": 0}, "ranked_numbers", ["place", "output", "score", "logprob", "before"]),
        (
            "compare", {"sentence": "Das gefällt mir.", "variants": ["none", "additive"]}, "figures_numbers",
            ["name", "output", "logprob", "entropy_bits", "coverage", "milliseconds", "parameters", "dev_score"],
        ),
        (
            "steer", {"sentence": "Das gefällt mir.", "part": "beam sizes"}, "sizes_numbers",
            ["beam", "output", "score", "logprob", "tokens", "nodes"],
        ),
    ],
)  # fmt: skip
def test_pages_give_their_tables_as_numbers(page: str, values: dict[str, Any], key: str, columns: list[str]) -> None:
    table = opened(open_page(page, **values), key)
    assert table.columns.tolist() == columns
    assert len(table) > 1
    assert table["output"].map(type).eq(str).all()
    assert table["logprob"].lt(0).all() and table["logprob"].dtype == "float64"
