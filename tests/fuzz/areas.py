"""Whatever a person or a client may give, made worse: each area is one function that draws a case and hands it to what reads it.

A case that returns was answered; an InputError is the sentence that a person reads; anything else is a fault.
"""

from __future__ import annotations

import io
import tempfile
import zipfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from urllib.parse import urlencode

import numpy as np
import soundfile
import torch
from PIL import Image

from demo import app, state
from demo.edits import read_edits, write_edits
from demo.labs.lessons.files import read_lesson
from demo.lectures.files import read_lecture
from seq2seq_core.config import DecodeSettings
from seq2seq_core.errors import InputError
from seq2seq_core.inputs.animation import MAX_FRAMES, open_clip, open_strip
from seq2seq_core.inputs.photo import open_photo
from seq2seq_core.inputs.recording import open_recording
from seq2seq_core.inputs.sound import features
from seq2seq_core.store import checkpoint, zoo
from seq2seq_core.store.package import FILES, pack_model, unpack_model
from seq2seq_core.tasks import TASKS
from seq2seq_core.toys.tasks import decode_upload, read_own
from seq2seq_core.training import readers
from tests.fuzz.typed import MODELS, Draw, model, text, texts

ROOT = Path(__file__).parents[2]


def mutated(data: bytes, draw: Draw) -> bytes:
    """Bytes changed, put in, taken out, repeated or cut; mostly near the start, where the structure is."""
    changed = bytearray(data)
    for _ in range(draw.randint(1, 4)):
        place = draw.randrange(min(len(changed), draw.choice((32, 300, len(changed))))) if changed else 0
        kind = draw.randrange(6)
        if kind == 0:
            changed[place : place + 1] = draw.randbytes(1)
        elif kind == 1:
            changed[place : place + 4] = draw.choice((b"\xff\xff\xff\xff", bytes(4), b"\x7f\xff\xff\xff", b"9999", b"[[[[", b"\n\t\t\n"))
        elif kind == 2:
            changed[place:place] = draw.randbytes(draw.randint(1, 8))
        elif kind == 3:
            del changed[place : place + draw.randint(1, 8)]
        elif kind == 4:
            changed[place:place] = bytes(changed[place : place + 40]) * draw.choice((1, 2, 500))
        else:
            del changed[place:]
    return bytes(changed)


# -- what is typed, and what a link says ----------------------------------------------------------------------------------


def links(draw: Draw) -> None:
    """What a link says is read, written and read again; and every lab knows what it asks."""
    keys = draw.choices(list(state.fields()), k=draw.randint(1, 8))
    numbers = ("-1", "0", "7", "1e400", "nan", "9" * 5000, "0x10", "١")
    said = [(key, draw.choice((text(draw)[:300], *numbers))) for key in keys]
    values = state.values_of(urlencode(said, errors="replace") if draw.random() < 0.8 else text(draw))
    assert state.values_of(state.query_of(values)) == values
    for lab in app.LABS:
        lab.queries(values)


WILD = ("0.5", "-1", "9e9", "nan", "", "1e-9", "3x0", "99999999x1", "7" * 400)


def edits(draw: Draw) -> None:
    kinds = {"p": (1, 5), "t": (2, 2), "r": (1, 12), "R": (1, 12), "h": (1, 4)}
    parts = []
    for kind in draw.choices(list(kinds), k=draw.randint(1, 4)):
        count = draw.randint(*kinds[kind])
        numbers = [draw.choice(WILD) if draw.random() < 0.05 else str(draw.randint(0, 9)) for _ in range(count)]
        parts.append(kind + draw.choice(",:_").join(numbers))
    written = draw.choice("~;").join(parts) if draw.random() < 0.8 else text(draw)
    found = read_edits(written)
    assert read_edits(write_edits(found)) == found
    model("translation/additive").decode("ein Hund", DecodeSettings(beam_size=3, max_length=6), found)


def names(draw: Draw) -> None:
    pieces = ("translation", "additive", "..", ".", "/", "~", "CON", "a" * 300, "b" * 5000, text(draw))
    zoo.find("/".join(draw.choices(pieces, k=draw.randint(1, 4))), MODELS)


# -- what is uploaded -----------------------------------------------------------------------------------------------------


@cache
def photos_whole() -> tuple[bytes, ...]:
    """One of each kind that is read."""
    chance = np.random.default_rng(0)
    colours = Image.fromarray(chance.integers(0, 256, (60, 80, 3), dtype=np.uint8))
    grey = Image.fromarray(np.arange(4096, dtype=np.uint16).reshape(64, 64))
    kinds: list[tuple[Image.Image, str, dict[str, object]]] = [
        (colours, "JPEG", {}),
        (colours, "JPEG", {"progressive": True}),
        (colours.convert("CMYK"), "JPEG", {}),
        (colours, "PNG", {}),
        (colours.convert("P"), "PNG", {"transparency": 3}),
        (colours.convert("RGBA"), "PNG", {}),
        (grey, "PNG", {}),
        (colours, "WEBP", {}),
        (colours.convert("RGBA"), "WEBP", {"lossless": True}),
        (colours.convert("P"), "GIF", {"save_all": True, "append_images": [colours.convert("P")]}),
    ]
    found = []
    for image, kind, options in kinds:
        file = io.BytesIO()
        image.save(file, kind, **options)
        found.append(file.getvalue())
    return tuple(found)


def photos(draw: Draw) -> None:
    photo = open_photo(mutated(draw.choice(photos_whole()), draw))
    assert photo.image.mode == "RGB"


@cache
def sounds_whole() -> tuple[bytes, ...]:
    """One of each kind that is read."""
    chance = np.random.default_rng(0)
    tone = (0.3 * np.sin(np.arange(12_000) / 7) + 0.01 * chance.standard_normal(12_000)).astype(np.float32)
    kinds: tuple[tuple[str, str, int, int], ...] = (
        ("WAV", "PCM_16", 16_000, 1), ("WAV", "PCM_24", 48_000, 2), ("WAV", "FLOAT", 8_000, 1), ("WAV", "ULAW", 8_000, 1),
        ("WAV", "IMA_ADPCM", 16_000, 1), ("FLAC", "PCM_16", 44_100, 2), ("OGG", "VORBIS", 16_000, 1), ("OGG", "OPUS", 48_000, 1),
        ("MP3", "MPEG_LAYER_III", 44_100, 1),
    )  # fmt: skip
    found = []
    for form, subtype, rate, channels in kinds:
        file = io.BytesIO()
        soundfile.write(file, np.stack([tone] * channels, 1), rate, format=form, subtype=subtype)
        found.append(file.getvalue())
    return tuple(found)


def sounds(draw: Draw) -> None:
    sound = open_recording(mutated(draw.choice(sounds_whole()), draw))
    assert len(sound.samples) <= 20 * 16_000 and np.isfinite(sound.samples).all() and np.abs(sound.samples).max() <= 1
    assert torch.isfinite(features(sound.samples)).all()


@cache
def clips_whole() -> tuple[bytes, ...]:
    """One of each kind that is read, and two that ask for more than is given."""
    found = []
    gifs = [("GIF", count, size) for count, size in ((24, (96, 96)), (3, (40, 30)), (1, (96, 96)), (300, (16, 16)))]
    for form, count, size in (*gifs, ("WEBP", 4, (50, 50)), ("PNG", 4, (48, 64))):
        frames = [Image.new("RGB", size, (9 * place % 256, 80, 160)) for place in range(count)]
        file = io.BytesIO()
        frames[0].save(file, form, save_all=True, append_images=frames[1:], duration=40)
        found.append(file.getvalue())
    return tuple(found)


@cache
def strip_whole() -> bytes:
    """What a camera gives: the frames of a film in one picture."""
    file = io.BytesIO()
    Image.linear_gradient("L").resize((800, 360)).convert("RGB").save(file, "JPEG", quality=90)
    return file.getvalue()


def clips(draw: Draw) -> None:
    if draw.random() < 0.1:
        assert open_strip(mutated(strip_whole(), draw), 15, 120).frames.shape == (15, 120, 120, 3)
        return
    clip = open_clip(mutated(draw.choice(clips_whole()), draw))
    assert clip.frames.shape == (24, 96, 96, 3) and 2 <= clip.taken_of <= MAX_FRAMES


@cache
def members() -> dict[str, bytes]:
    return {name: (MODELS / "transliteration/additive" / name).read_bytes() for name in FILES}


def packages(draw: Draw) -> None:
    """The zip file damaged, or one of its members before it was packed."""
    if draw.random() < 0.4:
        unpack_model(mutated(pack_model(MODELS / "transliteration/additive"), draw))
        return
    file = io.BytesIO()
    bad = draw.choice(FILES)
    nested = (b"[" * 100_000, b'{"a":' * 50_000, b"[" + b"{}," * 200_000 + b"{}]", b"9" * 100_000, b"\xff" * 1000)
    with zipfile.ZipFile(file, "w", draw.choice((zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_LZMA))) as archive:
        for name, content in members().items():
            worse = draw.choice(nested) if draw.random() < 0.3 else mutated(content, draw)
            archive.writestr(name, worse if name == bad else content)
    unpack_model(file.getvalue())


def folders(draw: Draw) -> None:
    """A model folder as a disk or a person may leave it: loaded, and listed among others."""
    with tempfile.TemporaryDirectory(prefix="fuzz-") as place:
        folder = Path(place) / "translation" / "damaged"
        folder.mkdir(parents=True)
        bad = draw.choice(FILES)
        for name, content in members().items():
            if name != bad:
                (folder / name).write_bytes(content)
            elif draw.random() < 0.9:
                (folder / name).write_bytes(mutated(content, draw))
        zoo.list_models(Path(place))
        checkpoint.load(folder)


ROWS = "ein Hund\ta dog\neine Katze\ta cat\n" * 15
LEXICON = "नमस्ते\tnamaste\t3\nघर\tghar\t1\n" * 5
CAPTIONS = "split\timage\tidx\tcaption\n" + "dev\ta.jpg\t0\ta dog runs\ndev\ta.jpg\t1\tone dog\n" * 5


def tables(draw: Draw) -> None:
    """Pairs that are pasted or uploaded, and the files of data sets."""
    if draw.random() < 0.4:
        read_own(decode_upload(mutated(ROWS.encode(), draw)))
        return
    read, content = draw.choice(
        (
            (readers.read_pairs, ROWS),
            (readers.read_lexicon, LEXICON),
            (readers.read_captions, CAPTIONS),
            (readers.read_prose, ROWS),
            (lambda path: readers.read_rows(path, TASKS["translation"]), ROWS),
        )
    )
    with tempfile.TemporaryDirectory(prefix="fuzz-") as place:
        path = Path(place) / "rows.tsv"
        path.write_bytes(mutated(content.encode(), draw))
        try:
            read(path)
        except InputError as error:  # names the file as the person did
            raise InputError(error.whole.replace(str(path), path.name)) from None


BOMBS = (b"&a [*a, *a]\n", b"!!python/object/apply:os.system [x]\n", b"[" * 3000, b"? " * 500, b"a: &x {<<: *x}\n")


def lessons(draw: Draw) -> None:
    lecture = draw.random() < 0.3
    written = sorted((ROOT / ("demo/lectures" if lecture else "demo/labs/lessons")).glob("*.yaml"))
    content = draw.choice(written).read_bytes()
    bomb = draw.choice((*BOMBS, text(draw).encode(errors="replace")))
    content = bomb + content if draw.random() < 0.1 else mutated(content, draw)
    (read_lecture if lecture else read_lesson)("drawn.yaml", content)


AREAS: dict[str, tuple[Callable[[Draw], None], int]] = {  # with the share that each has of 10,000 cases
    "texts": (texts, 1900),
    "links": (links, 900),
    "edits": (edits, 1000),
    "names": (names, 300),
    "photos": (photos, 2100),
    "sounds": (sounds, 1000),
    "clips": (clips, 1000),
    "packages": (packages, 1000),
    "folders": (folders, 500),
    "tables": (tables, 800),
    "lessons": (lessons, 500),
}
