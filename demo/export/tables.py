"""A table as a file: CSV that a spreadsheet opens without calculating anything, and Parquet, which keeps every value exactly."""

from __future__ import annotations

import io
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd

# What a spreadsheet would take for a formula. A number below 0 is no text, and stays.
FORMULA = re.compile(r"\s*[=+\-@＝＋－＠]|[\t\r\n]")


def to_csv(frame: pd.DataFrame) -> str:
    """An apostrophe before a text that would be a formula; nothing else is changed. Numbers are as long as they have to be."""
    from pandas.api.types import is_float_dtype, is_numeric_dtype

    safe = frame.copy()
    for name, column in frame.items():
        if is_float_dtype(column.dtype):
            safe[name] = [("" if value != value else str(value)) for value in column.to_numpy()]
        elif not is_numeric_dtype(column.dtype):
            safe[name] = [f"'{value}" if isinstance(value, str) and FORMULA.match(value) else value for value in column]
    text: str = safe.to_csv(index=False, lineterminator="\n")
    return text


def to_parquet(frame: pd.DataFrame) -> bytes:
    out = io.BytesIO()
    frame.to_parquet(out, index=False)
    return out.getvalue()
