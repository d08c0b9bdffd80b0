"""Clips to watch: samples, what a visitor composes, animations that are uploaded; as frames, and as the film strip of a player."""

from __future__ import annotations

import base64
import hashlib
import io
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING

import numpy as np

from demo import state
from demo.given.held import Held
from demo.query import Asset
from demo.visitors import switches
from demo.visitors.kept import kept
from seq2seq_core.errors import InputError
from seq2seq_core.inputs.clip import SHAPES, Clip
from seq2seq_core.inputs.events import TOLD, WAYS, Event, Story, film
from seq2seq_core.inputs.rendering import COLOURS, SIZES, TEXTURES, Thing
from seq2seq_core.inputs.rendering import SHAPES as OUTLINES

if TYPE_CHECKING:
    from PIL import Image

CLIPS_KEPT, URLS_KEPT = 16, 16
OWN = "own-clip-"  # begins the name of a visitor's own animation
SHUFFLED, BACKWARDS = "s", "r"  # end the code of a clip whose frames are in another order
TAKES = 1000  # of one story: where and when it happens is another each time
CODES = {  # a thing in four letters: its size, texture, colour, outline
    f"{size[0]}{texture[0]}{colour[0]}{'x' if outline == 'cross' else outline[0]}": Thing(size, texture, colour, outline)
    for size, texture, colour, outline in product(SIZES, TEXTURES, COLOURS, OUTLINES)
}
CODE_OF = {thing: code for code, thing in CODES.items()}
HELD = Held[Clip](state.CLIPS, most=2)  # at most 1.3 MB each


@dataclass(frozen=True, slots=True)
class Sample:
    """A clip that the page offers."""

    label: str
    code: str


SAMPLES = (  # the first is what the page opens on
    Sample("hits, and it falls", "fall.lprc.spbs.right_3"),
    Sample("passes behind", "pass.spyt.ldbs.left_1"),
    Sample("first one, then the other", "appear.lsbc_vanish.sprx_3"),
    Sample("bounces back", "bounce.lsox.sprt.right_2"),
    Sample("turns back", "return.sdpc.up_4"),
    Sample("hides", "hide.sprx.lpyc.down_9"),
)


def written(story: Story, take: int) -> str:
    """A story and its take as a link holds them."""
    parts = []
    for event in story.events:
        things = [CODE_OF[thing] for thing in event.things]
        parts.append(".".join(filter(None, (event.kind, *things, event.way, event.colour))))
    return "_".join((*parts, str(take)))


def read(code: str) -> tuple[Story, int]:
    """InputError where a link says what nobody composed."""
    *told, take = in_order(code).split("_")
    if not told or not (take.isascii() and take.isdigit() and int(take) < TAKES):
        raise InputError(f"The clip {code[:40]!r} is none that can be composed here; choose one of the samples.")
    return Story(tuple(_event(one) for one in told[:3])), int(take)


def _event(text: str) -> Event:
    kind, *rest = text.split(".")
    things = [CODES[one] for one in rest if one in CODES]
    ways, colours = ([one for one in rest if one in names] for names in (WAYS, COLOURS))
    if kind not in TOLD or not 1 <= len(things) <= 2 or len(rest) != len(things) + len(ways) + len(colours):
        raise InputError(f"The clip says {text[:40]!r}, which is no event; choose one of the samples.")
    return Event(kind, things[0], next(iter(things[1:]), None), "".join(ways), "".join(colours))


def shown() -> Asset:
    """A visitor's own animation if there is one, else the clip that the link names, else the first sample."""
    own = HELD.own(state.OWN_CLIP, "Your clip is no longer held here; choose it again.", ":material/videocam_off:")
    return named(own or state.current(state.CLIP))


def own_film() -> Asset | None:
    """A visitor's own film of a gesture, if one is held."""
    own = HELD.own(state.OWN_FILM, "Your film is no longer held here; choose it again.", ":material/videocam_off:", in_order)
    return Asset("clip", own) if own else None


def named(code: str) -> Asset:
    """The one that a link or the page names; where it names none that there is, the first sample."""
    if code.startswith(OWN):
        return Asset("clip", code)
    try:
        read(code)
    except InputError:
        return Asset("clip", SAMPLES[0].code)
    return Asset("clip", code)


def story(asset: Asset) -> Story | None:
    """What happens in a clip of the lab's own; of a visitor's nobody knows."""
    return None if asset.name.startswith(OWN) else read(asset.name)[0]


def clip(asset: Asset) -> Clip:
    """InputError when it is one of a visitor's that is no longer held."""
    if not asset.name.startswith(OWN):
        return _filmed(asset.name)
    found = HELD.get(in_order(asset.name))
    if found is None:
        raise InputError("The clip is no longer held here; choose it again.")
    return _ordered(found, order_of(asset.name))


@kept(CLIPS_KEPT)
def _filmed(code: str) -> Clip:
    return _ordered(film(*read(code)), order_of(code))


def _ordered(clip: Clip, order: str) -> Clip:
    if order == BACKWARDS:
        return Clip(clip.frames[::-1].copy(), clip.taken_of)
    return Clip(clip.frames[np.random.default_rng(1).permutation(len(clip.frames))], clip.taken_of) if order else clip


def order_of(code: str) -> str:
    """SHUFFLED, BACKWARDS, or nothing: the name of an own one ends in a digit or one of a to f."""
    return code[-1:] if code[-1:] in (SHUFFLED, BACKWARDS) else ""


def in_order(code: str) -> str:
    return code.removesuffix(order_of(code))


def turned_over(code: str, order: str) -> str:
    """The same clip with its frames in this order, or in their own again."""
    return in_order(code) + ("" if order_of(code) == order else order)


def order_note(code: str) -> str:
    """What is to be said of the order of its frames."""
    return {SHUFFLED: "The frames are out of order.", BACKWARDS: "The frames are played backwards."}.get(order_of(code), "")


def hold(data: bytes, part: str, task: str = "clip", *, as_strip: bool = False) -> str:
    """Check an animation, or a browser's strip of a film, and keep the frames that are read for as long as the session lives: its name."""
    from seq2seq_core.inputs.animation import open_clip, open_strip

    switches.demand(part)
    name = OWN + hashlib.sha256(data + task.encode()).hexdigest()[:40]
    opened = (open_strip if as_strip else open_clip)(data, *SHAPES[task])
    HELD.keep(name, opened)
    return name


def credit(asset: Asset) -> str:
    return "your clip: it stays on this computer" if asset.name.startswith(OWN) else "rendered by the lab"


def picture(asset: Asset) -> Image.Image:
    """The film strip; a frame is a cell of its grid."""
    return clip(asset).picture()


@kept(URLS_KEPT)
def picture_url(asset: Asset) -> str:
    file = io.BytesIO()
    picture(asset).save(file, "WEBP", quality=88, method=2)
    return "data:image/webp;base64," + base64.b64encode(file.getvalue()).decode()


def composed(events: list[dict[str, str]], take: int) -> str:
    """The code of what was chosen in menus; InputError where it cannot be."""
    found = []
    for one in events:
        who, other = (Thing(*(one[f"{place}_{name}"] for name in ("size", "texture", "colour", "shape"))) for place in ("who", "other"))
        kind = one["kind"]
        if kind in ("pass", "hide"):
            who, other = Thing("small", *_rest(who)), Thing("large", *_rest(other))
        needs = TOLD[kind]
        event = Event(
            kind,
            who,
            other if "{other}" in needs else None,
            one["way"] if "{way}" in needs else "",
            one["colour"] if kind == "recolour" else "",
        )
        found.append(event)
    return written(Story(tuple(found)), take)


def _rest(thing: Thing) -> tuple[str, str, str]:
    return thing.texture, thing.colour, thing.shape
