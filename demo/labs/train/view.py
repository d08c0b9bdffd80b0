"""The blocks of the Train page: what to train, the buttons, the picture that changes while it trains."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import streamlit as st

from demo import controls, state
from demo.blocks.source import tell_of
from demo.components.training.mount import moment, training_picture
from demo.errors import sentence_of
from demo.labs.train import pairs as own_pairs
from demo.labs.train import texts
from demo.labs.train.data import picture_data
from demo.own import models
from demo.own.runs import Run, all_runs, my_runs, visitor
from demo.own.training import ENDED
from demo.visitors import switches
from demo.wording import WIRINGS, plain
from seq2seq_core.errors import InputError

if TYPE_CHECKING:
    from seq2seq_core.toys.job import Job

TICK_SECONDS = 0.4
PICTURE = "training_picture"
OPENED = "Under Models it opens in Translate, Compare and Steer."
AFTERWARDS = {"shapes": "Under Models it is given a scene of yours.", "own text": "Under Models it opens in Language model."}
ABOUT = {
    "copy": "Write the letters again: the diagonal.",
    "reverse": "Write the letters backwards: the diagonal the other way.",
    "sort": "Write the letters in alphabetical order: no diagonal, but one letter after the other.",
    "dates": "Write a date as year, month, day.",
    "numbers": "Write a number in words.",
    "shapes": "Say what is in a picture of two shapes.",
    "own pairs": "Learn from your own pairs.",
    "own text": "Learn to go on from any beginning, as a text of yours would: a language model, with no source.",
}
DRAWN = 6  # pairs that are shown
SIMPLE = ("Models",)


SCENES = ("a red circle left of a blue square", "a green triangle above a yellow circle", "a blue square left of a red triangle")


def heading() -> str:
    """The page's title and the tasks in one line; returns the name of the task."""
    with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
        st.title("Train", anchor=False, width="content")
        return state.PRESET.clean(
            st.segmented_control(
                state.PRESET.label, state.PRESET.choices, default=state.PRESET.default, required=True, key=state.PRESET.key,
                bind="query-params", on_change=_new_task, label_visibility="collapsed",
            )
        )  # fmt: skip


def settings_row(preset: str) -> None:
    """What is to learn it; in simple only how it looks, with the rest as it is."""
    if state.simple():
        if preset != "own text":
            with st.container(width=180):
                controls.menu(state.ATTENTION)
            second = state.current(state.SECOND_ATTENTION)
            tell_of(*dict.fromkeys(name for name in (state.current(state.ATTENTION), second) if name != "off"))
        return
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        with st.container(horizontal=True, vertical_alignment="top", gap="medium", width="content"):  # labels on one line
            for field in () if preset == "own text" else (state.ATTENTION, state.SECOND_ATTENTION):
                with st.container(width=180):
                    controls.menu(field)
            controls.segments(state.CELL)
        with st.popover("More settings", icon=":material/tune:"):
            if preset != "own text":
                controls.menu(state.WIRING)
            controls.whole(state.HIDDEN)
            controls.number(state.LEARNING_RATE)
            controls.number(state.TEACHER_FORCING)
            controls.whole(state.TRAIN_SEED)


def _new_task() -> None:
    """Callback: a watched example belongs to its task."""
    state.assign(state.WATCHED, "")


def jobs() -> list[Job]:
    """One or two jobs, as the controls say, on the same batches."""
    from seq2seq_core.toys.job import Job

    first, second = state.current(state.ATTENTION), state.current(state.SECOND_ATTENTION)
    if state.current(state.PRESET) == "own text":  # there is no source to look at
        first, second = "none", "off"
    goes = next((wiring for wiring, said in WIRINGS.items() if said == state.current(state.WIRING)), "")
    names = [first] if second in ("off", first) else [first, second]
    return [
        Job.from_dict(
            {
                "toy": state.current(state.PRESET),
                "cell": state.current(state.CELL),
                "attention": name,
                "hidden": 4 * round(state.current(state.HIDDEN) / 4),  # so that it can be shared out to directions and heads
                "learning_rate": state.current(state.LEARNING_RATE),
                "teacher_forcing": state.current(state.TEACHER_FORCING),
                "seed": state.current(state.TRAIN_SEED),
                "unit": state.current(state.TEXT_UNIT),
                "wiring": goes,
            }
        )
        for name in names
    ]


def run_of(preset: str) -> Run | None:
    """The visitor's newest run of this task; one of another task goes on, unseen."""
    mine = my_runs()
    ids, linked = tuple(run.id for run in mine), state.current(state.RUNS)
    shown = next((run for run in reversed(mine) if run.toy == preset), None)
    other = next((run for run_id in linked if run_id not in ids and (run := all_runs().find(run_id)) is not None), None)
    if shown is None and other is not None:
        st.fragment(_elsewhere, run_every=1.0)(other)
    elif ids != linked:
        state.remember(state.RUNS, ids)
    going = next((run for run in mine if run.stage not in ENDED and run.toy != preset), None)
    if going is not None:
        st.info(f"Your training of {going.toy} goes on: choose it again to see it. Start stops it there.", icon=":material/info:")
    return shown


def _elsewhere(run: Run) -> None:
    """A link to a training whose owner is there; right after loading the page anew that is oneself, for a moment."""
    if not run.alive():
        st.rerun()
    st.info("The training in this link belongs to a window that is open; it is to be seen there alone.", icon=":material/info:")


def start() -> None:
    """Callback of Start: an earlier run of this task goes, its models stay; one of another task stops where it is."""
    st.session_state["training_error"] = sentence_of(_start)


def _start() -> None:
    wanted = jobs()
    given = {"own pairs": own_pairs.text, "own text": texts.text}.get(wanted[0].toy)
    pairs = given() if given else ""
    models.mine()  # what has ended is kept before its run goes
    for run in my_runs():
        if run.toy == wanted[0].toy or run.waiting:
            all_runs().remove(run)
        elif run.stage not in ENDED:
            run.stop()
    st.session_state[state.TRAINING_RUNS].append(all_runs().start(wanted, pairs, visitor()).id)
    state.remember(state.MOMENT, state.MOMENT.default)
    st.session_state.pop(PICTURE, None)


def buttons(run: Run | None) -> None:
    """Start, and what the run can be told at this stage."""
    stage = run.stage if run else ""
    going = run is not None and stage not in ENDED
    if not going and switches.on("training"):
        st.button(
            "Start" if run is None else "Start anew", icon=":material/play_arrow:", key="start", on_click=start, shortcut="Ctrl+Enter",
        )  # fmt: skip
    elif run is not None:
        if stage in ("running", "starting"):
            st.button("Pause", icon=":material/pause:", key="pause", on_click=run.pause)
        elif stage == "paused" and not run.wants_on:
            st.button("Go on", icon=":material/play_arrow:", key="go_on", on_click=all_runs().go_on, args=(run,))
        st.button("Stop", icon=":material/stop:", key="stop", on_click=_stop, args=(run,))


def _stop(run: Run) -> None:
    if run.stage == "waiting" and run.waiting:
        all_runs().remove(run)
    else:
        run.stop()


def action_row(preset: str, run: Run | None) -> str:
    """The watched example with the buttons; returns the text."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        with st.container(width="stretch"):
            watched = replace(state.WATCHED, label="Beginning") if preset == "own text" else state.WATCHED
            text = controls.line(watched, placeholder=example(preset) or "Empty: it begins by itself")
        buttons(run)
    return text.strip() or example(preset)


def example(preset: str) -> str:
    if preset == "own pairs":
        return own_pairs.example()
    if preset == "own text":
        return ""
    from seq2seq_core.toys.tasks import TOYS

    return TOYS[preset].example


def said_error() -> None:
    """What stood in the way of a start, once."""
    message = st.session_state.pop("training_error", "")
    if message:
        st.error(plain(message), icon=":material/error:")


def nothing_yet(preset: str) -> None:
    """Before the first start: what the task is."""
    st.write(f"**{ABOUT[preset]}**")
    if preset == "shapes":
        scenes()
    elif not preset.startswith("own "):
        pairs_drawn(preset)
    if not switches.on("training"):
        st.info("Training is turned off on this computer.", icon=":material/info:")
    elif preset == "own text":
        st.caption("Press Start. What it would write stands here after every moment: noise at first, then words, then lines.")
    elif preset != "own pairs":
        st.caption("Press Start. A model that knows nothing learns it in less than a minute, and its attention forms here.")


def pairs_drawn(preset: str) -> None:
    """What it learns from: pairs, of which the second half says what is right."""
    from seq2seq_core.toys.tasks import TOYS, draw

    toy = TOYS[preset]
    pairs = draw(toy, DRAWN, state.current(state.TRAIN_SEED))
    st.table({"what goes in": [plain(source) for source, _ in pairs], "what should come out": [plain(target) for _, target in pairs]})
    cut = "a letter or a sign" if toy.unit == "characters" else "a word or a piece of one"
    st.caption(f"Pairs like these are drawn anew for every step, and the right output of each teaches it. A token of the output is {cut}.")


def scenes() -> None:
    """Pictures as they are made for the training, and what is to be said of each."""
    from demo.own.time_machine import picture

    with st.container(horizontal=True, gap="large"):
        for said in SCENES:
            with st.container(width=230):
                st.image(picture(said), width=192, alt=said)
                st.write(plain(said))


def live(run: Run, text: str) -> None:
    """The picture; it renews itself as long as something changes."""
    busy = run.stage not in ENDED or st.session_state.get("training_complete") != (run.id, text)
    st.fragment(_picture, run_every=TICK_SECONDS if busy else None)(run, text, run.stage)
    if run.stage == "finished":
        st.caption(f"Type another input above: the model that was trained answers. {AFTERWARDS.get(run.toy, OPENED)}")


def _picture(run: Run, text: str, stage: str) -> None:
    chosen = state.current(state.MOMENT)
    waiting = all_runs().waiting_message(run) if run.waiting else ""
    try:
        data, complete = picture_data(run, text, chosen or None, waiting)
    except InputError as error:
        st.error(plain(str(error)), icon=":material/error:")
        return
    training_picture(data, key=PICTURE, on_moment=_moment_chosen)
    done = (run.id, text)
    if run.stage in ENDED and complete and st.session_state.get("training_complete") != done:
        st.session_state["training_complete"] = done
        st.rerun()
    if run.stage != stage:
        st.rerun()


def _moment_chosen() -> None:
    """Callback of the slider: the moment goes into the link."""
    state.remember(state.MOMENT, moment(PICTURE) or 0)
