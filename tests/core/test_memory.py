"""No text takes the memory that everybody needs: measured in a process of its own, with shipped models and the longest source."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from seq2seq_core.config import DecodeSettings
from seq2seq_core.errors import InputError
from seq2seq_core.search.job import MAPS_BYTES, fitting
from tests.core.invariants import tiny_pipeline

ROOT = Path(__file__).parents[2]
MOST_MB = 60
MODELS = ("translation/additive", "translation/multi-head", "summary/copy")
SHORT, LONG = "Ein Hund läuft.", "ß" * 990  # each ß a token, or two
MEASURED = f"""
import ctypes, platform, sys, torch
from seq2seq_core.config import DecodeSettings
from seq2seq_core.pipeline import Pipeline
torch.set_num_threads(1)
if platform.libc_ver()[0] == "glibc":
    ctypes.CDLL(None).mallopt(-3, 256 * 1024)  # as in the app: what was large for one is given back before the next
beam = DecodeSettings(beam_size=10, max_length=200)

def memory(name):
    return next(int(line.split()[1]) for line in open("/proc/self/status") if line.startswith(name)) / 1024

for name in {MODELS!r}:
    model = Pipeline.load(name)
    long = {LONG!r} if name.startswith("translation") else {LONG[::2]!r}
    model.decode({SHORT!r}, beam)
    for ask in (lambda: model.decode(long, beam), lambda: model.score(long, "z" * 600)):
        open("/proc/self/clear_refs", "w").write("5")  # forget the peak so far
        before = memory("VmRSS")
        ask()
        print(memory("VmHWM") - before)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_the_longest_source_takes_little_memory() -> None:
    said = subprocess.run([sys.executable, "-c", MEASURED], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    taken = list(map(float, said.split()))
    assert len(taken) == 2 * len(MODELS)
    assert max(taken) <= MOST_MB, taken


def test_an_output_is_as_long_as_its_attention_can_be_kept() -> None:
    beam = DecodeSettings(beam_size=10)
    assert fitting(beam, 4, 1000) == MAPS_BYTES // (4 * 10 * 4 * 1000)
    assert fitting(DecodeSettings(search="greedy"), 1, 20) > 400
    assert fitting(beam, 0, 0) > 400  # nothing is attended over


def test_a_limit_by_memory_holds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("seq2seq_core.search.job.MAPS_BYTES", 4 * 3 * 5 * 7)  # beam 3, 5 positions: 7 tokens
    trace = tiny_pipeline().decode("abcde", DecodeSettings(beam_size=3, max_length=30, length_penalty=2))
    assert trace.max_length == 7
    with pytest.raises(InputError) as error:
        tiny_pipeline().score("abcde", "abcdabcdabcdabcd")
    assert str(error.value) == "The output has 17 tokens for this model; at most 10 can be scored over 5 positions, so shorten it."


def test_outputs_that_are_too_long_are_not_scored(monkeypatch: pytest.MonkeyPatch) -> None:
    model = tiny_pipeline()
    monkeypatch.setattr("seq2seq_core.search.job.SCORED_NUMBERS", 1000 * model.target_tokenizer.size)
    with pytest.raises(InputError) as error:
        model.score("ab", "a" * 1000)
    assert str(error.value) == "The output has 1,001 tokens for this model; at most 1,000 can be scored, so shorten it."
