"""The closed set of checks: what each asks for, which parameters it takes, and how the traces answer it."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from demo.blocks.parting import place as counted
from demo.labs.lessons.checks import Asks, Check, Found, Traces, cannot, chosen, numbered, only
from demo.labs.lessons.measures import MEASURES, ends, rows, said_words
from demo.wording import END, called, closed, listed, quote, score_rule
from seq2seq_core.study.measures import entropy_bits
from seq2seq_core.trace.differences import parting

if TYPE_CHECKING:
    from seq2seq_core.trace.nodes import Floats
    from seq2seq_core.trace.trace import DecodeTrace

OFFERED = 4  # outputs or next words to choose from
TIE = 1e-6
QUARTERS: tuple[str, ...] = ("top left", "top right", "bottom left", "bottom right")
YES_NO = ("Yes", "No")


def looks_at(traces: Traces, check: Check) -> Found:
    """Where most of the attention lies while a word is written."""
    trace = only(traces)
    rows(trace)
    words, place = trace.grouped(), output_word(trace, check.word)
    row, word = words.attention[place], words.target[place]
    options, weights = numbered(words.source), row
    if grid := trace.parts[0].grid:
        options, weights = QUARTERS, quarters(row, grid)
    order = [int(i) for i in np.argsort(-weights, kind="stable")]
    said = f"While {quote(word)} is written, {quote(options[order[0]])} has {weights[order[0]]:.2f} of the weight"
    said += f", and next comes {quote(options[order[1]])} with {weights[order[1]]:.2f}." if len(order) > 1 else "."
    step = words.target_members[place][-1] + 1
    return chosen(options, best(weights), said, step=step, word=word.strip())


def best_output(traces: Traces, _: Check) -> Found:
    """Which of the outputs that the search found has the highest score."""
    trace = only(traces)
    kept = {found.text: found for found in reversed(trace.hypotheses[:OFFERED])}
    if len(kept) < 2:
        raise cannot("The search found a single output")
    ranked = sorted(kept.values(), key=lambda found: -found.score)
    options = tuple(sorted(kept))
    scores = listed([f"{quote(found.text)} {MEASURES['score'].written(found.score)}" for found in ranked])
    how = score_rule(trace.settings.length_penalty, listed=trace.is_listed)
    return chosen(options, (options.index(trace.hypotheses[0].text),), f"The score is {how}: {scores}.")


def same_outputs(traces: Traces, _: Check) -> Found:
    """Whether all states give the same output."""
    same = len({trace.text() for trace in traces.values()}) == 1
    outputs = listed([f"{quote(trace.text())} ({name})" for name, trace in traces.items()])
    said = closed(f"All of them write {quote(only(traces).text())}") if same else f"The outputs are {outputs}."
    return chosen(("They are the same", "They differ"), (0 if same else 1,), said)


def higher(traces: Traces, check: Check) -> Found:
    """Which state has the highest, or lowest, value of a measure."""
    measure = MEASURES[check.measure]
    values = np.array([measure.of(trace, check.reference) for trace in traces.values()])
    shown = listed([f"{measure.written(value)} for {name}" for name, value in zip(traces, values, strict=True)])
    right = best(values if check.which == "highest" else -values)
    return chosen(tuple(traces), right, f"The {measure.said} is {shown}.")


def number(traces: Traces, check: Check) -> Found:
    """A measure of one state."""
    measure = MEASURES[check.measure]
    value = measure.of(only(traces), check.reference)
    allowed = f" Within {check.within:g} counts as right." if check.within else ""
    said = f"The {measure.said} is {measure.written(value)}.{allowed}"
    return Found(said, value=round(value, 2), within=check.within, expected=measure.written(value))


def next_word(traces: Traces, check: Check) -> Found:
    """Which token is the most probable one at a step, counted from 1 after a given beginning."""
    trace = only(traces)
    path = trace.path()
    begin = next((step for step, node in enumerate(path) if step >= trace.prompt and not node.forced), len(path))
    step = begin + check.at - 1
    if step >= len(path):
        raise cannot(f"The output ends before step {check.at}")
    ranked = {("the end" if one.token == END else one.token.strip() or one.token): one.logprob for one in reversed(path[step].candidates)}
    top = sorted(ranked.items(), key=lambda pair: -pair[1])[:OFFERED]
    options = tuple(sorted(name for name, _ in top))
    before = "".join(node.token for node in path[:step]).strip()
    after = f"After {quote(before)}" if before else "At the very beginning"
    said = f"{after} the probabilities are {listed([f'{math.exp(logprob):.2f} for {quote(name)}' for name, logprob in top])}."
    return chosen(options, (options.index(top[0][0]),), said, step=step + 1)


def output_text(traces: Traces, _: Check) -> Found:
    """The whole output, as a free prediction; case and punctuation do not count."""
    text = only(traces).text()
    return Found(closed(f"The model writes {quote(text)}"), text=text, expected=text)


def parts_at(traces: Traces, _: Check) -> Found:
    """The word of the first state's output where the second state's output leaves it."""
    (one, first), (other, second) = list(traces.items())[:2]
    words, groups = said_words(first), first.hypotheses[0].groups
    options = (*numbered(words), "only at the end", "nowhere")
    found = parting(first, second)
    if found is None:
        return chosen(options, (len(options) - 1,), closed(f"Both write {quote(first.text())}"))
    place = min(list(dict.fromkeys(groups)).index(groups[found.step]), len(words))
    written = [
        f"{name} takes {called(node.token, 'the end sign')} (p = {math.exp(node.logprob):.2f})"
        for name, node in ((one, found.one), (other, found.other))
    ]
    return chosen(
        options,
        (place,),
        closed(f"At {counted(first, found.step, words=True)} {written[0]}, and {written[1]}. The second output is {quote(second.text())}"),
    )


def left_to_right(traces: Traces, _: Check) -> Found:
    """Whether the place looked at most never steps back from one word to the next."""
    trace = only(traces)
    rows(trace)
    words = trace.grouped()
    kept = [i for i, end in enumerate(ends(trace)) if not end]
    places = [int(words.attention[i].argmax()) for i in kept]
    for i, (before, after) in enumerate(pairwise(places)):
        if after < before:
            came, went = quote(words.source[before]), quote(words.source[after])
            said = f"It steps back at {quote(words.target[kept[i + 1]])}: from {came} to {went}."
            return chosen(YES_NO, (1,), said, step=words.target_members[kept[i + 1]][-1] + 1)
    return chosen(YES_NO, (0,), f"Over the {len(kept)} units of the output the place looked at most never steps back.")


def which_word(traces: Traces, check: Check) -> Found:
    """The output word with the highest, or lowest, probability or attention entropy."""
    trace = only(traces)
    path, words = trace.path(), trace.grouped()
    kept = [i for i, end in enumerate(ends(trace)) if not end]
    if check.measure == "entropy":
        rows(trace)
        values = entropy_bits(words.attention[kept])
    else:
        values = np.array([sum(path[step].logprob for step in words.target_members[i]) for i in kept])
    ranked = values if check.which == "highest" else -values
    order = [int(i) for i in np.argsort(-ranked, kind="stable")][:2]
    shown = [f"{values[i]:.2f} bit" if check.measure == "entropy" else f"{math.exp(values[i]):.3g}" for i in order]
    options = numbered(tuple(words.target[i] for i in kept))
    said = f"{quote(options[order[0]])} has the {check.which} {check.measure}, {shown[0]}"
    said += f"; next comes {quote(options[order[1]])} with {shown[1]}." if len(order) > 1 else "."
    return chosen(options, best(ranked), said, step=words.target_members[kept[order[0]]][-1] + 1)


def says(traces: Traces, check: Check) -> Found:
    """Whether a word is in the output."""
    trace = only(traces)
    there = str(check.word).casefold() in [word.strip().casefold() for word in said_words(trace)]
    said = f"The model writes {quote(trace.text())}: {quote(str(check.word))} is {'in it' if there else 'not in it'}."
    return replace(chosen(YES_NO, (0 if there else 1,), said), names={"word": str(check.word)})


def best(values: Floats | np.ndarray) -> tuple[int, ...]:
    """The places of the highest value: several when they tie."""
    return tuple(int(i) for i in np.flatnonzero(values >= values.max() - TIE))


def output_word(trace: DecodeTrace, word: str | int) -> int:
    """The place of a word among the output's words."""
    words = trace.hypotheses[0].words
    kept = [i for i, end in enumerate(ends(trace)) if not end]
    if isinstance(word, int):
        if 1 <= word <= len(kept):
            return kept[word - 1]
        raise cannot(f"The output {quote(trace.text())} has {len(kept)} words, not {word}")
    for i in kept:
        if words[i].strip().casefold() == word.casefold():
            return i
    raise cannot(f"The output here is {quote(trace.text())}, without {quote(word)}")


def quarters(row: Floats, grid: tuple[int, int]) -> Floats:
    """The weight in each quarter of a photo; a cell in the middle of an odd grid is shared out."""
    tall, wide = (np.clip(count / 2 - np.arange(count), 0, 1) for count in grid)
    weights = row.reshape(grid)
    parts = [up @ weights @ left for up in (tall, 1 - tall) for left in (wide, 1 - wide)]
    return np.array(parts, dtype=np.float32)


@dataclass(frozen=True, slots=True)
class Kind:
    """`needs` are the parameters it must have, `takes` those it may have; `spoilt` says that the output gives the answer away."""

    run: Callable[[Traces, Check], Found]
    asks: Asks
    needs: tuple[str, ...] = ()
    takes: tuple[str, ...] = ()
    states: tuple[int, int] = (1, 1)  # how many it compares
    measures: tuple[str, ...] = tuple(MEASURES)
    spoilt: bool = True


KINDS: Mapping[str, Kind] = {
    "looks at": Kind(looks_at, "a source word", needs=("word",), spoilt=False),
    "best output": Kind(best_output, "an output"),
    "same outputs": Kind(same_outputs, "one", states=(2, 7)),
    "higher": Kind(higher, "one", needs=("measure",), takes=("which", "reference"), states=(2, 7), spoilt=False),
    "number": Kind(number, "a number", needs=("measure",), takes=("within", "reference"), spoilt=False),
    "next word": Kind(next_word, "one", takes=("at",)),
    "output text": Kind(output_text, "your prediction"),
    "parts at": Kind(parts_at, "a word of the output", states=(2, 2)),
    "left to right": Kind(left_to_right, "one", spoilt=False),
    "which word": Kind(
        which_word, "a word of the output", needs=("measure",), takes=("which",), measures=("probability", "entropy"), spoilt=False
    ),
    "says": Kind(says, "one", needs=("word",)),
}


def find(traces: Traces, check: Check) -> Found:
    """The right answer; InputError where the traces cannot answer this question."""
    return KINDS[check.kind].run(traces, check)
