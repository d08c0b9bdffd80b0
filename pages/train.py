"""Train: a small model learns in front of the class, and its attention forms."""

from __future__ import annotations

import streamlit as st

from demo import own_models, own_pairs, slow_motion, training_view


def main() -> None:
    preset = training_view.heading()
    training_view.settings_row()
    if preset == "own pairs":
        own_pairs.block()
    run = training_view.run_of(preset)
    text = training_view.action_row(preset, run)
    training_view.said_error()
    if run is None:
        training_view.nothing_yet(preset)
    else:
        training_view.live(run, text)
    slow, models = st.tabs(["One step in slow motion", "Models"])
    with slow:
        slow_motion.block(preset, text)
    with models:
        own_models.block(run)


main()
