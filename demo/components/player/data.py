"""What the attention player is given: a DecodeTrace as one compact dictionary, and its options."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from demo.components import with_id
from demo.rare import rare_words
from demo.tasks import TASKS
from seq2seq_core.config import Attention, Network, to_dict
from seq2seq_core.inputs.part import POSITION_SECONDS
from seq2seq_core.study.measures import entropy_bits, stretches

if TYPE_CHECKING:
    from seq2seq_core.trace.trace import DecodeTrace, Hypothesis, Node

SHOWN_CANDIDATES = 6
DIGITS = 4  # of a weight or probability in the browser; exports keep the exact numbers
SOUND_URL = re.compile(r"data:audio/wav;base64,[A-Za-z0-9+/=]+")
IMAGE_URL = re.compile(r"data:image/(png|jpeg|webp);base64,[A-Za-z0-9+/=]+")

View = Literal["map", "curves", "network", "table", "explore"]
Paint = Literal["spotlight", "heat"]
SPEEDS = (0.25, 0.5, 1.0, 2.0, 4.0)


@dataclass(frozen=True, slots=True)
class PlayerOptions:
    """The view: given to the player at first, and reported back when the person changes it."""

    view: View = "map"
    words: bool = True  # by word (or grapheme); False: by piece (or character)
    numbers: bool = False  # in the cells
    relative: bool = False  # colours relative to the largest weight of the row; False: from 0 to 1
    head: int | None = None  # None: the average
    speed: float = 1.0
    step: int | None = None  # how many target tokens are shown; None: all, or from the beginning when it plays
    read: int | None = None  # with step 0, in a player that reads first: how many source tokens are read; None: all
    fit: bool = False  # shrink a long sentence to the width instead of scrolling
    paint: Paint = "heat"  # image form: how the weights are laid over the photo
    strength: float = 0.8
    grid: bool = False

    @classmethod
    def from_dict(cls, values: Mapping[str, Any] | None) -> PlayerOptions:
        """Read what a browser or a link says; whatever is not a valid value becomes the default."""
        known = {each.name for each in fields(cls)}
        valid = {name: value for name, value in (values or {}).items() if name in known and _valid(name, value)}
        return cls(**valid | {name: float(valid[name]) for name in ("speed", "strength") if name in valid})

    def to_dict(self) -> dict[str, Any]:
        return {each.name: getattr(self, each.name) for each in fields(self)}


def _valid(name: str, value: Any) -> bool:
    if name in ("words", "numbers", "relative", "fit", "grid"):
        return isinstance(value, bool)
    if name in ("step", "head", "read"):
        return value is None or (isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 10_000)
    if name == "view":
        return value in get_args(View)
    if name == "paint":
        return value in get_args(Paint)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return value in SPEEDS if name == "speed" else 0 <= value <= 1


@dataclass(frozen=True, slots=True)
class PlayerLayout:
    """How a page places a player. Players with the same `sync` move together."""

    height: int = 520  # of the map or photo, in pixels; longer maps scroll
    panel: bool = True  # candidates and scores of the current step
    plain: bool = False  # no log p and no entropy in the panel
    controls: bool = True  # False: a player that only follows its `sync` group
    tools: bool = True  # the choice of view, units and colours, below the controls
    autoplay: bool = False
    round: int = 0  # another number makes it begin anew, with the same trace
    pace: float = 2.0  # tokens per second at 1x
    reads: bool = False  # the cursor walks over the source before it walks over the output
    sync: str = ""
    actions: tuple[str, ...] = ()  # what can be done at a step: a button for each
    explore: bool = False  # whether the page draws the view "explore" below the controls
    letters: tuple[str, ...] = ()  # of h, s and c in the drawing, where they are others

    def to_dict(self) -> dict[str, Any]:
        given = {each.name: getattr(self, each.name) for each in fields(self)}
        return given | {"actions": list(self.actions), "letters": list(self.letters)}


@dataclass(frozen=True, slots=True)
class Said:
    """The output as a sentence above its picture."""

    note: str = ""  # beside the title
    marked: tuple[int, ...] = ()  # words, or groups of tokens, that stand out


def player_data(
    trace: DecodeTrace,
    hypothesis: int = 0,
    *,
    variant: str | None = None,
    image_url: str | None = None,
    sound_url: str | None = None,
    diverges: int | None = None,
    title: str = "",
    said: Said | None = None,
) -> dict[str, Any]:
    """Everything the browser needs to play one hypothesis of a trace.

    `variant` is the model's attention ("none" and "every-step" are drawn as what they are), by default the last part of
    the model's id. `said` puts the output above the picture. `diverges` marks the first target token that differs from another player's.
    `image_url`: a photo, the spectrogram of what `sound_url` plays, or the film strip of a clip.
    """
    path = trace.path(hypothesis)
    heads = np.asarray(trace.maps(hypothesis), dtype=np.float64)  # [T, K, S]
    has_map = heads.size > 0
    data: dict[str, Any] = {
        "kind": _kind(trace),
        "title": title,
        "units": _units(trace),
        "row_units": _row_units(trace),
        "parts": [_part(trace, place, image_url) for place in range(len(trace.parts))],
        "target": _target(path, trace.hypotheses[hypothesis]),
        "map": has_map,
        "link": None if has_map or not trace.parts else _link(variant or trace.model_id),
        "heads": [{"name": head.name, "part": head.part} for head in trace.heads] if has_map else [],
        "attention": [[_rounded(row) for row in step] for step in heads] if has_map else [],
        "steps": [_step(node, heads[t] if has_map and len(trace.parts) == 1 else None) for t, node in enumerate(path)],
        "edited": [t for t in range(len(path)) if any(e.step == t or (e.onward and e.step < t) for e in trace.steering.rows)],
        "hidden": list(trace.steering.hidden),
        "rare": [place for word in rare_words(trace) for place in word.places],
        "marks": _marks(path),
        "network": to_dict(trace.network or _network(trace, variant or trace.model_id)),
        "prompt": trace.prompt,
        "diverges": diverges,
        "said": None if said is None else {"note": said.note, "marked": list(said.marked)},
    }
    if sound_url is not None:
        data["sound"] = _sound(trace, hypothesis, sound_url)
    return with_id(data)


def _sound(trace: DecodeTrace, hypothesis: int, url: str) -> dict[str, Any]:
    """What is heard, and from when to when for each token."""
    if not SOUND_URL.fullmatch(url):
        raise ValueError("sound_url must be a data URL of a WAV file.")
    found = stretches(trace.attention(hypothesis), POSITION_SECONDS)
    return {"url": url, "stretches": [[round(begin, 3), round(end, 3)] for begin, end in found], "seconds": POSITION_SECONDS}


def clock_data(steps: int) -> dict[str, Any]:
    """A player that is only a play button and a scrubber, for a group of players that follow it."""
    return with_id({"kind": "clock", "length": steps})


def _units(trace: DecodeTrace) -> list[str]:
    row = TASKS.get(trace.task)
    return {"letters": ["characters", "graphemes"], "sentences": ["words", "sentences"]}.get(row.unit if row else "", ["pieces", "words"])


def _row_units(trace: DecodeTrace) -> list[str]:
    """What a row is called; where the source has sentences for columns, the output has words."""
    fine, coarse = _units(trace)
    return [fine, fine if coarse == "sentences" else coarse]


def _kind(trace: DecodeTrace) -> str:
    """How it is drawn: tokens as columns, one photo, a view for each of several parts, or no source at all."""
    kinds = [part.kind for part in trace.parts]
    if not kinds:
        return "none"
    if "grid" not in kinds:
        return "text"
    return "image" if len(kinds) == 1 else "several"


def _part(trace: DecodeTrace, place: int, image_url: str | None) -> dict[str, Any]:
    part = trace.parts[place]
    if part.grid is None:
        words = list(trace.grouped(part=place).source)
        return {
            "kind": "text", "name": part.name, "tokens": list(part.labels), "groups": list(part.groups), "words": words, "text": part.text,
        }  # fmt: skip
    if image_url is not None and not IMAGE_URL.fullmatch(image_url):
        raise ValueError("image_url must be a data URL of a PNG, JPEG or WebP picture.")
    (rows, columns), (width, height) = part.grid, part.size or (1, 1)
    labels = None if part.named_by_place else list(part.labels)
    grid = {"rows": rows, "columns": columns, "width": width, "height": height, "labels": labels}
    if part.name == "clip":
        grid["film"] = part.positions  # frames, of which each cell is one
    return {"kind": "grid", "name": part.name, "url": image_url, **grid}


def _marks(path: Sequence[Node]) -> list[dict[str, Any]]:
    """A column for each: positions as they are numbered through all parts, or values."""
    found = []
    for name, first in path[0].marks.items():
        values = [node.marks[name] for node in path]
        position = isinstance(first, int)
        found.append({"name": name, "position": position, "values": values if position else [round(value, DIGITS) for value in values]})
    return found


def _target(path: Sequence[Node], hypothesis: Hypothesis) -> dict[str, Any]:
    return {
        "tokens": [node.token for node in path],
        "groups": list(hypothesis.groups),
        "words": list(hypothesis.words),
        "special": [t for t, node in enumerate(path) if node.token_id < 4],
        "text": hypothesis.text,
    }


def _link(variant: str) -> Attention:
    return "every-step" if variant.split("/")[-1].startswith("every-step") else "none"


def _network(trace: DecodeTrace, variant: str) -> Network:
    """What a trace without a network lets one tell: one that was written before it was kept."""
    if not trace.heads:
        return Network(_link(variant)) if trace.parts else Network()
    if "glimpse" in trace.nodes.marks:
        return Network("hard")
    return Network("multi-head" if len(trace.heads) > 1 else "additive", bidirectional=trace.parts[0].kind == "text")


def _step(node: Node, heads: np.ndarray | None) -> dict[str, Any]:
    shown = sorted(node.candidates, key=lambda candidate: -candidate.logprob)[:SHOWN_CANDIDATES]
    chosen = next((i for i, candidate in enumerate(shown) if candidate.token_id == node.token_id), len(shown))
    rows = [[candidate.token, round(math.exp(candidate.logprob), DIGITS)] for candidate in shown]
    if chosen == len(shown):  # a less likely or forced token stands below the best ones
        rows.append([node.token, round(math.exp(node.logprob), DIGITS)])
    return {
        "node": node.id,
        "logprob": round(node.logprob, DIGITS),
        "total": round(node.total, DIGITS),
        "entropy": None if heads is None else round(float(entropy_bits(heads.mean(axis=0))), DIGITS),
        "candidates": rows,
        "chosen": chosen,
        "forced": node.forced,
    }


def _rounded(row: np.ndarray) -> list[float]:
    return [round(float(weight), DIGITS) for weight in row]
