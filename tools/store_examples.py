"""Decode the examples with the installed models and store their traces under demo/examples: run it when a model has changed."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from demo import examples  # noqa: E402
from demo.blocks.parting import other_search  # noqa: E402
from demo.query import Query  # noqa: E402
from demo.state import BEAM, LENGTH, TRANSLATION_MODEL, TRANSLITERATION_MODEL  # noqa: E402
from seq2seq_core.config import DecodeSettings  # noqa: E402
from seq2seq_core.pipeline import Pipeline  # noqa: E402


def queries() -> list[Query]:
    """What a visitor who changes no setting asks for first: the German examples, searched both ways, and the first words."""
    beam = DecodeSettings(beam_size=BEAM.default, length_penalty=LENGTH.default)
    greedy = other_search(beam, BEAM.default, LENGTH.default)
    german = [Query(f"translation/{TRANSLATION_MODEL.default}", (one.text,), settings=beam) for one in (*examples.GERMAN, examples.START)]
    both = [*german, *(replace(one, settings=greedy) for one in german if greedy)]
    word = DecodeSettings(beam_size=BEAM.default, length_penalty=0, hypotheses=5)
    return [
        *both,
        Query(f"transliteration/{TRANSLITERATION_MODEL.default}", (examples.LATIN["Hindi"][0].text,), settings=word),
    ]


def main() -> None:
    kept = []
    models: dict[str, Pipeline] = {}
    for query in queries():
        if query.model_id not in models:
            models[query.model_id] = Pipeline.load(query.model_id)
        trace = models[query.model_id].decode(query.text, query.settings)
        kept.append(examples.store(query, trace))
        print(f"{kept[-1].name}: {trace.given_text} -> {trace.text()} ({kept[-1].stat().st_size / 1000:.0f} kB)")
    examples.clear(kept)


if __name__ == "__main__":
    main()
