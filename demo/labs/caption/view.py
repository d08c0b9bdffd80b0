"""The blocks of the Caption page: the photo's row, the result with its player, and what one can go on with."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import streamlit as st

from demo import assets, controls, resources, state
from demo.assets import SAMPLES, SHOWN_SIDE, SMALL_SIDE
from demo.blocks import comparison, widgets
from demo.blocks.comparison import Entry
from demo.blocks.widgets import LOG_P, signed
from demo.components import with_id
from demo.components.outputs.mount import Figure, output_line, output_table
from demo.components.player.data import PlayerLayout, clock_data, player_data
from demo.components.player.mount import attention_player
from demo.query import Asset, Query
from demo.wording import plain

if TYPE_CHECKING:
    from seq2seq_core.store.zoo import ModelInfo
    from seq2seq_core.trace.trace import DecodeTrace

TASK = "captioning"
UPLOAD, CAMERA = "photo_file", "photo_camera"
MAX_MEGABYTES = 8
PHOTO_HEIGHT, SMALL_HEIGHT = 430, 280  # pixels
LEARNT = (
    "These models learnt from 8,000 photos, mostly of people, dogs and outdoor scenes (Flickr8k: 6,000 to learn from, 1,000 to choose by). "
    "They will be wrong about much else, and they say it with the same confidence."
)
EXPORTS = {
    "html": ("Player, one HTML file", "text/html"),
    "png": ("Contact sheet, PNG", "image/png"),
    "gif": ("Animation, GIF", "image/gif"),
    "csv": ("Weights, CSV", "text/csv"),
    "json": ("Whole trace, JSON", "application/json"),
}


def heading(title: str = "Caption") -> None:
    """The title and, on the same line, the way in for an own photo, and the samples."""
    with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
        st.title(title, anchor=False, width="content")
        photo_row()


def photo_row() -> None:
    """The way in for an own photo, and the samples."""
    with st.popover("Your photo", icon=":material/add_a_photo:", width="content"):
        _own_photo()
    with st.container(horizontal=True, width="stretch", gap="small"):
        for sample in SAMPLES:
            st.button(
                sample.title,
                key=f"sample_{sample.name}",
                type="tertiary",
                help=plain(sample.credit),
                on_click=_sample,
                args=(sample.name,),
            )


def _sample(name: str) -> None:
    assets.take_sample(name)
    widgets.play()


def _upload(key: str) -> None:
    before = st.session_state.get(state.OWN_PHOTO)
    assets.take_upload(key)
    if st.session_state.get(state.OWN_PHOTO) != before:
        widgets.play()


def shown_photo() -> Asset:
    """The page's photo; what was wrong with the last upload is said."""
    wrong = assets.error()
    if wrong:
        st.error(wrong, icon=":material/error:")
    return assets.shown()


def source_row() -> tuple[str, Query | None]:
    """The model and the search, in one row: the model's attention and what is asked."""
    infos = {info.variant: info for info in resources.installed(TASK)}
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        with st.container(width=190):
            model_id = widgets.model_menu(state.CAPTION_MODEL, TASK)
        info = infos.get(model_id.partition("/")[2])
        attention = info.attention if info else ""
        with st.container(width="stretch"):
            settings = controls.search_settings(glimpse=attention == "hard")
    shown = shown_photo()
    if attention != "hard":
        settings = replace(settings, glimpse="argmax", seed=settings.seed if settings.search == "sample" else 0)
    return attention, Query(model_id, (shown,), settings=settings) if info else None


def _own_photo() -> None:
    st.file_uploader("A JPEG, PNG or WebP file", key=UPLOAD, max_upload_size=MAX_MEGABYTES, on_change=_upload, args=(UPLOAD,))
    if st.toggle("Use the camera", key="camera_on"):
        st.camera_input("Camera", key=CAMERA, on_change=_upload, args=(CAMERA,))
    st.caption("It is read here, kept in memory for as long as you look at it, and sent nowhere.")


def result(query: Query) -> DecodeTrace:
    """The caption, its player with one picture per word, and the files one can take along."""
    photo = query.given[0]
    assert isinstance(photo, Asset)
    shown = widgets.showing("caption", query)
    trace = widgets.trace_of(query)
    hypothesis = widgets.hypothesis_of(trace)
    found = trace.hypotheses[hypothesis]
    each = Figure("per token", signed(found.total / found.length), "The log-probability divided by the number of tokens.")
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        with st.container(width="stretch"):
            output_line(found.text, [replace(LOG_P, value=signed(found.total)), each], key="result")
        export_menu(trace, hypothesis, photo)
    layout = PlayerLayout(height=PHOTO_HEIGHT)
    widgets.player(trace, hypothesis, shown, layout=layout, image_url=assets.url(photo, SHOWN_SIDE))
    st.caption(f"Photo: {plain(assets.credit(photo))}. {LEARNT}")
    return trace


def export_menu(trace: DecodeTrace, hypothesis: int, photo: Asset) -> None:
    """The caption as a file. A file is only made when someone takes it."""
    options = state.player_options()

    def made(kind: str) -> str | bytes:
        from demo.export import files as export
        from demo.export import overlay

        files: dict[str, Callable[[], str | bytes]] = {
            "html": lambda: export.to_html(
                trace,
                hypothesis,
                image_url=assets.url(photo, SHOWN_SIDE),
                options=options,
                title=trace.text(hypothesis),
            ),
            "png": lambda: overlay.contact_sheet(assets.image(photo), trace, hypothesis, paint=options.paint, strength=options.strength),
            "gif": lambda: overlay.animation(assets.image(photo), trace, hypothesis, paint=options.paint, strength=options.strength),
            "csv": lambda: export.to_csv(trace, hypothesis),
            "json": lambda: export.to_json(trace),
        }
        return files[kind]()

    with st.popover("Export", width="content"):
        for kind, (label, mime) in EXPORTS.items():
            name = widgets.file_name(trace, kind)
            st.download_button(label, partial(made, kind), name, mime, key=f"export_{kind}", on_click="ignore", width="stretch")


def beside(entries: list[Entry], url: str | None, *, group: str) -> None:
    """Several captions of one photo, under one cursor."""
    options = replace(state.player_options(), step=None)
    parted = comparison.partings([entry.trace for entry in entries])
    led = PlayerLayout(sync=group)
    steps = max(comparison.steps_of(entry.trace, options.words) for entry in entries)
    attention_player(clock_data(steps), key=f"{group}_clock", options=options, layout=led)
    follows = replace(led, controls=False, panel=False, height=SMALL_HEIGHT)
    for place, entry, step in zip(st.columns(len(entries), gap="small"), entries, parted, strict=True):
        with place:
            data = player_data(entry.trace, variant=entry.info.variant, image_url=url, diverges=step, title=entry.name)
            if entry.trace.settings.glimpse == "expected":  # every cell was seen: there is no spot to number
                data = with_id({name: value for name, value in data.items() if name != "id"} | {"glimpses": []})
            attention_player(data, key=f"{group}_{entry.name.replace(' ', '_')}", options=options, layout=follows)
    output_table(comparison.rows(entries, parted), comparison.columns(entries[0]), key=f"{group}_table", title="Captions")


def variants(query: Query) -> None:
    """The same photo through several models."""
    infos: dict[str, ModelInfo] = {info.variant: info for info in resources.installed(TASK)}
    chosen = controls.several(state.PHOTO_MODELS, list(infos))
    if not chosen:
        st.info("Choose at least one variant.", icon=":material/view_column:")
        return
    for name in chosen:
        widgets.load(infos[name].id)
    asked = {name: replace(query, model_id=infos[name].id) for name in chosen}
    beside(
        [Entry(name, infos[name], resources.answer(each)) for name, each in asked.items()],
        assets.url(query.asset, SMALL_SIDE),
        group="variants",
    )


def glimpses(query: Query, attention: str) -> None:
    """Hard attention: where it drew its glimpses, beside the exact expectation over all of them."""
    if attention != "hard":
        st.info("Choose a model with hard attention above: it looks at one cell of the grid for each word.", icon=":material/visibility:")
        return
    settings = query.settings
    with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
        st.button("New seed", key="new_seed", icon=":material/casino:", on_click=_new_seed)
        seed = state.current(state.SEED)
        st.caption(f"Seed {seed}. Left: each word saw only its numbered spot. Right: each word saw every cell, weighted by its chance.")
    drawn = replace(query, settings=replace(settings, glimpse="sample", seed=seed))
    exact = replace(query, settings=replace(settings, glimpse="expected", seed=settings.seed if settings.search == "sample" else 0))
    info = next(info for info in resources.installed(TASK) if info.id == query.model_id)
    asked = {"sampled glimpses": drawn, "exact expectation": exact}
    beside(
        [Entry(name, info, resources.answer(each)) for name, each in asked.items()], assets.url(query.asset, SMALL_SIDE), group="glimpses"
    )


def _new_seed() -> None:
    state.assign(state.SEED, (state.current(state.SEED) + 1) % state.SEED.high)
