"""Answers from other processes and computers: a Ray Serve deployment holds the models and decodes what arrives together as one batch.

Ray is an extra, `pip install -e .[ray]`; nothing here is imported without LAB_ENGINE=ray. `RAY_ADDRESS` names a cluster; without it Ray
starts on this computer.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Any

from seq2seq_core.config import DecodeSettings
from seq2seq_core.errors import InputError
from seq2seq_core.machines import NAME, Travelling, arrived, connect
from seq2seq_core.trace.steering import Steering

if TYPE_CHECKING:
    from seq2seq_core.pipeline import Given, Pipeline, Prompt
    from seq2seq_core.trace.trace import DecodeTrace

_connecting = threading.Lock()
BATCH, BATCH_WAIT_SECONDS = 16, 0.004  # what arrives within it is decoded together
TRIES, PAUSE_SECONDS, PATIENCE_SECONDS = 3, 0.5, 20.0
MODELS_KEPT = 16


@dataclass(frozen=True, slots=True)
class Asked:
    """All that an answer depends on."""

    model_id: str
    given: Given
    settings: DecodeSettings
    steering: Steering
    prompt: Prompt
    own: Travelling | None = None  # a model that is installed nowhere: it travels


Said = "DecodeTrace | str"  # an answer, or the sentence that says why there is none


class Answers:
    """What one replica does. Its models are loaded when they are first asked."""

    def __init__(self) -> None:
        import torch

        torch.set_num_threads(1)

    def answer(self, asked: Sequence[Asked]) -> list[Any]:
        """In the order asked; what can be decoded together is."""
        said: list[Any] = [""] * len(asked)
        together: dict[tuple[str, DecodeSettings], list[int]] = {}
        for place, one in enumerate(asked):
            together.setdefault((one.model_id, one.settings), []).append(place)
        for (_, settings), places in together.items():
            for place, answer in zip(places, self._decoded(settings, [asked[place] for place in places]), strict=True):
                said[place] = answer
        return said

    def _decoded(self, settings: DecodeSettings, asked: Sequence[Asked]) -> list[Any]:
        try:
            model = _model(asked[0].model_id) if asked[0].own is None else arrived(asked[0].own)
            traces = model.decode_batch(
                [one.given for one in asked], settings, [one.steering for one in asked], prompts=[one.prompt for one in asked]
            )
        except InputError as error:  # one of them; the others are to have their answers
            return [str(error)] if len(asked) == 1 else [said for one in asked for said in self._decoded(settings, [one])]
        return [light(trace) for trace in traces]


@cache
def _model(model_id: str) -> Pipeline:
    from seq2seq_core.pipeline import Pipeline

    return Pipeline.load(model_id)


def light(trace: DecodeTrace) -> DecodeTrace:
    """The same with the display strings of its own tokens alone, instead of the whole vocabulary's."""
    words = trace.nodes.words
    return replace(trace, nodes=replace(trace.nodes, words={i: words[i] for i in trace.nodes.used_ids()}))


def connected() -> Any:
    """A handle to the deployment, which is started where there is none yet. Of several threads one connects."""
    with _connecting:
        return _connect()


@cache
def _connect() -> Any:
    connect()
    from ray import serve

    if NAME not in serve.status().applications:
        start()
    return serve.get_app_handle(NAME)


def start(least: int = 1, most: int | None = None, batch: int = BATCH) -> None:
    """Deploy replicas, one core each; more are started while several questions wait for each."""
    from ray import serve

    class Batching(Answers):
        @serve.batch(max_batch_size=batch, batch_wait_timeout_s=BATCH_WAIT_SECONDS if batch > 1 else 0)  # type: ignore[untyped-decorator]
        async def __call__(self, asked: list[Asked]) -> list[Any]:
            return self.answer(asked)

    scaling = {"min_replicas": least, "max_replicas": most or max(least, os.cpu_count() or 1), "target_ongoing_requests": 4}
    deployment = serve.deployment(
        Batching, name=NAME, autoscaling_config=scaling, max_ongoing_requests=4 * batch, ray_actor_options={"num_cpus": 1}
    )
    serve.run(deployment.bind(), name=NAME, route_prefix=None)


def ask(asked: Asked) -> DecodeTrace:
    """One answer. What a replica took with it when it died is asked again."""
    from ray.exceptions import RayError
    from ray.serve.exceptions import RayServeException

    for attempt in range(TRIES):
        time.sleep(attempt * PAUSE_SECONDS)  # two processes that start at once may deploy it twice
        try:
            said = connected().remote(asked).result(timeout_s=PATIENCE_SECONDS)
        except (RayError, RayServeException):
            continue
        except TimeoutError:
            break
        if isinstance(said, str):
            raise InputError(said)
        return said  # type: ignore[no-any-return]
    raise InputError("The computers that decode do not answer at this moment. Try again: what you typed is kept.")
