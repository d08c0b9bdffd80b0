"""Quality against length: stored results of whole dev sets, or a sample computed now whose failures can be opened."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import streamlit as st

from demo import controls, resources, state
from demo.app import lab
from demo.blocks import answer
from demo.blocks.comparison import attentions
from demo.blocks.parting import span
from demo.blocks.source import no_model, tell_of
from demo.blocks.take_along import take_along
from demo.components.outputs.mount import Figure, Row, output_table
from demo.examples import LONG
from demo.labs.bottleneck import results as bottleneck_results
from demo.labs.bottleneck.data import Pair, own_pairs, typed_pairs
from demo.labs.bottleneck.failures import failing, remember_bar
from demo.labs.bottleneck.results import MEASURES, Result, alike, gap_between
from demo.tasks import TASKS, of_text
from demo.wording import change, plain
from seq2seq_core.tasks import FALLING, METRICS
from seq2seq_core.trace.differences import first_difference

if TYPE_CHECKING:
    import pandas as pd

    from seq2seq_core.training.intervals import Interval

CHART = {"displayModeBar": False}
SPOKEN = "speech"  # its sources cannot be typed: it has stored results alone
IN_WORDS = {  # what a measure says, for simple
    "bleu": "how near to a good translation, 0 to 100",
    "exact": "exactly right, %",
    "error": "wrong digits, %",
}
LABELS = {"bleu": "BLEU", "exact": "exactly right, %", "error": "digit errors, %"}
KNOWN = {  # of our own pairs, by the unit of their length
    "words": "Our own everyday sentences and picture descriptions; BLEU of so few sentences is rough, so the intervals are wide.",
    "letters": "Our own common words. Most were in the training data, those of the dev set were not.",
}


def part() -> None:
    measured = [task for task in (*of_text(), SPOKEN) if METRICS[TASKS[task].core.metric].headline in MEASURES]
    tasks = [task for task in measured if attentions(resources.installed(task))]
    task = state.current(state.TASK) if state.current(state.TASK) in tasks else (tasks or measured)[0]
    pairs, results = choose(tasks, task)
    if not tasks:
        no_model(task)
    elif not results:
        nothing(task, pairs)
    else:
        same, others = alike(results)
        if not pairs:
            opening(task, same)
        show(task, same)
        if others:
            st.caption(f"Not shown, because it was scored on other sentences: {plain(', '.join(others))}.")
        if task != SPOKEN and (not state.simple() or state.current(state.BUCKET)):
            failing(task, same, pairs)


def choose(tasks: list[str], task: str) -> tuple[tuple[Pair, ...], list[Result]]:
    """The controls, and what they ask for; without pairs the results are stored ones."""
    known = attentions(resources.installed(task))
    pairs: tuple[Pair, ...] = ()
    with st.container(horizontal=True, vertical_alignment="top", gap="medium"):
        if len(tasks) > 1:
            with st.container(width=170):
                controls.menu(state.TASK, tasks)
        sets = bottleneck_results.dev_sets(task)
        if state.simple() and state.current(state.SAMPLE) == "dev set":
            sample, chosen = "dev set", state.current(state.DEV_SET)
            chosen = chosen if chosen in sets else next(iter(sets), "")
        else:
            sample = "dev set" if task == SPOKEN else controls.segments(state.SAMPLE)
            if sample == "dev set":
                with st.container(width=200):
                    chosen = controls.menu(state.DEV_SET, sets)
    variants = controls.several(state.SHOWN, list(known))
    tell_of(*variants)
    if sample == "dev set":
        return (), bottleneck_results.stored(task, chosen, variants)
    if sample == "our own":
        pairs = own_pairs(task)
        st.caption(KNOWN[TASKS[task].unit])
    else:
        pairs = typed_pairs(controls.lines(state.PAIRS, placeholder="Der Hund schläft. | The dog is sleeping."))
    for variant in variants:
        answer.load(known[variant].id)
    return pairs, bottleneck_results.computed(task, pairs, variants)


def nothing(task: str, pairs: Sequence[Pair]) -> None:
    if state.current(state.SAMPLE) == "yours" and not pairs:
        st.info("Write pairs above: a source, then |, then what it should become. They are decoded at once.", icon=":material/edit:")
    elif not state.current(state.SHOWN):
        st.info("Choose at least one variant.", icon=":material/bar_chart:")
    else:
        st.info(
            f"No installed {task} model has stored results by length; choose our own sentences, which are decoded now.",
            icon=":material/info:",
        )


def opening(task: str, results: Sequence[Result]) -> None:
    """The two variants that are compared in one claim, and one long sentence through both."""
    known = {result.variant: result for result in results}
    base, other = (known.get(state.current(field)) for field in (state.BASE, state.OTHER))
    if base is None or other is None:
        return
    said = claim(base, other, TASKS[task].unit)
    if said:
        st.header(said, anchor=False)
    if task == "translation":
        long_sentence([base.variant, other.variant])


def claim(base: Result, other: Result, unit: str) -> str:
    """What the longest sources cost, if that is beyond doubt."""
    found = gap_between(base, other)
    if found is None or found.longest.low <= 0:
        return ""
    points = "percentage points" if base.measure != "bleu" else "of 100 points" if state.simple() else "BLEU"
    one, first = "one vector" if base.variant == "none" else base.variant, base.lengths[-1][0]
    return f"From {first} {unit} on, {one} costs {found.longest.value:.0f} {points}."


def long_sentence(variants: Sequence[str]) -> None:
    """What becomes of more words than one vector holds: each output, underlined from where it leaves the last one's words."""
    values = state.values_of("") | {state.SENTENCE.key: LONG.text, state.COMPARED.key: tuple(variants)}
    traces = {name: answer.trace_of(query) for name, query in lab("compare").queries(values).items()}
    kept = traces[variants[-1]]
    rows = []
    for name, trace in traces.items():
        parts = first_difference(kept.tokens(), trace.tokens())
        end = len(trace.text())
        rows.append(Row(name, trace.text(), marked=None if parts is None else (span(trace, parts)[0], end)))
    output_table(rows, key="long_sentence", title=LONG.text, header="becomes")


def show(task: str, results: list[Result]) -> None:
    """The chart with what it shows in words beside it, and the numbers under it; in simple the chart alone."""
    if state.simple():
        chart(task, results, IN_WORDS[results[0].measure])
        better = "lower" if results[0].measure in FALLING else "higher"
        st.caption(
            f"From short sources to long ones; {better} is better. The dash is the number; the bar is as high as chance could move it."
        )
        return
    left, right = st.columns([5, 3], gap="medium")
    with left:
        live = chart(task, results, LABELS[results[0].measure])
    with right:
        gap_in_words(task, results)
        click = (
            ""
            if task == SPOKEN
            else " Click a bar to open its failures"
            + ("." if live else ", in our own sentences of that length: those of this set are not ours to show.")
        )
        st.caption(f"Quarters by source length. A bar spans the 95 % bootstrap interval over sentences, the dash is the score.{click}")
    numbers(task, results)


def chart(task: str, results: list[Result], label: str) -> bool:
    """The results by length; whether they were computed just now."""
    from demo.labs.bottleneck.charts import length_chart

    live = bool(results[0].outputs)
    alt = f"{label} by length of the source for {', '.join(result.variant for result in results)}."
    if not state.simple():
        alt = alt[:-1] + "; the table below has the numbers."
    figure = length_chart(results, TASKS[task].unit, label, 420 if live else 360)
    key = "lengths" if live else "stored_lengths"
    st.plotly_chart(figure, key=key, config=CHART, on_select=lambda: remember_bar(key), selection_mode="points", alt=alt)
    return live


def gap_in_words(task: str, results: Sequence[Result]) -> None:
    """What the two chosen variants differ by, on average and by length: every number is computed from the sentences."""
    known = {result.variant: result for result in results}
    if len(known) < 2:
        st.info("With a second variant the gap between the two is said here.", icon=":material/bar_chart:")
        return
    with st.container(horizontal=True, gap="small"):
        base = known[controls.menu(state.BASE, list(known))]
        others = [name for name in known if name != base.variant]
        other = known[controls.menu(state.OTHER, others)]
    for sentence in findings(base, other, TASKS[task].unit):
        st.markdown(sentence)


def findings(base: Result, other: Result, unit: str) -> list[str]:
    """The two findings in words."""
    points = "BLEU" if base.measure == "bleu" else "percentage points"
    ends = [f"{base.names[place]} {unit}, n = {base.buckets[place]['n']:,}" for place in (0, -1)]
    found = gap_between(base, other)
    scores = f"{other.variant} {other.value:.1f}, {base.variant} {base.value:.1f}"
    if found is None:
        better = -1 if base.measure in FALLING else 1
        rough = [better * (other.score(place)[0] - base.score(place)[0]) for place in (0, len(base.buckets) - 1)]
        return [
            f"**On average:** {scores}: a gap of {change(better * (other.value - base.value))} {points} (n = {base.n:,}).",
            f"**Where it sits:** {change(rough[0])} among the shortest ({ends[0]}), {change(rough[1])} among the longest ({ends[1]}).",
            "No interval can be given for the gap: the results of each sentence are not stored with both models.",
        ]
    sure = "" if found.average.low > 0 or found.average.high < 0 else " The interval includes 0: no difference is shown."
    if found.widening.low > 0:
        verdict = f"The gap grows with length, by {_range(found.widening)}."
    elif found.widening.high < 0:
        verdict = f"The gap shrinks with length, by {_range(found.widening)}."
    else:
        verdict = f"It changes by {_range(found.widening)}: this includes 0, so a change with length is not shown."
    return [
        f"**On average:** {scores}: a gap of {_range(found.average)} {points}, n = {base.n:,}.{sure}",
        f"**Where it sits:** {_range(found.shortest)} among the shortest ({ends[0]}); "
        f"{_range(found.longest)} among the longest ({ends[1]}). {verdict}",
    ]


def _range(found: Interval) -> str:
    return f"{change(found.value)} [{change(found.low)}, {change(found.high)}]"


def numbers(task: str, results: Sequence[Result]) -> None:
    """The chart as a table."""
    columns = [
        Figure(name, tip=f"Sources of {name} {TASKS[task].unit}: n = {bucket['n']:,}.")
        for name, bucket in zip(results[0].names, results[0].buckets, strict=True)
    ]
    rows = []
    for result in results:
        scores = [result.score(place) for place in range(len(result.buckets))]
        values = tuple(f"{value:.1f} [{low:.1f}, {high:.1f}]" for value, low, high in scores)
        rows.append(Row("", result.variant, (f"{result.value:.1f}", *values)))
    sizes = " + ".join(f"{bucket['n']:,}" for bucket in results[0].buckets)
    output_table(
        rows, (Figure("all", tip="Of the whole set."), *columns), key="length_table", header="variant",
        title=f"{MEASURES[results[0].measure]} by length in {TASKS[task].unit}", note=f"n = {sizes} = {results[0].n:,}",
    )  # fmt: skip
    tips = {"length": f"In {TASKS[task].unit}.", "low": "Of the 95 % bootstrap interval over sentences.", "n": "How many sources."}
    take_along(lambda: frame_of(results), key="length_numbers", name=f"{MEASURES[results[0].measure]} by length", tips=tips)


def frame_of(results: Sequence[Result]) -> pd.DataFrame:
    """A row for each variant and length, and one for each variant's whole set."""
    import pandas as pd

    lines: list[tuple[Any, ...]] = []
    for result in results:
        lines.append((result.variant, "all", result.n, result.value, None, None))
        for place, (name, bucket) in enumerate(zip(result.names, result.buckets, strict=True)):
            lines.append((result.variant, name, bucket["n"], *result.score(place)))
    return pd.DataFrame(lines, columns=["variant", "length", "n", results[0].measure, "low", "high"])
