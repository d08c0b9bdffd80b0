"""One step under the cursor: which step and which source position that is, and its numbers, for the page How it works."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from demo import resources, state
from demo.components.player.mount import Click
from demo.labs.how_it_works.equations import Section, Shown, sections
from demo.labs.how_it_works.notation import number
from demo.query import Query
from demo.wording import called, plain, quoted, token

if TYPE_CHECKING:
    from seq2seq_core.config import ModelConfig
    from seq2seq_core.study.inside import AttentionNumbers, StepNumbers
    from seq2seq_core.trace.nodes import Floats
    from seq2seq_core.trace.trace import DecodeTrace

CANDIDATES = 5
CELLS = 10  # of a photo that the table of the row has


@dataclass(frozen=True, slots=True)
class StepView:
    """A step with what is chosen in it."""

    config: ModelConfig
    numbers: StepNumbers
    shown: Shown
    likely: tuple[int, ...]  # the most probable next tokens

    @property
    def sections(self) -> tuple[Section, ...]:
        return sections(self.config, self.numbers, self.shown)


def starts(trace: DecodeTrace, hypothesis: int, words: bool) -> list[int]:
    """The first token of each step that the player shows: of each word, or each token."""
    groups: Sequence[int] = trace.hypotheses[hypothesis].groups
    return [t for t in range(len(groups)) if not words or t == 0 or groups[t] != groups[t - 1]]


def step_now(trace: DecodeTrace, hypothesis: int) -> int:
    """The token under the cursor; of a word its first. Before the first step, the first step."""
    places = starts(trace, hypothesis, state.current(state.WORDS))
    shown = state.current(state.STEP)
    return places[-1 if shown < 0 else min(max(shown, 1), len(places)) - 1]


def take_click(trace: DecodeTrace, hypothesis: int, click: Click) -> None:
    """A click on a cell chooses its step and its source position."""
    if click.node is not None and click.node < len(trace.nodes):
        at = trace.nodes[click.node].step
        state.remember(state.STEP, sum(start <= at for start in starts(trace, hypothesis, state.current(state.WORDS))))
    if click.source is not None and click.source < trace.positions:
        state.remember(state.POSITION, click.source + 1)


def view(query: Query, trace: DecodeTrace, hypothesis: int) -> StepView:
    """The step with everything in sight."""
    pipeline = resources.pipeline(query.model_id)
    path, step = trace.path(hypothesis), step_now(trace, hypothesis)
    with resources.my_turn():
        numbers = pipeline.inside(trace, hypothesis, resources.encoded(query)).at(step)
    token = path[step].token_id
    likely = numbers.top(CANDIDATES)
    names = {i: pipeline.target_tokenizer.token(i) for i in (*likely, token, numbers.token_in)}
    shown = Shown(0, 0, source_names(trace), names, token)
    if numbers.attention is not None:
        chosen = state.current(state.HEAD)  # 0: the average
        head = min(max(0, chosen - 1), len(numbers.attention.weights) - 1)
        shown = replace(shown, head=head, position=position_now(numbers.attention.weights[head]), averaged=not chosen)
    return StepView(pipeline.model.config, numbers, shown, likely)


def source_names(trace: DecodeTrace) -> tuple[str, ...]:
    return tuple(label for part in trace.parts for label in part.labels)


def position_now(row: Floats) -> int:
    """The source position that the link or a click names; without one, the one looked at most."""
    named = state.current(state.POSITION)
    return named - 1 if 0 < named <= len(row) else int(row.argmax())


def row_table(seen: StepView, attention: AttentionNumbers) -> dict[str, list[str]]:
    """Each source position with its score and its weight, for the chosen head; of a photo the cells looked at most, and the chosen one.

    Tokens are escaped: tables read Markdown.
    """
    scores, weights = attention.scores[seen.shown.head], attention.weights[seen.shown.head]
    kept = list(range(len(weights)))
    if seen.config.source == "image":
        kept = sorted({seen.shown.position, *(-weights).argsort(kind="stable")[:CELLS].tolist()}, key=lambda j: (-weights[j], j))
    return {
        "": ["→" if j == seen.shown.position else "" for j in kept],
        "j": [str(j + 1) for j in kept],
        "source": [plain(seen.shown.source[j]) for j in kept],
        "score": [number(scores[j]) if math.isfinite(scores[j]) else "hidden" for j in kept],
        "weight": [number(weights[j]) for j in kept],
    }


def candidate_table(seen: StepView) -> dict[str, list[str]]:
    """The most probable next tokens; the one that was taken is marked."""
    ids = list(dict.fromkeys([*seen.likely, seen.shown.token_out]))
    return {
        "": ["→" if i == seen.shown.token_out else "" for i in ids],
        "token": [plain(token(seen.shown.words[i])) for i in ids],
        "logit": [number(seen.numbers.logits[i]) for i in ids],
        "probability": [number(math.exp(seen.numbers.logprobs[i])) for i in ids],
    }


def headline(seen: StepView) -> str:
    """Which step this is, in words."""
    before = "the start sign" if seen.numbers.step == 0 else quoted(seen.shown.words[seen.numbers.token_in])
    said = seen.shown.words[seen.shown.token_out]
    return f"Step {seen.numbers.step + 1}: after {before}, {plain(called(said))}"


def counts(model_id: str) -> dict[str, int]:
    """The parameters of each part of a model."""
    from seq2seq_core.study.measures import parameter_counts

    return parameter_counts(resources.pipeline(model_id).model)
