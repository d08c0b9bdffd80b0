"""Hand-made traces for the tests of everything that draws: every token, weight and probability is written here."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import regex

from seq2seq_core.config import DecodeSettings, Network
from seq2seq_core.trace.steering import Steering
from seq2seq_core.trace.trace import DecodeTrace, Head, Hypothesis, NodeTable, Part

EOS = 2
FIRST = 4


def graphemes_of(symbols: Sequence[str]) -> tuple[int, ...]:
    """One group per grapheme cluster."""
    clusters = regex.findall(r"\X", "".join(symbols).replace("</s>", "\n"))
    return tuple(i for i, cluster in enumerate(clusters) for _ in cluster)


def groups_of(tokens: Sequence[str]) -> tuple[int, ...]:
    """A token that begins with a space, or holds no letter, opens a group; the end sign is one of its own."""
    groups: list[int] = []
    for token in tokens:
        opens = not groups or token.startswith(" ") or token == "</s>" or not token.strip().isalpha()
        groups.append((groups[-1] + 1 if groups else 0) if opens else groups[-1])
    return tuple(groups)


def words_of(tokens: Sequence[str], groups: Sequence[int]) -> tuple[str, ...]:
    return tuple("".join(t for t, g in zip(tokens, groups, strict=True) if g == group).strip() for group in dict.fromkeys(groups))


def text_source(tokens: Sequence[str], graphemes: bool = False, name: str = "text") -> Part:
    """Source tokens as written; one that follows a space in the text carries it here and loses it there."""
    text = "".join(tokens).strip()
    spans, at = [], 0
    for token in tokens:
        at = text.index(token.strip(), at)
        spans.append((at, at + len(token.strip())))
        at = spans[-1][1]
    bare = tuple(token.strip() for token in tokens)
    groups = (graphemes_of if graphemes else groups_of)(tokens)
    return Part(name, bare, groups, text, tuple(spans), tuple(range(FIRST, FIRST + len(bare))))


def image_source(rows: int, columns: int, size: tuple[int, int]) -> Part:
    return Part.of_grid("photo", (rows, columns), size)


def diagonal(steps: int, heads: int, positions: int, sharpness: float = 1.5) -> np.ndarray:
    """[T, K, S] weights that walk along the source; each head looks a little further on."""
    t, k, s = np.meshgrid(np.arange(steps), np.arange(heads), np.arange(positions), indexing="ij")
    centre = t * (positions - 1) / max(1, steps - 1) + k * 0.8
    weights = np.exp(-np.abs(s - centre) * sharpness) + 0.002 * ((s * 7 + t * 3) % 5)
    return np.asarray(weights / weights.sum(-1, keepdims=True), dtype=np.float32)


def heads_of(count: int) -> tuple[Head, ...]:
    return tuple(Head(f"head {place + 1}" if count > 1 else "attention") for place in range(count))


def make_trace(
    target: Sequence[str],
    source: Part | None = None,
    *,
    attention: np.ndarray | None = None,
    heads: int = 1,
    task: str = "translation",
    model_id: str = "translation/additive",
    steering: Steering | None = None,
    glimpses: Sequence[int] = (),
    probabilities: Sequence[float] | None = None,
    others: Sequence[str] = (" a", " the", " it", "s", "."),
    network: Network | None = None,
) -> DecodeTrace:
    """One greedy hypothesis. `target` holds display tokens, the end sign "</s>" included; heads=0: no attention map."""
    positions = source.positions if source else 0
    steps = len(target)
    weights = attention if attention is not None else diagonal(steps, heads, positions)
    if heads == 0 or source is None:
        weights = np.zeros((steps, 0, positions), dtype=np.float32)
    words = {EOS: "</s>"}
    ids = []
    for token in (*target, *others):
        ids.append(EOS if token == "</s>" else next((i for i, w in words.items() if w == token), FIRST + len(words)))
        words[ids[-1]] = token
    p = np.array(probabilities or [0.9 - 0.5 * ((7 * t) % 10) / 10 for t in range(steps)])
    table = _table(ids, steps, p, weights, words, glimpses)
    groups = (graphemes_of if task == "transliteration" else groups_of)(target)
    text = "".join(target[:-1] if target[-1] == "</s>" else target).strip()
    total = float(np.log(p).sum())
    best = Hypothesis(steps - 1, text, text, total, total / steps**0.7, steps, groups, words_of(target, groups))
    return DecodeTrace(
        task, model_id, DecodeSettings(search="greedy"), steering or Steering(),
        (source,) if source else (), heads_of(weights.shape[1]), 0, 200, table,
        tuple((t,) for t in range(steps - 1)) + ((),), tuple(table.score.tolist()), (best,), 1.0, 2.0, network,
    )  # fmt: skip


def _table(ids: list[int], steps: int, p: np.ndarray, weights: np.ndarray, words: dict[int, str], glimpses: Sequence[int]) -> NodeTable:
    rivals = ids[steps:]
    candidates = np.full((steps, 1 + len(rivals)), -1, dtype=np.int64)
    logprobs = np.zeros(candidates.shape, dtype=np.float32)
    for t in range(steps):
        row = [(ids[t], float(p[t]))] + [(r, (1 - float(p[t])) * 0.5 ** (i + 1)) for i, r in enumerate(rivals) if r != ids[t]]
        row.sort(key=lambda pair: -pair[1])
        for c, (token, probability) in enumerate(row):
            candidates[t, c], logprobs[t, c] = token, math.log(probability)
    logs = np.log(p).astype(np.float32).astype(np.float64)
    columns: dict[str, Any] = {
        "parent": np.arange(steps) - 1, "step": np.arange(steps), "token_id": np.array(ids[:steps]), "logprob": logs,
        "total": np.cumsum(logs), "score": np.cumsum(logs) / np.arange(1, steps + 1) ** 0.7, "rank": np.zeros(steps, dtype=np.int64),
        "state": np.array([0] * (steps - 1) + [1], dtype=np.int8), "why": np.zeros(steps, dtype=np.int8),
        "forced": np.zeros(steps, dtype=bool), "row": np.arange(steps), "attention": weights, "candidate_ids": candidates,
        "candidate_logprobs": logprobs, "marks": {"glimpse": np.array(glimpses)} if glimpses else {}, "words": words,
    }  # fmt: skip
    return NodeTable(**columns)


def dog_trace(**changes: Any) -> DecodeTrace:
    source = text_source(["Ein", " Hund", " läuft", " am", " Strand", " ent", "lang", "."])
    target = [" A", " dog", " is", " run", "ning", " along", " the", " beach", ".", "</s>"]
    looks = [0, 1, 2, 2, 2, 5, 3, 4, 7, 7]
    weights = np.full((len(target), 1, 8), 0.01, dtype=np.float64)
    for t, s in enumerate(looks):
        weights[t, 0, s] += 0.62
        weights[t, 0, (s + 1) % 8] += 0.2
        weights[t, 0, (s + 3) % 8] += 0.1
    weights[1, 0] = 0.19 / 7
    weights[1, 0, 1] = 0.81
    return make_trace(target, changes.pop("source", source), attention=changes.pop("attention", weights.astype(np.float32)), **changes)


def parts_trace(
    target: Sequence[str],
    parts: Sequence[Part] = (),
    heads: Sequence[Head] = (),
    *,
    prompt: int = 0,
    forced: Sequence[int] = (),
    marks: dict[str, Sequence[float]] | None = None,
    **changes: Any,
) -> DecodeTrace:
    """The same over any parts: each head walks along its own, a little further than the head before."""
    trace = make_trace(target, **changes)
    borders = [0, *np.cumsum([part.positions for part in parts])]
    weights = np.zeros((len(target), len(heads), borders[-1]), dtype=np.float32)
    for k, head in enumerate(heads):
        start, end = borders[head.part : head.part + 2]
        weights[:, k, start:end] = diagonal(len(target), k + 1, end - start)[:, k]
    table = replace(
        trace.nodes,
        attention=weights,
        forced=np.isin(np.arange(len(target)), forced),
        marks={name: np.array(values) for name, values in (marks or {}).items()},
    )
    said = "".join(token for token in target[prompt:] if token != "</s>").strip()
    best = replace(trace.hypotheses[0], answer=said)
    return replace(trace, parts=tuple(parts), heads=tuple(heads), prompt=prompt, nodes=table, hypotheses=(best,))


def premise_trace() -> DecodeTrace:
    """Two texts beside each other, two heads for the first and one for the second, a gate, and a word that a person forced."""
    premise = text_source(["Ein", " Hund", " läuft", " am", " Strand", "."], name="premise")
    hypothesis = text_source(["Ein", " Tier", " schläft", "."], name="hypothesis")
    heads = (Head("premise"), Head("hypothesis", 1), Head("again", 0, 1))
    marks = {"gate": [0.91, 0.4, 0.07, 0.55, 0.2, 0.33], "copied": [3, 4, 7, 8, 9, 9]}
    return parts_trace([" It", " does", " not", " follow", ".", "</s>"], (premise, hypothesis), heads, forced=(2,), marks=marks)


def question_trace() -> DecodeTrace:
    """A photo and a question about it, a head for each, after a prompt."""
    photo, question = image_source(4, 6, (640, 440)), text_source(["Was", " für", " ein", " Tier", " ist", " das", "?"], name="question")
    target, heads = [" The", " animal", " is", " a", " dog", ".", "</s>"], (Head("photo"), Head("question", 1))
    return parts_trace(target, (photo, question), heads, prompt=3, task="captioning", model_id="captioning/soft")
