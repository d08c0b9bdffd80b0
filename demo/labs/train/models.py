"""The tab of a visitor's own models: download one, load one again, and open it on the pages that decode."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from demo import resources, state
from demo.blocks.player import player
from demo.components.player.data import PlayerLayout
from demo.errors import sentence_of
from demo.own import models as my_models
from demo.own.models import MyModel
from demo.own.training import ENDED
from demo.visitors import switches
from demo.wording import plain
from seq2seq_core.errors import InputError

if TYPE_CHECKING:
    from demo.own.runs import Run

UPLOADED = "uploaded_model"
MAX_MEGABYTES = 16
OPENED_IN = {"translate": "Translate", "compare": "Compare", "steer": "Steer", "language_model": "Language model"}


def block(run: Run | None, text: str) -> None:
    """The models of this session, and a place for one from before."""
    if not switches.on("own-models"):
        st.info("Opening models of one's own is turned off on this computer.", icon=":material/info:")
        return
    left, right = st.columns([1, 2], gap="large")
    with left:
        st.file_uploader("Load a model", type=["zip"], key=UPLOADED, max_upload_size=MAX_MEGABYTES, on_change=_take_upload)
        if st.session_state.get("upload_error"):
            st.error(plain(st.session_state["upload_error"]), icon=":material/error:")
    with right:
        models = my_models.mine()
        if not models:
            st.write("When a training has ended, its model is here: to download, and to open on the pages that decode.")
        elif run is not None and run.stage not in ENDED:
            st.caption("The model that is training now is here when it has ended.")
        for model in models:
            _row(model, models, text if run is not None and model.toy == run.toy else "")
        pictures = next((model for model in models if model.source == "image"), None)
        if pictures is not None:
            look_at_pictures(pictures)


def _take_upload() -> None:
    """Callback: a file from elsewhere is checked before anything is done with it."""
    uploaded = st.session_state.get(UPLOADED)
    st.session_state["upload_error"] = "" if uploaded is None else sentence_of(lambda: _keep(uploaded.getvalue()))


def _keep(packed: bytes) -> None:
    resources.prepare()
    my_models.keep(packed)


def _row(model: MyModel, models: list[MyModel], text: str) -> None:
    """One model in a line: its name, what it reached, and where it can go."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.write(f"**{plain(model.name)}**")
        st.caption(_about(model), width="stretch")
        file = model.name.removeprefix(my_models.MINE).replace(" ", "-")
        st.download_button(f"Download {file}", model.packed, f"{file}.zip", "application/zip", key=f"download_{file}", on_click="ignore")
        links = _links(model, models, text or _example(model.toy))
        if links:
            st.caption("open in", width="content")
        for page, query in links.items():
            st.page_link(f"pages/{page}.py", label=OPENED_IN[page], query_params=query)
    if model.source == "image":
        st.caption("It reads rendered scenes, which Translate, Compare and Steer have no place for: give it one here.")


def _about(model: MyModel) -> str:
    right = model.info.card.get("held_out_exact")
    return f"{model.info.card['parameters']:,} weights" + (
        "" if right is None else f", at best {100 * right:.0f} % right on held-out {'text' if model.source == 'none' else 'pairs'}"
    )


def _links(model: MyModel, models: list[MyModel], text: str) -> dict[str, dict[str, str | list[str]]]:
    """What a link to each page says; in Compare it stands beside the others of its task, or alone with several searches."""
    if model.source == "none":
        begins: dict[str, str | list[str]] = {state.BEGINNING.key: text} if text else {}
        return {"language_model": begins | {state.LANGUAGE_MODEL.key: model.name, state.SEARCH.key: "sample"}}
    if not model.reads_text:
        return {}
    said: dict[str, str | list[str]] = {state.SENTENCE.key: text} if text else {}
    one = said | {state.TRANSLATION_MODEL.key: model.name}
    beside = [other.name for other in models if other.reads_text and other.toy == model.toy]
    compared = said | ({state.COMPARED.key: beside} if len(beside) > 1 else {state.COMPARE.key: "searches", **one})
    return {"translate": one, "compare": compared, "steer": one}


def look_at_pictures(model: MyModel) -> None:
    """A model of scenes with a scene of one's own."""
    from demo.labs.train.data import picture_url
    from demo.own.time_machine import given

    text = st.text_input("Scene", key="scene_input", value=_example("shapes"), persist_state="session")
    try:
        pipeline = resources.pipeline(model.id)
        with resources.my_turn():
            trace = pipeline.decode(given("shapes", text), state.current_settings())
        st.subheader(plain(trace.text()) or "(nothing)", anchor=False)
        player(trace, key="scene_player", url=picture_url(text), layout=PlayerLayout(height=360), keeps="nothing")
    except InputError as error:
        st.error(plain(str(error)), icon=":material/error:")


def _example(toy: str) -> str:
    from seq2seq_core.toys.tasks import TOYS

    return TOYS[toy].example if toy in TOYS else ""
