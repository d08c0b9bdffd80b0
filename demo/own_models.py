"""Trained models of a visitor: downloading one, loading one again, and decoding with it."""

from __future__ import annotations

import hashlib
import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import streamlit as st

from demo import state
from demo.components.player import attention_player
from demo.components.player_data import PlayerLayout, player_data
from demo.plain import plain
from demo.time_machine import given, open_model
from demo.worker import ENDED
from seq2seq_core.errors import InputError

if TYPE_CHECKING:
    from demo.runs import Run
    from seq2seq_core.pipeline import Pipeline

UPLOADED = "uploaded_model"
MAX_MEGABYTES = 16


def block(run: Run | None) -> None:
    """The tab: the models of the run to download, and a place for one from before."""
    left, right = st.columns([1, 2], gap="large")
    with left:
        downloads(run)
        st.file_uploader("Load a model", type=["zip"], key=UPLOADED, max_upload_size=MAX_MEGABYTES)
    with right:
        decode_loaded()


def downloads(run: Run | None) -> None:
    if run is None or run.stage not in ENDED:
        st.write("When a training has ended, its model can be downloaded here: safetensors and JSON in one zip file.")
        return
    from seq2seq_core.upload import pack_model

    for worker in run.workers:
        folder = worker.folder / "model"
        if folder.exists():
            name = f"{run.toy}-{worker.name}"
            st.download_button(
                f"Download {name}", pack_model(folder), f"{name}.zip", "application/zip", key=f"download_{worker.name}", on_click="ignore"
            )


@st.cache_resource(max_entries=8, show_spinner=False)
def _loaded(fingerprint: str, _data: bytes) -> Pipeline:  # noqa: ARG001  whose file it is
    """Whoever has the same file may share what was made of it."""
    from seq2seq_core.upload import unpack_model

    folder = Path(tempfile.mkdtemp(prefix="model-"))
    try:
        unpack_model(_data, folder)
        return open_model(folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def decode_loaded() -> None:
    """The loaded model with an input of its own."""
    uploaded = st.session_state.get(UPLOADED)
    if uploaded is None:
        return
    try:
        data = uploaded.getvalue()
        pipeline = _loaded(hashlib.sha256(data).hexdigest(), data)
        toy = str((pipeline.card.get("toy") or {}).get("toy", ""))
        text = st.text_input("Input for the loaded model", key="loaded_input", value=_example(toy))
        st.caption(f"{plain(str(pipeline.card.get('name', 'model')))}, {pipeline.model.parameter_count:,} weights")
        from demo import resources

        with resources.my_turn():
            trace = pipeline.decode(given(toy, text), state.current_settings())
        st.subheader(plain(trace.text()) or "(nothing)", anchor=False)
        data_url = _picture_url(text) if toy == "shapes" else None
        attention_player(player_data(trace, image_url=data_url), key="loaded_player", layout=PlayerLayout(height=360))
    except InputError as error:
        st.error(plain(str(error)), icon=":material/error:")


def _picture_url(text: str) -> str:
    from demo.training_data import picture_url

    return picture_url(text)


def _example(toy: str) -> str:
    from seq2seq_core.toys import TOYS

    return TOYS[toy].example if toy in TOYS else ""
