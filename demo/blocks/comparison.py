"""What Compare puts side by side: which variants, which of them say the same words, where they part, and a table of figures."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from typing import TYPE_CHECKING, Any

import numpy as np

from demo import resources, state
from demo.blocks.parting import span
from demo.blocks.take_along import take_along
from demo.colours import DARK, LIGHT, VARIANTS
from demo.components.outputs.mount import Figure, Row, output_table
from demo.components.player.data import Said
from demo.lab import info_of, trained_on
from demo.query import Query
from demo.wording import CELLS, END, WIRINGS, counted, listed, signed
from seq2seq_core.config import DecodeSettings, ModelConfig, from_dict
from seq2seq_core.tasks import FALLING, headline
from seq2seq_core.trace.differences import first_difference

if TYPE_CHECKING:
    import pandas as pd

    from seq2seq_core.store.zoo import ModelInfo
    from seq2seq_core.tasks import Score
    from seq2seq_core.trace.nodes import Floats
    from seq2seq_core.trace.trace import DecodeTrace

SEARCHES = {
    "greedy": DecodeSettings(search="greedy"),
    "beam 2": DecodeSettings(beam_size=2),
    "beam 5": DecodeSettings(beam_size=5),
    "beam 10": DecodeSettings(beam_size=10),
}
TYPED = "typed words"
SEE_LESS = ("question-only", "hypothesis-only", "mean")
LOOK_OTHERWISE = ("soft", "soft-coverage", "hard", "copy")

LOOKED_AT = Figure("coverage", tip="How much of the source was looked at: the mean over its tokens of min(1, attention received in all).")
HALF_IN = Figure(
    "half in", tip="The fewest cells that carry half of the attention of the whole output: few for a narrow look, many for a wide one."
)
COLUMNS = (
    Figure("log p", tip="Natural logarithm of the probability that the model gives this whole output, its end included."),
    Figure("entropy", tip="Of an attention row, averaged over the steps, in bits: 0 when each step looks at one source token."),
    LOOKED_AT,
    Figure("time", tip="Milliseconds for reading the source and decoding, when it was first computed."),
    Figure("parameters", tip="How many numbers the model has learnt."),
    Figure(
        "dev score",
        tip="On held-out data: BLEU for translation, words exactly right in percent for transliteration, BLEU-4 for captions, "
        "ROUGE-1 for headlines, exact sentences of clips, wrong digits of recordings, right or agreed answers in percent.",
    ),
)


@dataclass(frozen=True, slots=True)
class Entry:
    """One of the things compared, and its answer."""

    name: str
    info: ModelInfo
    trace: DecodeTrace

    @property
    def colors(self) -> tuple[str, str]:
        """On a light and on a dark page."""
        return LIGHT.variant(self.info.variant), DARK.variant(self.info.variant)


def attentions(infos: Sequence[ModelInfo]) -> dict[str, ModelInfo]:
    """The attention variants that are there, in the palette's order, and Transformers."""
    known = {info.variant: info for info in infos}
    others = {info.variant: info for info in infos if info.card["config"].get("body") == "transformer"}
    return {name: known[name] for name in VARIANTS if name in known} | others


def variants(infos: Sequence[ModelInfo]) -> dict[str, ModelInfo]:
    """All that differ in how they look or in what they are given, and not in their cell or their size."""
    known = {info.variant: info for info in infos}
    return {name: known[name] for name in (*SEE_LESS, *VARIANTS, *LOOK_OTHERWISE) if name in known} | attentions(infos)


def by_cell(infos: Sequence[ModelInfo]) -> dict[str, ModelInfo]:
    """Models that differ in their cell alone: of the attention that has the most cells."""
    families: dict[str, dict[str, ModelInfo]] = {}
    for info in infos:
        families.setdefault(info.attention, {}).setdefault(str(info.card["config"]["cell"]), info)
    best = max(families.values(), key=len, default={})
    return {name: best[name] for name in ("rnn", "gru", "lstm") if name in best}


def by_wiring(infos: Sequence[ModelInfo]) -> dict[str, ModelInfo]:
    """The most models that differ in where the context goes and in nothing else: by that place. Empty where there are no two such."""
    families: dict[ModelConfig, dict[str, ModelInfo]] = {}
    for info in infos:
        config = from_dict(ModelConfig, info.card["config"])
        families.setdefault(replace(config, wiring="output"), {}).setdefault(WIRINGS[config.wiring], info)
    most = max(families.values(), key=len, default={})
    return {name: most[name] for name in WIRINGS.values() if name in most} if len(most) > 1 else {}


def answers(queries: Mapping[str, Query]) -> list[Entry]:
    """The trace of each."""
    return [Entry(name, info, resources.answer(query)) for name, query in queries.items() if (info := info_of(query.model_id))]


def data_note(entries: Sequence[Entry]) -> str:
    """Models that learnt from different data, or for different times, differ in more than their kind, and that is said; else nothing."""
    by_data: dict[str, list[str]] = {}
    for entry in entries:
        by_data.setdefault(trained_on(entry.info), []).append(entry.name)
    if len(by_data) < 2:
        epochs = {entry.name: entry.info.card.get("epochs") for entry in entries}
        if len(set(epochs.values())) < 2 or None in epochs.values():
            return ""
        times = listed([f"{name} for {count} epochs" for name, count in epochs.items()])
        return f"Not all that differs here is the model: they were trained for different times, {times}."
    if "" in by_data:
        return ""
    said = "; ".join(f"{listed(names)} from {data}" for data, names in by_data.items())
    return f"Not all that differs here is the model: they learnt from different data, {said}."


def partings(traces: Sequence[DecodeTrace], base: int = 0) -> list[int | None]:
    """The step at which each output parts from one of them; for that one, where the earliest other one leaves it."""
    own = traces[base]
    left = [step for trace in traces if (step := _parts_from(own, trace)) is not None and step < len(own.tokens())]
    return [min(left, default=None) if i == base else _parts_from(trace, own) for i, trace in enumerate(traces)]


def _parts_from(trace: DecodeTrace, base: DecodeTrace) -> int | None:
    """The step of `trace`: in the first word that is another. Models may put the same word together from other pieces."""
    word = first_difference(trace.hypotheses[0].words, base.hypotheses[0].words)
    if word is None:
        return None
    (begin, own), (_, others) = _pieces(trace, word), _pieces(base, word)
    return begin + (first_difference(own, others) or 0)


def _pieces(trace: DecodeTrace, word: int) -> tuple[int, list[str]]:
    """Where a word begins, and what it is made of."""
    tokens, groups = trace.tokens(), trace.hypotheses[0].groups
    places = [place for place, group in enumerate(groups) if group == word]
    return places[0] if places else len(groups), [tokens[place] for place in places]


def best(entries: Sequence[Entry]) -> int:
    """Whose words the others are held against: there is no right answer to a sentence that was typed, so it is the variant that is best
    on held-out data; of equals, such as searches by one model, the first."""
    return max(range(len(entries)), key=lambda i: _worth(entries[i]))


def other_words(trace: DecodeTrace, base: DecodeTrace) -> tuple[int, ...]:
    """The words of an output that the other one does not have at their place."""
    own, others = trace.hypotheses[0].words, base.hypotheses[0].words
    changes = SequenceMatcher(None, others, own, autojunk=False).get_opcodes()
    return tuple(word for change, _, _, begin, end in changes if change != "equal" for word in range(begin, end) if own[word] != END)


def said(entries: Sequence[Entry]) -> list[Said]:
    """Each output as a sentence, with the words that the best variant's output does not have."""
    base = best(entries)
    values = {_dev_value(entry) for entry in entries}
    found = []
    for i, entry in enumerate(entries):
        marked = other_words(entry.trace, entries[base].trace)
        same = entry.trace.hypotheses[0].words == entries[base].trace.hypotheses[0].words
        name, count = entries[base].name, len(marked)
        if i == base:
            note = "best of these on held-out data" if len(values) > 1 else "the others are held against it"
        else:
            note = (
                f"says what {name} says"
                if same
                else f"{count} other word{'' if count == 1 else 's'} than {name}"
                if count
                else f"leaves words of {name} out"
            )
        found.append(Said(note, marked))
    return found


def table(entries: Sequence[Entry], parted: Sequence[int | None], *, key: str, title: str, language: str = "en") -> None:
    """The outputs below each other; in full with their numbers, and to take along."""
    found = rows(entries, parted)
    if state.simple():
        output_table([replace(row, values=()) for row in found], (), key=key, title=title, language=language)
        return
    output_table(found, columns(entries[0]), key=key, title=title, language=language)
    take_along(lambda: frame(entries), key=f"{key}_numbers", name=f"{title} compared", tips=tips(entries[0]))


def tips(entry: Entry) -> dict[str, str]:
    """What the columns of `frame` say."""
    return {name: one.tip for name, one in zip(measured(entry), columns(entry), strict=True)}


def rows(entries: Sequence[Entry], parted: Sequence[int | None]) -> list[Row]:
    """The table: one row for each output, with the words marked where it parts."""
    return [
        Row(
            entry.name,
            entry.trace.text(),
            figures(entry),
            marked=None if step is None or step >= len(entry.trace.tokens()) else span(entry.trace, step),
            colors=entry.colors,
        )
        for entry, step in zip(entries, parted, strict=True)
    ]


def columns(entry: Entry) -> tuple[Figure, ...]:
    """What the table says of each: a caption has far fewer words than its photo has cells, so its coverage would say only how many."""
    return tuple(HALF_IN if one is LOOKED_AT and _is_photo(entry) else one for one in COLUMNS)


def measured(entry: Entry) -> dict[str, Any]:
    """The numbers of one output, by name; None where there is none to give."""
    from seq2seq_core.study.measures import coverage, entropy_bits

    trace, weights = entry.trace, entry.trace.attention()
    covered = coverage(weights)
    looked = {"half_in_cells": None if covered is None else half_in(weights)} if _is_photo(entry) else {"coverage": covered}
    return {
        "logprob": trace.hypotheses[0].total,
        "entropy_bits": None if covered is None else float(entropy_bits(weights).mean()),
        **looked,
        "milliseconds": trace.encode_ms + trace.decode_ms,
        "parameters": entry.info.card.get("parameters"),
        "dev_score": _dev_value(entry),
    }


def frame(entries: Sequence[Entry]) -> pd.DataFrame:
    """The table with its numbers as numbers."""
    import pandas as pd

    return pd.DataFrame([{"name": entry.name, "output": entry.trace.text(), **measured(entry)} for entry in entries])


def models_frame(infos: Sequence[ModelInfo]) -> pd.DataFrame:
    """All that there are of a task, as their cards tell of them."""
    import pandas as pd

    cards = [(info, info.card["config"], info.card.get("data") or {}) for info in infos]
    return pd.DataFrame(
        [
            {
                "model": info.variant,
                "attention": config["attention"],
                "body": "transformer" if config.get("body") == "transformer" else config["cell"],
                "parameters": info.card.get("parameters"),
                "dev_score": None if (found := _dev_found(info.task, info.card)) is None else float(found[1]),
                "measure": found[0].name if found else "",
                "learnt_from": data.get("trained_on", ""),
                "licence": data.get("licence", ""),
            }
            for info, config, data in cards
        ]
    )


def figures(entry: Entry) -> tuple[str, ...]:
    """One value for each of `columns`."""
    found = measured(entry)
    entropy, looked = found["entropy_bits"], found.get("half_in_cells", found.get("coverage"))
    return (
        signed(found["logprob"]),
        "no map" if entropy is None else f"{entropy:.2f} bit",
        "no map" if looked is None else _cells(entry, looked) if _is_photo(entry) else f"{looked:.0%}",
        f"{found['milliseconds']:.0f} ms",
        _millions(found["parameters"]),
        dev_score(entry.trace.task, entry.info.card),
    )


def half_in(weights: Floats) -> int:
    """The fewest positions that together carry half of the attention of all steps."""
    carried = np.sort(weights.sum(0, dtype=np.float64))[::-1].cumsum()
    return int(np.searchsorted(carried, carried[-1] / 2)) + 1


def _cells(entry: Entry, count: int) -> str:
    return counted(count, CELLS.get(entry.trace.parts[0].name, "cell"))


def _is_photo(entry: Entry) -> bool:
    return any(part.grid is not None for part in entry.trace.parts)


def _millions(count: Any) -> str:
    return f"{count / 1e6:.2f} M" if isinstance(count, int) else "–"


def _worth(entry: Entry) -> float:
    """More is better, of errors too; what nobody has measured is worth least."""
    found = _dev_found(entry.trace.task, entry.info.card)
    return -math.inf if found is None else -found[1] if found[0].key in FALLING else found[1]


def _dev_value(entry: Entry) -> float | None:
    found = _dev_found(entry.trace.task, entry.info.card)
    return None if found is None else float(found[1])


def dev_score(task: str, card: Mapping[str, Any]) -> str:
    """The headline of what `evaluate` wrote into the card, on dev data if there is some; else what training saw last."""
    found = _dev_found(task, card)
    return "–" if found is None else found[0].told(found[1])


def _dev_found(task: str, card: Mapping[str, Any]) -> tuple[Score, float] | None:
    recorded = card.get("scores") or {}
    names = sorted(recorded, key=lambda name: "dev" not in name)
    tried = (headline(task, values) for values in [*(recorded[name] for name in names), card.get("training_dev") or {}])
    return next((found for found in tried if found is not None), None)


def color_bar(entry: Entry) -> str:
    """The variant's colour, as a bar to stand above its player. Made of the palette alone: no text of anyone's."""
    light, dark = entry.colors
    return f'<div style="height: 6px; border-radius: 3px; background: light-dark({light}, {dark})"></div>'
