"""Where a link leads whose page has moved since it was copied."""

from __future__ import annotations

from urllib.parse import parse_qs

OF_THE_TIME_MACHINE = {"plays", "after_step"}  # it stood on Train, open, unless the link named another tab


def moved(page: str, query: str) -> str:
    """The page that has what the link was copied for. What the link says is the same there."""
    if page != "train":
        return page
    said = parse_qs(query, keep_blank_values=True)
    return "time_machine" if OF_THE_TIME_MACHINE & set(said) and "tab" not in said else page
