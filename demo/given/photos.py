"""Photos to look at: the samples, and what a visitor uploads or takes, checked before anything else is done with them."""

from __future__ import annotations

import base64
import hashlib
import io
import os
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from demo import state
from demo.given.held import Held
from demo.query import Asset
from demo.visitors import switches
from demo.visitors.kept import kept
from seq2seq_core.errors import InputError
from seq2seq_core.inputs.photo import open_photo

if TYPE_CHECKING:
    from PIL.Image import Image

FOLDER = Path(__file__).parents[1] / "examples" / "photos"
IMAGES_KEPT = 8  # opened, of all visitors: at most 5 MB each
URLS_KEPT = 48  # the samples, and as many again in other sizes
PATIENCE_SECONDS = 10.0
OWN = "upload-"  # begins the name of a visitor's own photo

HELD = Held[bytes](state.PHOTOS, most=4)  # each as a JPEG of at most 1280 pixels a side, some hundred kilobytes
_opening = threading.BoundedSemaphore(os.cpu_count() or 2)


@dataclass(frozen=True, slots=True)
class Sample:
    """A photo that comes with the app."""

    name: str
    title: str
    credit: str  # who made it, and under which licence it is here
    note: str = ""  # what there is to see in the captions of it


SAMPLES = (  # the first is what the page opens on
    Sample("dog", "Dog", "Hans Kemperman, public domain"),
    Sample("band", "Band", "candyschwartz on Flickr, CC BY 2.0, made smaller"),
    Sample("mountains", "Mountains", "Aitzol Berasategi, CC BY 4.0, made smaller"),
    Sample("bear", "Bear", "photographer unknown, public domain"),
    Sample("cat", "Cat", "Stefan van der Walt, CC0"),
    Sample("astronaut", "Astronaut", "NASA, public domain"),
    Sample("coffee", "Coffee", "Rachel Michetti, CC0"),
    Sample("giraffes", "Giraffes", "Mike and Lara Wolfe, CC0"),
    Sample("motorcycle", "Motorcycle", "Scharstein et al. 2014, Middlebury stereo, CC0"),
    Sample("cow", "Cow", "Dohduhdah, public domain"),
    Sample("kitten", "Kitten", "GalgenTX, CC BY 2.0, made smaller"),
    Sample("sheep", "Sheep", "Rob Mitchell, public domain"),
    Sample("duck", "Duck", "Bernard Spragg, public domain"),
    Sample("panda", "Panda", "Aaron Logan, CC BY 1.0, made smaller"),
    Sample("scissors", "Scissors", "Modeha, CC BY 1.0"),
    Sample("city", "City", "photographer not named, public domain"),
    Sample("dogs", "Two dogs", "Aitzol Berasategi, CC BY 4.0, made smaller"),
    Sample("horses", "Horses", "Seth Zeigler, public domain"),
    Sample("tiger", "Tiger", "Pexels, CC0", "Hardly a caption it learnt from names a tiger: it takes the nearest word it knows."),
    Sample("temple", "Temple", "danielbuechele on Flickr, CC BY 2.0, made smaller"),
)


def shown() -> Asset:
    """A visitor's own photo if there is one, else the sample that the link names, else the first."""
    own = HELD.own(state.OWN_PHOTO, "Your photo is no longer held here; choose it again.", ":material/image_not_supported:")
    chosen = state.current(state.PHOTO)
    return named(own or (chosen if sample(chosen) else ""))


def named(name: str) -> Asset:
    """The one that a link or the page names; without a name, the first sample."""
    return Asset("photo", name or SAMPLES[0].name)


def sample(name: str) -> Sample | None:
    return next((sample for sample in SAMPLES if sample.name == name), None)


def note(asset: Asset) -> str:
    """What the page says of a sample beside its caption; mostly nothing."""
    found = sample(asset.name)
    return found.note if found else ""


def title(asset: Asset) -> str:
    found = sample(asset.name)
    return found.title if found else "your photo"


def credit(asset: Asset) -> str:
    """Who made it, or that it is the visitor's own."""
    found = sample(asset.name)
    return found.credit if found else "your photo: it stays on this computer"


def picture(asset: Asset) -> Image:
    """InputError when it is one of a visitor's that is no longer held."""
    if not asset.name.startswith(OWN):
        return sample_image(asset.name)
    stored = HELD.get(asset.name)
    if stored is None:
        raise InputError("The photo is no longer held here; choose it again.")
    return _opened(asset.name, stored)


@kept(len(SAMPLES))
def sample_image(name: str) -> Image:
    if name not in [sample.name for sample in SAMPLES]:
        raise InputError(f"There is no sample photo {name[:40]!r}; there are {', '.join(sample.name for sample in SAMPLES)}.")
    return open_photo((FOLDER / f"{name}.jpg").read_bytes()).image


@kept(IMAGES_KEPT, by=lambda name, _: name)
def _opened(name: str, stored: bytes) -> Image:  # noqa: ARG001  the name stands for the content
    """A photo of a session, ready to be looked at."""
    return open_photo(stored).image


def hold(data: bytes, part: str = "upload") -> str:
    """Check a photo and keep what the models and the page need of it for as long as the session lives; its name."""
    switches.demand(part)
    name = OWN + hashlib.sha256(data).hexdigest()[:40]
    if name not in HELD:
        HELD.keep(name, _stored(data))
    return name


def _stored(data: bytes) -> bytes:
    """As many at once as there are processors, since each may take 200 MB while it is opened; nobody waits for ever."""
    if not _opening.acquire(timeout=PATIENCE_SECONDS):
        raise InputError(f"Too many photos are being opened: none was done within {PATIENCE_SECONDS:g} s. Choose yours again.")
    try:
        file = io.BytesIO()
        open_photo(data).image.save(file, "JPEG", quality=95, subsampling=0)
    finally:
        _opening.release()
    return file.getvalue()


@kept(URLS_KEPT)
def url(asset: Asset, side: int) -> str:
    """The photo as a JPEG in a data URL, so wide and high at most."""
    small = picture(asset).copy()
    small.thumbnail((side, side))
    file = io.BytesIO()
    small.save(file, "JPEG", quality=88)
    return "data:image/jpeg;base64," + base64.b64encode(file.getvalue()).decode()
