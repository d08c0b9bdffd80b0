"""Work on many machines, by Ray: what is to be decoded is spread over them, and recipes wait in a queue for free cores.

Ray is an extra, `pip install -e .[ray]`; nothing here is imported where nobody asks for it. `RAY_ADDRESS` names a cluster; without it Ray
starts on this computer.
"""

from __future__ import annotations

import hashlib
import os
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from seq2seq_core.errors import InputError

if TYPE_CHECKING:
    from seq2seq_core.pipeline import Pipeline
    from seq2seq_core.training.pieces import Over

NAME = "lab"  # of what is ours in a cluster
MODELS_KEPT, SENT_KEPT = 4, 32
AHEAD = 2  # pieces of work for each core, so that none waits for the next
RETRIES = 3  # of what a machine took with it when it died

_joining, _sending = threading.Lock(), threading.Lock()
_sent: dict[str, Travelling] = {}  # by this process, by their content
_there: dict[str, Pipeline] = {}  # models of this process, by their content


def connect() -> None:
    """Join the cluster, or start one on this computer; once a process, however many threads ask."""
    with _joining:
        _join()


@cache
def _join() -> None:
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # nothing is told to its makers
    try:
        import ray
    except ImportError:
        raise InputError('Ray is not installed here; `pip install "ray[serve]>=2.60,<3"` installs it.') from None
    ray.init(address=os.environ.get("RAY_ADDRESS"), namespace=NAME, ignore_reinit_error=True, include_dashboard=False, log_to_driver=False)


@dataclass(frozen=True, slots=True)
class Travelling:
    """A model that goes where it is needed: each process fetches its files once, and knows them by their content."""

    name: str
    hash: str
    files: Any  # where Ray holds them


def spread(folder: Path, name: str) -> Over:
    """What evaluates with the model of a folder on all cores of the cluster; what comes back is in the order of what went."""
    connect()
    import ray

    from seq2seq_core.store.package import pack_model

    model = travelling(pack_model(folder), name)
    remote = ray.remote(num_cpus=1, max_retries=RETRIES)(_worked)
    most = AHEAD * max(1, int(ray.cluster_resources().get("CPU", 1)))

    def over(work: Callable[[Pipeline, Any], Any], pieces: Iterable[Any]) -> Iterator[Any]:
        under_way: deque[Any] = deque()
        for piece in pieces:
            under_way.append(remote.remote(model, work, piece))
            if len(under_way) >= most:
                yield ray.get(under_way.popleft())
        while under_way:
            yield ray.get(under_way.popleft())

    return over


def _worked(model: Travelling, work: Callable[[Pipeline, Any], Any], piece: Any) -> Any:
    """In a process of the cluster."""
    return work(arrived(model), piece)


def arrived(model: Travelling) -> Pipeline:
    """The model, fetched when it is not there yet."""
    if model.hash not in _there:
        import ray
        import torch

        from seq2seq_core.store.package import SCENES, unpack_own
        from seq2seq_core.store.zoo import ready
        from seq2seq_core.toys.scenes import SceneEncoder

        torch.set_num_threads(1)
        loaded = unpack_own(ray.get(model.files))
        while len(_there) >= MODELS_KEPT:
            _there.pop(next(iter(_there)))
        _there[model.hash] = ready(loaded, model.name, SceneEncoder() if loaded.card.get("pictures") == SCENES else None)
    return _there[model.hash]


def travelling(packed: bytes, name: str) -> Travelling:
    """Its files go to where every machine can fetch them, once for each content."""
    connect()
    import ray

    content = hashlib.sha256(packed).hexdigest()
    with _sending:
        if content not in _sent:
            while len(_sent) >= SENT_KEPT:
                _sent.pop(next(iter(_sent)))
            _sent[content] = Travelling(name, content, ray.put(packed))
        return _sent[content]


@dataclass(frozen=True, slots=True)
class Trained:
    """One recipe of a queue, done."""

    config: Path
    seconds: float
    problem: str = ""


def queue(configs: Sequence[Path], data: Path, out: Path, threads: int) -> Iterator[Trained]:
    """Train every recipe into a folder of its name, as many at once as there are cores; each as it ends.

    All machines see the same folders. What a machine took with it when it died goes on elsewhere from its last save.
    """
    connect()
    import ray

    remote = ray.remote(num_cpus=threads, max_retries=RETRIES)(_trained)
    under_way = [remote.remote(config.resolve(), data.resolve(), (out / config.stem).resolve(), threads) for config in configs]
    while under_way:
        done, under_way = ray.wait(under_way)
        yield ray.get(done[0])


def _trained(config: Path, data: Path, out: Path, threads: int) -> Trained:
    """In a process of the cluster."""
    from seq2seq_core.training.runner import run

    began = time.monotonic()
    try:
        deque(run(config, data, out, resume=True, threads=threads), maxlen=0)
    except (InputError, OSError) as error:
        return Trained(config, time.monotonic() - began, str(error))
    return Trained(config, time.monotonic() - began)
