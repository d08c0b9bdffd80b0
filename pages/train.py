"""Train: a small model learns in front of the class, and its attention forms."""

from __future__ import annotations

from demo import controls, state
from demo.labs.train import models, pairs, slow_motion, texts, view
from demo.own.runs import Run


def main() -> None:
    preset = view.heading()
    view.settings_row(preset)
    if preset == "own pairs":
        pairs.block()
    elif preset == "own text":
        texts.block()
    run = view.run_of(preset)
    text = view.action_row(preset, run)
    view.said_error()
    if run is None:
        view.nothing_yet(preset)
    else:
        view.live(run, text)
    for name, tab in controls.tabs(state.TRAIN_PART, offered=state.offered(state.TRAIN_PART, view.SIMPLE)).items():
        if tab.open:
            with tab:
                below(name, preset, text, run)


def below(name: str, preset: str, text: str, run: Run | None) -> None:
    if name == "Models":
        models.block(run, text)
    else:
        slow_motion.block(preset, text)


main()
