"""The export menu: an answer as a file, in the forms that its source can take. A file is only made when someone takes it."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING

import streamlit as st

from demo import state
from demo.components.player.data import PlayerOptions
from demo.given import assets
from demo.query import Asset

if TYPE_CHECKING:
    from seq2seq_core.trace.trace import DecodeTrace

MIMES = {
    "html": "text/html", "map.html": "text/html", "png": "image/png", "svg": "image/svg+xml", "gif": "image/gif", "csv": "text/csv",
    "parquet": "application/vnd.apache.parquet", "candidates.csv": "text/csv", "json": "application/json",
}  # fmt: skip
TABLES = {"csv": "Weights, CSV", "parquet": "Weights, Parquet", "candidates.csv": "Candidates, CSV", "json": "Whole trace, JSON"}
OPENED = "export_opened"
COUNTING = "Steps and source positions count from 1, as on the page."
TEXT = {
    "html": "Player, one HTML file",
    "map.html": "Map to explore, HTML (5 MB)",
    "png": "Picture, PNG",
    "svg": "Picture, SVG",
    "gif": "Animation, GIF",
    **TABLES,
}
PHOTO = {
    "html": "Player, one HTML file",
    "png": "Contact sheet, PNG",
    "gif": "Animation, GIF",
    **TABLES,
}


def export_menu(trace: DecodeTrace, hypothesis: int, *, asset: Asset | None = None) -> None:
    """Nothing of it is drawn before it is opened: nine buttons cost every answer as much as its scores and its table do."""
    place = st.popover("Export", width="stretch", key=OPENED, on_change="rerun")
    if not place.open:
        return
    options = state.player_options()
    with place:
        for kind, label in (PHOTO if asset else TEXT).items():
            name, content = file_name(trace, kind), partial(made, kind, trace, hypothesis, asset, options)
            tip = COUNTING if MIMES[kind] == MIMES["csv"] or kind == "parquet" else None
            st.download_button(label, content, name, MIMES[kind], key=f"export_{kind}", help=tip, on_click="ignore", width="stretch")


def made(kind: str, trace: DecodeTrace, hypothesis: int, asset: Asset | None, options: PlayerOptions) -> str | bytes:
    """The file of a kind, as the player shows the answer."""
    from demo.export import files, film, overlay, tables

    if kind == "json":
        return files.to_json(trace)
    if kind == "csv":
        return tables.to_csv(trace.to_frame(hypothesis))
    if kind == "parquet":
        return tables.to_parquet(trace.to_frame(hypothesis))
    if kind == "candidates.csv":
        return tables.to_csv(trace.candidates_frame(hypothesis))
    if kind == "html":
        url, title = assets.url(asset, assets.SHOWN_SIDE), trace.text(hypothesis) if asset else ""
        return files.to_html(trace, hypothesis, image_url=url, sound_url=assets.sound_url(asset), options=options, title=title)
    if asset:
        draw = overlay.animation if kind == "gif" else overlay.contact_sheet
        return draw(assets.image(asset), trace, hypothesis, paint=options.paint, strength=options.strength)
    if kind == "map.html":
        from demo.export import chart

        return chart.page(trace, hypothesis, words=options.words)
    if kind == "gif":
        return film.decoding(trace, hypothesis, words=options.words, numbers=options.numbers)
    draw_map = files.to_svg if kind == "svg" else files.to_png
    return draw_map(trace, hypothesis, words=options.words, numbers=options.numbers)


def file_name(trace: DecodeTrace, kind: str) -> str:
    """Model and source, in signs that every file system takes."""
    words = re.sub(r"[^\w]+", "-", f"{trace.model_id} {trace.given_text or trace.text()}").strip("-").lower()
    return f"{words[:60]}.{kind}"
