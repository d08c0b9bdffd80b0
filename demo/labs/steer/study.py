"""Studies on the Steer page: is attention an explanation, beam sizes side by side, search error or model error, exhaustive search."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import streamlit as st

from demo import controls, resources, state, wording
from demo.blocks.answer import LOG_P, TOKENS
from demo.blocks.take_along import take_along
from demo.components.outputs.mount import Figure, Row, output_table
from demo.given import assets
from demo.labs.steer import bench as steering_bench
from demo.labs.steer.actions import step_line, step_title
from demo.labs.steer.bench import Bench
from demo.labs.steer.cases import gallery
from demo.labs.steer.edits import put_row
from demo.labs.steer.view import language_of, reference_field
from demo.query import Asset, Query
from demo.visitors.kept import kept
from demo.wording import SUPERSCRIPT, plain, score_rule, signed
from seq2seq_core.config import DecodeSettings
from seq2seq_core.tasks import TASKS

if TYPE_CHECKING:
    import pandas as pd

    from seq2seq_core.study.explanations import Adversary, Explanation
    from seq2seq_core.trace.reranking import Judgement

STUDIES_KEPT, MOST_DIGITS = 256, 60
SIZES = range(1, 11)
PICTURE_SIDE, MOST_SHOWN = 380, 5
EXPLAINED: tuple[Figure, ...] = (
    Figure("attention", tip="The row's weight, summed over the pieces of the word or the cells of the region."),
    Figure("gradient × input", tip="How log p of the token changes as the input there grows; in nats, signed."),
    Figure("drop without it", tip="log p of the token with this part of the source, less that without it."),
    Figure("output without it", tip="Decoded again without this part of the source."),
)


# -- is attention an explanation? -----------------------------------------------------------------------------------------


@kept(STUDIES_KEPT)
def _explained(query: Query, tokens: tuple[int, ...], step: int, row: tuple[float, ...]) -> Explanation:
    import numpy as np

    from seq2seq_core.study.explanations import explain

    model, encoded = resources.pipeline(query.model_id), resources.encoded(query)
    with resources.my_turn():
        return explain(model, encoded, tokens, step, np.array(row, dtype=np.float32), query.settings, query.prompt)


@kept(STUDIES_KEPT)
def _adversary(query: Query, tokens: tuple[int, ...], step: int) -> Adversary:
    from seq2seq_core.study.explanations import adversarial_row

    model, encoded = resources.pipeline(query.model_id), resources.encoded(query)
    with resources.my_turn():
        return adversarial_row(model, encoded, tokens, step)


def explanation(bench: Bench) -> None:
    """Three answers to which source word mattered, and a row that says otherwise."""
    free, trace = bench.query.free, bench.played
    step_line(bench)
    if trace.attention().shape[1] == 0 or bench.step >= len(trace.attention()):
        st.info("This model has no attention row that could explain anything. Choose a variant with attention.", icon=":material/info:")
        return
    row = tuple(bench.told(bench.tokens).attention()[bench.step].tolist())
    with st.spinner("Leaving out one part after the other"):
        found = _explained(free, bench.tokens, bench.step, row)
        other = _adversary(free, bench.tokens, bench.step)
    title = f"{step_title(bench)}: what made the model say “{wording.token(trace.tokens()[bench.step])}”?"
    if bench.asset is None:
        three_bars(found, title, bench)
    else:
        three_pictures(found, title, bench, bench.asset)
    left, right = st.columns(2, gap="large")
    with left:
        agreement(found)
    with right:
        adversary(bench, other)


def three_bars(found: Explanation, title: str, bench: Bench) -> None:
    """One row per source word; an empty bar is a value below 0."""
    rows = []
    largest = [max((abs(value) for value in values), default=0.0) or 1.0 for values in (found.gradient, found.left_out)]
    for place, word in enumerate(found.words):
        values = [f"{found.attention[place]:.2f}", signed(found.gradient[place])]
        bars = [found.attention[place], found.gradient[place] / largest[0]]
        if found.left_out:
            values += [signed(found.left_out[place]), found.outputs[place]]
            bars.append(found.left_out[place] / largest[1])
        rows.append(Row("", word, tuple(values), bars=tuple(bars)))
    columns = EXPLAINED if found.left_out else EXPLAINED[:2]
    output_table(rows, columns, key="explained", title=title, header="source word", language=source_language(bench))


def three_pictures(found: Explanation, title: str, bench: Bench, asset: Asset) -> None:
    """The same for what is no text, by region: three overlays, and what is said without the regions that matter most."""
    from demo.export.overlay import overlay, reduced

    st.subheader(plain(title), anchor=False)
    grid, small = bench.trace.parts[0].grid or (1, 1), reduced(assets.image(asset), PICTURE_SIDE)
    answers = {"attention": found.attention, "gradient × input, its size": found.gradient, "drop without the region": found.left_out}
    for place, (name, values) in zip(st.columns(3, gap="small"), answers.items(), strict=True):
        cells = [0.0] * (grid[0] * grid[1])
        for positions, value in zip(found.positions, values, strict=True):
            for cell in positions:
                cells[cell] = abs(value) if name.startswith("gradient") else max(0.0, value)
        with place:
            st.image(overlay(small, cells, *grid, smooth=False), caption=name, alt=f"{name}, over the {bench.trace.parts[0].name}")
    most = sorted(range(len(found.left_out)), key=lambda place: -found.left_out[place])[:MOST_SHOWN]
    rows = [
        Row("", found.words[i], (f"{found.attention[i]:.2f}", signed(found.gradient[i]), signed(found.left_out[i]), found.outputs[i]))
        for i in most
    ]
    output_table(rows, EXPLAINED, key="explained", title="The regions without which the word is least likely", header="region")


def source_language(bench: Bench) -> str:
    return next((slot.language for slot in TASKS[bench.trace.task].reads), "")


def agreement(found: Explanation) -> None:
    pairs = (("gradient × input", found.tau_gradient), ("leave-one-out", found.tau_left_out))
    rows = [Row("", name, ("no order" if tau is None else signed(tau),), share=None if tau is None else abs(tau)) for name, tau in pairs]
    tau_of = Figure("Kendall's tau", tip="Over the words or regions of the source: 1 the same order, 0 none, −1 the reverse.")
    output_table(rows, (tau_of,), key="agreement", title="Do they rank the source as attention does?", header="against")


def adversary(bench: Bench, row: Adversary) -> None:
    rows = [
        Row("", "the attention rows differ by", (f"JS {row.divergence:.2f}", "0.30 or more")),
        Row("", "the output distributions differ by", (f"TV {row.variation:.3f}", "0.050 or less")),
    ]
    columns = (
        Figure("found", tip="Jensen-Shannon divergence in nats, at most 0.69; total variation, at most 1."),
        Figure("wanted", tip="Very different attention, almost the same output."),
    )
    title = "Another row, almost the same output" if row.found else "Another row with the same output: none found"
    note = "" if row.found else f"Of {row.tried} rows tried, this one differs most without changing the output."
    output_table(rows, columns, key="adversary", title=title, header="measure", note=note)
    if row.found:
        st.button(
            "Put this row in", icon=":material/swap_horiz:",
            on_click=lambda: steering_bench.apply(
                bench, lambda: put_row(bench.steering, bench.kept, row.weights), f"adversarial row at {bench.named(bench.step)}", bench.step
            ),
        )  # fmt: skip


# -- beam sizes -----------------------------------------------------------------------------------------------------------


def beam_sizes(bench: Bench) -> None:
    """Beam 1 to 10 side by side, with BLEU against a reference when there is one."""
    from seq2seq_core.training.metrics import bleu

    target = controls.line(reference_field(bench), placeholder="Your own translation, for BLEU").strip()
    lines: list[dict[str, Any]] = []
    power = state.current(state.RANK_LENGTH)
    for size in SIZES:
        trace = resources.answer(replace(bench.query, settings=DecodeSettings(beam_size=size, length_penalty=power)))
        best = trace.hypotheses[0]
        found = {"score": best.score, "logprob": best.total, "tokens": best.length, "nodes": len(trace.nodes)}
        lines.append({"beam": size, "output": best.text, **found, **({"bleu": bleu([best.text], [target])} if target else {})})
    rows = [_size_row(line) for line in lines]
    score = Figure("score", tip=score_rule(power, listed=bench.trace.is_listed))
    columns: tuple[Figure, ...] = (score, LOG_P, TOKENS, Figure("nodes", tip="Continuations that the search looked at."))
    if target:
        columns = (*columns, Figure("BLEU", tip="Of this one sentence against your translation, 0 to 100."))
    output_table(rows, columns, key="sizes", title="Beam 1 to 10, each searched anew", language=language_of(bench))
    tips = dict(zip(list(lines[0])[2:], (one.tip for one in columns), strict=True))
    take_along(lambda: _frame(lines), key="sizes_numbers", name="Beam sizes", tips=tips)
    st.caption(plain(all_outputs(bench)))
    gallery(bench.trace.task)


def all_outputs(bench: Bench) -> str:
    """How many outputs a search that looks at all of them would have before it, for this model's vocabulary and this output's length."""
    from seq2seq_core.inputs.tokenizer import SPECIALS

    tokens, length = bench.pipeline.target_tokenizer.size - len(SPECIALS), bench.ranking.ranked[0].length
    count = (tokens + 2) ** length
    power = len(str(count)) - 1
    written = f"{count:,}" if power < MOST_DIGITS else f"{str(count)[0]}.{str(count)[1:3]}·10{str(power).translate(SUPERSCRIPT)}"
    return (
        f"With D = {tokens:,} pieces and the two signs there are (D + 2)^L = {tokens + 2:,}^{length} = {written} sequences "
        f"of L = {length} tokens, a number of {power + 1} digits: no search looks at them all."
    )


def _size_row(line: dict[str, Any]) -> Row:
    values = (signed(line["score"]), signed(line["logprob"]), str(line["tokens"]), str(line["nodes"]))
    return Row(str(line["beam"]), line["output"], (*values, f"{line['bleu']:.0f}") if "bleu" in line else values)


def _frame(lines: list[dict[str, Any]]) -> pd.DataFrame:
    import pandas as pd

    return pd.DataFrame(lines)


# -- whose error ----------------------------------------------------------------------------------------------------------

VERDICTS = {
    "same": "The output is the reference: no error.",
    "search error": "Search error: the model itself prefers the reference, and the search did not find it.",
    "model error": "Model error: the model prefers its own output to the reference, so a better search would not help.",
}


def whose_error(bench: Bench) -> None:
    from demo.labs.steer.toy import toy_search

    left, right = st.columns(2, gap="large")
    with left:
        target = controls.line(reference_field(bench), placeholder="A translation that you think is right").strip()
        if target:
            verdict(bench, target)
        else:
            st.info("Type a reference translation: is the search to blame for the difference, or the model?", icon=":material/edit:")
    with right:
        toy_search()


def verdict(bench: Bench, target: str) -> None:
    from seq2seq_core.trace.reranking import judge

    judged: Judgement = judge(bench.free, bench.told(target), bench.ranking.length_penalty)
    rows = [
        Row("output", bench.free.text(), (signed(judged.output_score), signed(judged.output_total))),
        Row("reference", target, (signed(judged.reference_score), signed(judged.reference_total))),
    ]
    score = Figure("score", tip=f"{score_rule(bench.ranking.length_penalty, listed=bench.trace.is_listed)}, as the model judges")
    output_table(rows, (score, LOG_P), key="verdict", title=VERDICTS[judged.verdict], language=language_of(bench))


def refused_link(error: Exception) -> None:
    """A link whose edits do not fit: say why, and offer the way out."""
    st.error(plain(str(error)), icon=":material/error:")
    st.button("Remove the edits", on_click=steering_bench.reset)
