"""What the browser is given of a training step: everything it draws, in numbers of three digits and in strips of bytes."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from demo import moments, resources
from demo.components import with_id
from demo.given import assets
from demo.query import Query
from demo.visitors.kept import kept
from demo.wording import token
from seq2seq_core.errors import InputError

if TYPE_CHECKING:
    from seq2seq_core.config import ModelConfig
    from seq2seq_core.inputs.part import Part
    from seq2seq_core.pipeline import Pipeline
    from seq2seq_core.study.training_step import Source, TrainingStep, Ways
    from seq2seq_core.trace.nodes import Floats

RATES = tuple(round(10 ** (power / 3), 6) for power in range(-12, 1))  # 0.0001 to 1
FIRST, LIKELY = 3, 5  # numbers of a vector that are printed; tokens of a distribution
SHOWN_SIDE = 480  # pixels of a photo


@dataclass(frozen=True, slots=True)
class Asked:
    """A pair, a model, and whose loss goes back."""

    query: Query  # what is read, by which model
    right: str  # what the model should say
    step: int  # whose loss, from 1; 0: all
    moment: int = -1  # of the training; -1: as the model is now


@kept(24)
def step_data(asked: Asked) -> dict[str, Any]:
    """Everything that is drawn: one way forwards and back, and the pair scored again after updates by every rate."""
    from seq2seq_core.inputs.text import known_ids
    from seq2seq_core.study.training_step import losses_of, training_step, updated

    pipeline = resources.pipeline(asked.query.model_id)
    model = pipeline.model if asked.moment < 0 else moments.model_at(asked.query.model_id, asked.moment)
    part, source = _source(asked.query, pipeline)
    target = known_ids(asked.right, pipeline.target_tokenizer)
    if not target:
        raise InputError("There is nothing to say; type what is right.")
    with resources.my_turn():
        found = training_step(model, source, target, min(asked.step, len(target) + 1) - 1 if asked.step else None)
        after = [losses_of(updated(model, found.gradients, rate), source, target) for rate in RATES]
    words = pipeline.target_tokenizer
    data: dict[str, Any] = {
        "source": [] if part is None else [token(label) for label in part.labels],
        "target": [token(words.token(i)) for i in found.target],
        "losses": _short(found.losses),
        "chances": _short(np.exp(-np.array(found.losses))),
        "loss": _digits(found.loss),
        "of": found.step,
        "places": _places(found, part),
        "outputs": [_outputs(found, t, words.token) for t in range(len(found.target))],
        "decoder": _states(found.decoder),
        "encoder": [] if found.encoder is None else _states(found.encoder, strips=part is not None and part.grid is None),
        "looking": _looking(found),
        "parts": [[name, _digits(size)] for name, size in found.by_part(model).items()],
        "length": _digits(found.length),
        "updates": [{"rate": rate, "losses": _short(losses)} for rate, losses in zip(RATES, after, strict=True)],
        "remark": _remark(model.config, asked.moment),
        "photo": None,
    }
    return with_id(data | _read(found, part, asked.query))


def _source(query: Query, pipeline: Pipeline) -> tuple[Part | None, Source]:
    """What the model reads, as a part with its labels, and as the core takes it."""
    if pipeline.model.encoder is None:
        return None, None
    if query.asset is not None:
        encoded = resources.encoded(query)
        if len(encoded.parts) != 1 or encoded.features[0] is None:
            raise InputError("The way back is shown for models that read one text or one picture; choose another model.")
        return encoded.parts[0], encoded.features[0]
    (part,) = pipeline.read(query.text)
    return part, part.ids


def _places(found: TrainingStep, part: Part | None) -> list[dict[str, Any]]:
    """The way back: the decoder's states from the last that a loss reaches, its first state, the source from its end, the update."""
    last = len(found.target) - 1 if found.step is None else found.step
    places: list[dict[str, Any]] = [{"kind": "forward"}, *({"kind": "step", "at": t} for t in range(last, -1, -1))]
    if part is not None:
        places.append({"kind": "start"})
        places += [{"kind": "source", "at": j} for j in range(part.positions - 1, -1, -1)] if part.grid is None else [{"kind": "photo"}]
    return [*places, {"kind": "update"}]


def _outputs(found: TrainingStep, t: int, name: Any) -> list[list[Any]]:
    """The right token first, then those that are pushed down most: [token, p, gradient]."""
    chances, right = np.exp(found.logprobs[t]), found.target[t]
    order = [right, *(int(i) for i in np.argsort(-chances, kind="stable")[:LIKELY] if int(i) != right)]
    return [[token(name(i)), _digits(chances[i]), _digits(found.logits[t, i])] for i in order[:LIKELY]]


def _states(ways: Ways, strips: bool = True) -> list[dict[str, Any]]:
    shares, off = ways.shares(), ways.off()
    return [
        {
            **(_vector(ways.whole[n]) if strips else {"norm": _digits(np.linalg.norm(ways.whole[n])), "size": ways.whole.shape[1]}),
            "ways": [[name, _digits(share[n])] for name, share in shares.items()],
            "off": _digits(off[n]),
        }
        for n in range(len(ways.whole))
    ]


def _looking(found: TrainingStep) -> dict[str, Any] | None:
    look = found.looking
    if look is None:
        return None
    maps = {"rows": look.rows, "weights": look.weights, "scores": look.scores}
    return {
        **{name: [[_short(head) for head in row] for row in values] for name, values in maps.items()},
        "context": [_vector(row) for row in look.context],
        "queries": [_vector(row.reshape(-1)) for row in look.queries],
    }


def _read(found: TrainingStep, part: Part | None, query: Query) -> dict[str, Any]:
    """At what the encoder reads: of a text its embeddings and keys, of a photo the size at every cell."""
    if part is None or found.source is None or found.encoder is None:
        return {}
    if part.grid is not None:
        rows, columns = part.grid
        url = assets.url(query.asset, SHOWN_SIDE)
        return {"photo": {"url": url, "rows": rows, "columns": columns, "norms": _short(np.linalg.norm(found.source, axis=1))}}
    keys = [None] * part.positions if found.looking is None else [_vector(key.reshape(-1)) for key in found.looking.keys.transpose(1, 0, 2)]
    states = [
        state | {"given": _vector(given), "key": key} for state, given, key in zip(_states(found.encoder), found.source, keys, strict=True)
    ]
    return {"encoder": states}


def _vector(values: Floats) -> dict[str, Any]:
    """Its length, its first numbers, and all of them as bytes between -127 and 127 of the largest."""
    most = float(np.abs(values).max()) or 1.0
    levels = np.rint(values / most * 127).astype(np.int8)
    return {
        "norm": _digits(np.linalg.norm(values)), "size": len(values), "first": _short(values[:FIRST]),
        "strip": base64.b64encode(levels.tobytes()).decode(),
    }  # fmt: skip


def _remark(config: ModelConfig, moment: int) -> str:
    said = []
    if moment == 0:
        said.append("Before the first step of its training: weights as they were drawn at random.")
    if config.carries_context:
        said.append("The context takes the place of the state: what comes back from the output and the next step enters it, not s.")
    if config.attention == "hard":
        said.append(
            "Hard attention chooses one position, and no gradient goes through a choice: its queries and keys learn from a reward instead."
        )
    if config.cell == "lstm":
        said.append("An LSTM’s cell vector m carries a gradient of its own from step to step; shown is that at s.")
    return " ".join(said)


def _digits(value: float | np.floating[Any]) -> float:
    return float(f"{float(value):.4g}")


def _short(values: Sequence[float] | Floats) -> list[float]:
    return [_digits(value) for value in values]
