"""No photo keeps the decoder busy or fills memory: what would is refused before it is decoded, or decoded a part at a time."""

from __future__ import annotations

import io
import random
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from PIL.JpegImagePlugin import JpegImageFile

from seq2seq_core.errors import InputError
from seq2seq_core.inputs.photo import open_photo

ROOT = Path(__file__).parents[3]
MEASURED = """
import sys
from pathlib import Path
from seq2seq_core.inputs.photo import open_photo

def memory(name):
    return next(int(line.split()[1]) for line in open("/proc/self/status") if line.startswith(name)) / 1024

for path in sys.argv[1:]:
    data = Path(path).read_bytes()
    open("/proc/self/clear_refs", "w").write("5")  # forget the peak so far
    before = memory("VmRSS")
    open_photo(data)
    print(memory("VmHWM") - before)
"""


def saved(image: Image.Image, kind: str = "JPEG", **options: object) -> bytes:
    file = io.BytesIO()
    image.save(file, kind, **options)
    return file.getvalue()


def refused(data: bytes) -> str:
    with pytest.raises(InputError) as caught:
        open_photo(data)
    return str(caught.value)


def with_scans(count: int, side: int = 4900) -> bytes:
    """A progressive picture in which the last pass, a few bytes, stands so many times."""
    whole = saved(Image.new("RGB", (side, side)), progressive=True)
    last = whole.rindex(b"\xff\xda")
    return whole[:last] + whole[last:-2] * count + whole[-2:]


def test_a_picture_of_thousands_of_passes_is_refused_before_decoding(monkeypatch: pytest.MonkeyPatch) -> None:
    data = with_scans(5000)
    monkeypatch.setattr(JpegImageFile, "load", lambda _: pytest.fail("it was decoded"))
    assert refused(data) == "The picture is stored in more than 100 passes, as no camera does; save it again and upload that."


def test_passes_are_counted_in_the_picture_alone() -> None:
    assert open_photo(with_scans(20, 64)).original_size == (64, 64)
    film = random.Random(0).randbytes(500) + b"\xff\xda\x00\x08" * 200  # as phones put behind a photo
    assert open_photo(saved(Image.new("RGB", (60, 40))) + film).original_size == (60, 40)
    hidden = with_scans(300, 64)
    comment = b"\xff\xfe\x00\x04\xff\xd9"  # what looks like the end stands in a comment
    first = hidden.index(b"\xff\xda")
    assert "passes" in refused(hidden[:first] + comment + hidden[first:])


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_a_large_picture_of_any_mode_takes_no_second_copy_of_full_size(tmp_path: Path) -> None:
    modes = ("I;16", "RGBA", "LA")
    for mode in modes:
        image = Image.fromarray(np.zeros((5000, 5000), np.uint16)) if mode == "I;16" else Image.new(mode, (5000, 5000))
        (tmp_path / mode).write_bytes(saved(image, "PNG", compress_level=1))
    command = [sys.executable, "-c", MEASURED, *(str(tmp_path / mode) for mode in modes)]
    taken = dict(zip(modes, map(float, subprocess.run(command, cwd=ROOT, capture_output=True, check=True).stdout.split()), strict=True))
    assert max(taken.values()) < 220, taken
