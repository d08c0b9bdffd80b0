"""Train: a small model learns in front of the class, and its attention forms."""

from __future__ import annotations

from demo import controls, own_models, own_pairs, slow_motion, state, training_view, translation_moments


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
    for name, tab in controls.tabs(state.TRAIN_PART).items():
        if tab.open:
            with tab:
                below(name, preset, text)


def below(name: str, preset: str, text: str) -> None:
    if name == "Time machine":
        translation_moments.block()
    elif name == "Models":
        own_models.block(training_view.current_run(), text)
    else:
        slow_motion.block(preset, text)


main()
