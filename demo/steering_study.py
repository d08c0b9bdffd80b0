"""Studies on the Steer page: is attention an explanation, beam sizes side by side, search error or model error, exhaustive search."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import streamlit as st

from demo import controls, resources, state, steering_bench
from demo.components.outputs import Figure, Row, output_table
from demo.plain import plain
from demo.state import DecodeRequest
from demo.steering_actions import step_buttons, step_title
from demo.steering_bench import Bench
from demo.steering_cases import gallery
from demo.steering_edits import put_row
from demo.steering_view import language_of, shown
from demo.widgets import LOG_P, TOKENS, signed
from seq2seq_core.config import DecodeSettings

if TYPE_CHECKING:
    from seq2seq_core.explanations import Adversary, Explanation
    from seq2seq_core.reranking import Judgement

STUDIES_KEPT = 256
SIZES = range(1, 11)


# -- is attention an explanation? -----------------------------------------------------------------------------------------


@st.cache_resource(max_entries=STUDIES_KEPT, show_spinner=False)
def _explained(request: DecodeRequest, tokens: tuple[int, ...], step: int, row: tuple[float, ...]) -> Explanation:
    import numpy as np

    from seq2seq_core.explanations import explain

    model = resources.pipeline(request.model_id)
    with resources.my_turn():
        return explain(model, model.encode(request.text), tokens, step, np.array(row, dtype=np.float32), request.settings)


@st.cache_resource(max_entries=STUDIES_KEPT, show_spinner=False)
def _adversary(request: DecodeRequest, tokens: tuple[int, ...], step: int) -> Adversary:
    from seq2seq_core.explanations import adversarial_row

    model = resources.pipeline(request.model_id)
    with resources.my_turn():
        return adversarial_row(model, model.encode(request.text), tokens, step)


def explanation(bench: Bench) -> None:
    """Three answers to which source word mattered, and a row that says otherwise."""
    free = replace(bench.request, edits="")
    trace = bench.played
    step_buttons(bench)
    if trace.attention().shape[1] == 0 or bench.step >= len(trace.attention()):
        st.info("This model has no attention row that could explain anything. Choose a variant with attention.", icon=":material/info:")
        return
    scored = resources.score(free, bench.tokens)
    row = tuple(scored.attention()[bench.step].tolist())
    found = _explained(free, bench.tokens, bench.step, row)
    token = shown(trace.tokens()[bench.step])
    three_bars(found, f"{step_title(bench)}: what made the model say “{token}”?", bench)
    left, right = st.columns(2, gap="large")
    with left:
        agreement(found)
    with right:
        adversary(bench, _adversary(free, bench.tokens, bench.step))


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
    columns: tuple[Figure, ...] = (
        Figure("attention", tip="The row's weight, summed over the pieces of the word."),
        Figure("gradient × input", tip="How log p of the token changes as the word's embedding grows; in nats, signed."),
        Figure("drop without it", tip="log p of the token with the word, less that without the word."),
        Figure("output without it", tip="The sentence decoded again without the word."),
    )
    columns = columns if found.left_out else columns[:2]
    output_table(rows, columns, key="explained", title=title, header="source word", language=bench_language(bench))


def bench_language(bench: Bench) -> str:
    return "de" if bench.trace.task == "translation" else ""


def agreement(found: Explanation) -> None:
    pairs = (("gradient × input", found.tau_gradient), ("leave-one-out", found.tau_left_out))
    rows = [Row("", name, ("no order" if tau is None else signed(tau),), share=None if tau is None else abs(tau)) for name, tau in pairs]
    tau_of = Figure("Kendall's tau", tip="Over the source words: 1 the same order, 0 none, −1 the reverse.")
    output_table(rows, (tau_of,), key="agreement", title="Do they rank the words as attention does?", header="against")


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
    output_table(rows, columns, key="adversary", title=title, header="", note=note)
    if row.found:
        st.button(
            "Put this row in", icon=":material/swap_horiz:",
            on_click=lambda: steering_bench.apply(
                bench, lambda: put_row(bench.steering, bench.kept, row.weights), f"adversarial row at step {bench.step + 1}", bench.step
            ),
        )  # fmt: skip


# -- beam sizes -----------------------------------------------------------------------------------------------------------


def beam_sizes(bench: Bench) -> None:
    """Beam 1 to 10 side by side, with BLEU against a reference when there is one."""
    from seq2seq_core.metrics import bleu

    target = controls.line(state.TARGET, placeholder="Your own translation, for BLEU").strip()
    rows = []
    power = state.current(state.RANK_LENGTH)
    for size in SIZES:
        trace = resources.answer(replace(bench.request, settings=DecodeSettings(beam_size=size, length_penalty=power)))
        best = trace.hypotheses[0]
        values = (signed(best.score), signed(best.total), str(best.length), str(len(trace.nodes)))
        rows.append(Row(str(size), best.text, (*values, f"{bleu([best.text], [target]):.0f}") if target else values))
    score = Figure("score", tip=f"log-probability / length ^ {power:g}")
    columns = (score, LOG_P, TOKENS, Figure("nodes", tip="Continuations that the search looked at."))
    if target:
        columns = (*columns, Figure("BLEU", tip="Of this one sentence against your translation, 0 to 100."))
    output_table(rows, columns, key="sizes", title="Beam 1 to 10, each searched anew", language=language_of(bench))
    gallery()


# -- whose error ----------------------------------------------------------------------------------------------------------

VERDICTS = {
    "same": "The output is the reference: no error.",
    "search error": "Search error: the model itself prefers the reference, and the search did not find it.",
    "model error": "Model error: the model prefers its own output to the reference, so a better search would not help.",
}


def whose_error(bench: Bench) -> None:
    from demo.steering_toy import toy_search

    left, right = st.columns(2, gap="large")
    with left:
        target = controls.line(state.TARGET, placeholder="A translation that you think is right").strip()
        if target:
            verdict(bench, target)
        else:
            st.info("Type a reference translation: is the search to blame for the difference, or the model?", icon=":material/edit:")
    with right:
        toy_search()


def verdict(bench: Bench, target: str) -> None:
    from seq2seq_core.reranking import judge

    free = replace(bench.request, edits="")
    judged: Judgement = judge(bench.free, resources.score(free, target), bench.ranking.length_penalty)
    rows = [
        Row("output", bench.free.text(), (signed(judged.output_score), signed(judged.output_total))),
        Row("reference", target, (signed(judged.reference_score), signed(judged.reference_total))),
    ]
    score = Figure("score", tip=f"log-probability / length ^ {bench.ranking.length_penalty:g}, as the model judges")
    output_table(rows, (score, LOG_P), key="verdict", title=VERDICTS[judged.verdict], language=language_of(bench))


def refused_link(error: Exception) -> None:
    """A link whose edits do not fit: say why, and offer the way out."""
    st.error(plain(str(error)), icon=":material/error:")
    st.button("Remove the edits", on_click=steering_bench.reset)
