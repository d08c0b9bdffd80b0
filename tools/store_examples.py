"""Decode the examples with the installed models and store their traces under demo/examples: run it when a model has changed."""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from demo import examples, state  # noqa: E402
from demo.app import lab  # noqa: E402
from demo.query import Query  # noqa: E402
from seq2seq_core.pipeline import Pipeline  # noqa: E402


def queries() -> list[Query]:
    """What a visitor who changes no setting asks for first: the German examples, searched both ways, and the first words."""
    values = state.values_of("")
    texts = [one.text for one in (*examples.GERMAN, examples.START)]
    german = [{state.SENTENCE.key: text, state.SEARCH.key: search} for search in ("beam", "greedy") for text in texts]
    asked = [lab("translate").queries(values | one) for one in german] + [lab("transliterate").queries(values)]
    return [query for found in asked for query in found.values()]


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
