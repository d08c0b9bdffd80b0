from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from seq2seq_core.config import ATTENTIONS, DecodeSettings
from tests.core.invariants import tiny_pipeline

TEXTS = ["abc d", "h", "gg fed cba", "ab", "hgfedcba abc", "a b c d e f", "dd", "feed a bad cab"]


@pytest.mark.parametrize("attention", ATTENTIONS)
def test_eight_threads_sharing_one_model_give_the_serial_answers(attention: str) -> None:
    pipeline = tiny_pipeline(3, eos=-1.0, attention=attention)
    jobs = [(text, DecodeSettings(search=how, beam_size=3, max_length=10)) for how in ("greedy", "beam", "sample") for text in TEXTS]
    serial = [pipeline.decode(*job).nodes for job in jobs]
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)  # so that threads meet in the middle of a step
    try:
        with ThreadPoolExecutor(8) as pool:
            for _ in range(2):
                shared = pool.map(lambda job: pipeline.decode(*job).nodes, jobs)
                assert all(one == other for one, other in zip(shared, serial, strict=True))
    finally:
        sys.setswitchinterval(interval)
