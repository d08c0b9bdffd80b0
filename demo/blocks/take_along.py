"""Below a table that is read: the same numbers to sort, to copy and to save. Nothing of it is made before it is opened."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

import streamlit as st

from demo.export.tables import to_csv, to_parquet

if TYPE_CHECKING:
    import pandas as pd

LABEL = "Sort, copy or save"


def take_along(make: Callable[[], pd.DataFrame], *, key: str, name: str, tips: Mapping[str, str] | None = None, label: str = LABEL) -> None:
    """`name`: of the files, and for who cannot see the table; `tips`: what a column says, by its name."""
    place = st.expander(label, icon=":material/table_view:", key=f"{key}_open", on_change="rerun")
    if not place.open:
        return
    frame = make()
    with place:
        heads = {column: st.column_config.Column(help=tip) for column, tip in (tips or {}).items() if column in frame}
        st.dataframe(frame, hide_index=True, column_config=heads, key=f"{key}_frame", alt=name)
        file = name.lower().replace(" ", "-")
        with st.container(horizontal=True, gap="small"):
            st.download_button("CSV", lambda: to_csv(frame), f"{file}.csv", "text/csv", key=f"{key}_csv", on_click="ignore")
            parquet = "application/vnd.apache.parquet"
            st.download_button("Parquet", lambda: to_parquet(frame), f"{file}.parquet", parquet, key=f"{key}_parquet", on_click="ignore")
