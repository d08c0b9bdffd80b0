"""What the browser is given of a training: curves of a bounded size, and the watched example after each moment."""

from __future__ import annotations

import base64
import io
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from demo.colours import DARK, LIGHT
from demo.own.time_machine import OWN_TEXT, Film, answer, picture, spread
from demo.own.training import ENDED, GOAL, Training
from demo.wording import END
from seq2seq_core.config import WITHOUT_MAP
from seq2seq_core.errors import InputError

if TYPE_CHECKING:
    from demo.own.runs import Run

CURVE_POINTS = 160
DECODE_SECONDS = 0.06  # in one look and for each model, for moments that were not decoded yet
SIDE = 4  # cells of a scene in a row
STAGES = {
    "starting": "Starting a process of its own: a second or two.",
    "paused": "Paused. The moments so far can be looked at; Go on continues as if nothing had been.",
    "stopped": "Stopped. The model stays as it is.",
}


def film_of(training: Training) -> Film:
    if training.film is None:
        training.film = Film(training.folder, str(training.job["toy"]))
    return training.film


def picture_data(run: Run, text: str, moment: int | None, waiting: str = "") -> tuple[dict[str, Any], bool]:
    """The state of a run, and whether all its moments are there, decoded."""
    until = time.monotonic() + DECODE_SECONDS * len(run.trainings)
    variants, complete = [], True
    for training in run.trainings:
        frames, all_there = frames_of(training, text, until)
        complete = complete and all_there
        variants.append(_variant(training, frames))
    toy = str(run.trainings[0].job["toy"])
    right = answer(toy, text)
    data = {
        "id": run.id,
        "text": text,
        "stage": run.stage,
        "status": waiting or run.error or STAGES.get(run.stage, ""),
        "source": _source(run.trainings[0], toy, text),
        "right": _tokens(run.trainings[0], right) if right is not None else None,
        "rightText": right,
        "wordy": toy in ("numbers", "shapes"),
        "goal": None if toy == OWN_TEXT else GOAL,
        "moment": moment,
        "variants": variants,
    }
    return data, complete


def frames_of(training: Training, text: str, until: float) -> tuple[list[dict[str, Any]], bool]:
    """The newest moment first, then as many others as there is time for; and whether none is missing."""
    with training.lock:
        steps = list(training.progress.moments)
    if not steps:
        return [], training.stage in ENDED
    shown, film, frames = spread(steps), film_of(training), []
    for step in reversed(shown):
        if step != steps[-1] and not film.knows(step, text) and time.monotonic() > until:
            continue
        try:
            frames.append(film.frame(step, text))
        except InputError:
            if step == 0:  # the input itself is refused, not one moment that has just been thinned out
                raise
    return frames, len(frames) == len(shown)


def _variant(training: Training, frames: list[dict[str, Any]]) -> dict[str, Any]:
    with training.lock:
        progress = training.progress
        losses, scores, lengths = list(progress.losses), list(progress.scores), list(progress.by_length)
    return {
        "name": training.job["cell"] if training.job["toy"] == OWN_TEXT else training.name,
        "colours": {"light": LIGHT.variant(training.name), "dark": DARK.variant(training.name)},
        "map": training.name not in WITHOUT_MAP,
        "steps": progress.steps,
        "losses": curve(losses),
        "scores": scores,
        "lengths": [[length, right / count] for length, count, right in lengths],
        "note": note(training),
        "frames": frames,
    }


def note(training: Training) -> str:
    """Where a training stands, in a line."""
    progress, left = training.progress, training.seconds_left()
    parts = [f"step {progress.step:,} of {progress.steps:,}"] if progress.steps else []
    if training.stage == "running" and progress.step:
        parts.append(f"{progress.tokens_per_s:,.0f} tokens/s")
    if left is not None:
        parts.append(f"{left:.0f} s left")
    if progress.goal is not None:
        step, seconds, _ = progress.goal
        parts.append(f"{GOAL:.0%} after {seconds:.0f} s".replace("%", " %"))
    elif training.stage == "finished" and training.job["toy"] != OWN_TEXT:
        parts.append(f"{GOAL:.0%} not reached".replace("%", " %"))
    return "  \u00b7  ".join(parts)


def curve(losses: Sequence[float], points: int = CURVE_POINTS) -> list[list[float]]:
    """(step, loss): every step, or the means of neighbouring ones."""
    width = -(-len(losses) // points) if losses else 1
    parts = [losses[at : at + width] for at in range(0, len(losses), width)]
    return [[at * width + len(part), round(sum(part) / len(part), 5)] for at, part in enumerate(parts)]


def picture_url(text: str) -> str:
    """The scene that a sentence describes, for the browser."""
    file = io.BytesIO()
    picture(text).save(file, "PNG")
    return "data:image/png;base64," + base64.b64encode(file.getvalue()).decode()


def _source(training: Training, toy: str, text: str) -> dict[str, Any]:
    if toy == OWN_TEXT:
        return {"kind": "none", "tokens": []}
    if toy == "shapes":
        return {"kind": "image", "url": picture_url(text), "columns": SIDE, "tokens": []}
    if not training.progress.moments:
        return {"kind": "text", "tokens": list(text)}
    return {"kind": "text", "tokens": list(film_of(training).reader().read(text)[0].labels)}


def _tokens(training: Training, right: str) -> list[str]:
    """The right output as the model would have to say it, its end sign included."""
    if not training.progress.moments:
        return [*right, END]
    tokenizer = film_of(training).reader().target_tokenizer
    return [*(tokenizer.token(i) for i in tokenizer.encode(right).ids), END]
