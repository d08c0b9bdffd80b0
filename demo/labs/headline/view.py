"""The blocks of the Headline page: the headline as a newspaper prints it, its player, what was copied, and what other models say."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

import streamlit as st

from demo import resources, state
from demo.blocks import answer, steer_from
from demo.blocks.player import play, player, showing
from demo.components.events import choice
from demo.components.outputs.mount import Row, output_table
from demo.lab import Values, asked
from demo.labs.headline import LAB, TASK
from demo.query import Query
from demo.tasks import SUMMARY_MODEL
from demo.wording import listed, plain, quote, signed

if TYPE_CHECKING:
    from seq2seq_core.trace.trace import DecodeTrace

COPIED = 0.5  # a word is said to be copied when more than this share of it was
TOLD = {  # what a model of the table below can and cannot do
    "none": "one vector, no map",
    "additive": "looks, and says words of its own",
    "copy": "looks, and may copy",
}
_WORD = re.compile(r"[^\W_]+(?:[.'’&-][^\W_]+)*")


def result(query: Query) -> DecodeTrace:
    """The headline, its player, and what of it was copied."""
    shown = showing(LAB.name, query, opens=True)
    trace = answer.trace_of(query)
    hypothesis = answer.hypothesis_of(trace)
    answer.result_line(trace, hypothesis, text=capitalised(trace.hypotheses[hypothesis].text, query.text))
    hear = steer_from.hear(query, trace, hypothesis)
    with st.container(key="news_player"):  # a sentence of news is long: its room is kept
        player(trace, hypothesis, layout=shown.layout(), actions=steer_from.actions(query), on_click=hear)
    steer_from.lead()
    said = f"{copied_in_words(trace, hypothesis)} The model reads and writes small letters; capitals are those of the sentence."
    st.caption(plain(said.strip()))
    return trace


def capitalised(headline: str, sentence: str) -> str:
    """A headline in small letters with the capitals that its words have in the sentence, and one at its beginning.

    The first word of a sentence has a capital anyway: it counts where the second has one too, as in the name of a company.
    """
    words = _WORD.findall(sentence)
    if len(words) > 1 and words[1] == words[1].lower():
        words = words[1:]
    words += [name for word in words for name in re.split("['’]s$", word)[:1]]
    written = {word.lower(): word for word in reversed(words) if word != word.lower()}
    text = _WORD.sub(lambda found: written.get(found.group(), found.group()), headline)
    return text[:1].upper() + text[1:]


def shares(trace: DecodeTrace, hypothesis: int = 0) -> list[tuple[str, float]]:
    """The words of a headline, each with how much of it was copied: the mean over its pieces. Empty where a model does not copy."""
    found, path = trace.hypotheses[hypothesis], trace.path(hypothesis)
    if "copy" not in path[0].marks:
        return []
    pieces = [[node for node, group in zip(path, found.groups, strict=True) if group == word] for word in range(len(found.words))]
    words = zip(found.words, pieces, strict=True)
    return [(word, sum(node.marks["copy"] for node in nodes) / len(nodes)) for word, nodes in words if nodes[0].token_id > 3]


def copied_in_words(trace: DecodeTrace, hypothesis: int = 0) -> str:
    """How many words were copied, and which; nothing where a model does not copy."""
    words = [(word.strip(), share) for word, share in shares(trace, hypothesis)]
    if not words:
        return ""
    copied = list(dict.fromkeys(word for word, share in words if share > COPIED))
    if not copied:
        return "No word was copied: all come from the vocabulary."
    return f"Copied from the sentence: {listed([quote(word) for word in copied])}. The rest comes from the vocabulary."


def others(values: Values, shown: Query) -> None:
    """The same sentence through every model that is there; a click takes one."""
    infos = [info for variant in TOLD for info in resources.installed(TASK) if info.variant == variant]
    if len(infos) < 2:
        return
    traces = []
    for info in infos:
        query = asked(TASK, values, variant=info.variant)
        answer.load(query.model_id)
        traces.append(answer.trace_of(query))
    texts = [capitalised(trace.hypotheses[0].text, shown.text) for trace in traces]
    figures = () if state.simple() else (answer.LOG_P,)
    rows = [
        Row(info.variant, text, (signed(trace.hypotheses[0].total),) * len(figures), chosen=info.id == shown.model_id)
        for info, trace, text in zip(infos, traces, texts, strict=True)
    ]
    names = [info.variant for info in infos]
    note = " ".join(f"{name}: {TOLD[name]}." for name in names)
    output_table(rows, figures, key="headlines", title="With and without copying", note=note, on_choose=lambda: _choose(names))


def _choose(names: Sequence[str]) -> None:
    place = choice("headlines", len(names))
    if place is not None:
        state.assign(SUMMARY_MODEL, names[place])
        play()
