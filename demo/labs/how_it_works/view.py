"""The moment under the cursor: a word that is read, all that is read, or a step of the decoder, with its numbers, for How it works."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from demo import resources, state
from demo.blocks import parting
from demo.components.player.mount import Click
from demo.labs.how_it_works import transformer
from demo.labs.how_it_works.encoder_equations import Source, all_read, reading
from demo.labs.how_it_works.equations import Section, Shown, sections
from demo.query import Query
from demo.wording import called, plain, quoted

if TYPE_CHECKING:
    from seq2seq_core.config import ModelConfig
    from seq2seq_core.study.inside import Inside, StepNumbers
    from seq2seq_core.trace.nodes import Floats
    from seq2seq_core.trace.trace import DecodeTrace

CANDIDATES = 5


@dataclass(frozen=True, slots=True)
class ReadView:
    """The encoder at a word, counted from 0; None: everything is read."""

    config: ModelConfig
    inside: Inside
    source: Source
    position: int | None

    @property
    def sections(self) -> tuple[Section, ...]:
        if self.config.body == "transformer":
            return transformer.reading(self.config, self.inside, self.source, self.position or 0)
        if self.position is None:
            return all_read(self.config, self.inside)
        return reading(self.config, self.inside, self.source, self.position)


@dataclass(frozen=True, slots=True)
class StepView:
    """A step of the decoder with what is chosen in it."""

    config: ModelConfig
    inside: Inside
    step: int  # from 0
    place: str  # as the player names the step: "word 3"
    said: tuple[str, ...]  # the whole output, its end included
    shown: Shown
    likely: tuple[int, ...]  # the most probable next tokens

    @property
    def numbers(self) -> StepNumbers:
        return self.inside.at(self.step)

    @property
    def sections(self) -> tuple[Section, ...]:
        if self.config.body == "transformer":
            return transformer.sections(self.config, self.inside, self.step, self.shown)
        return sections(self.config, self.numbers, self.shown)

    @property
    def has_scores(self) -> bool:
        return bool(self.inside.looks)

    @property
    def row(self) -> tuple[Floats, Floats]:
        """Scores and weights of the chosen head, over the source."""
        place, head = transformer.place_of(self.config, self.shown.head)
        values = self.inside.values
        return values[f"{place}/scores"][self.step, head], values[f"{place}/weights"][self.step, head]

    @property
    def logits(self) -> Floats:
        logits: Floats = self.inside.values["logits"][self.step]
        return logits

    @property
    def logprobs(self) -> Floats:
        return self.inside.logprobs(self.step)


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
    """A click on a cell chooses its step and its source position; before the first step it chooses what is read."""
    if click.node is not None and click.node < len(trace.nodes):
        at = trace.nodes[click.node].step
        state.remember(state.STEP, sum(start <= at for start in starts(trace, hypothesis, state.current(state.WORDS))))
    if click.source is not None and click.source < trace.positions:
        state.remember(state.POSITION, click.source + 1)


def reading_now(trace: DecodeTrace) -> tuple[bool, int | None]:
    """Whether the cursor is before the first step, and at which position of the source; None: all of it is read."""
    if state.current(state.STEP) != 0 or not trace.parts:
        return False, None
    count, groups = state.current(state.READ), trace.parts[0].groups
    if count < 0 or trace.parts[0].kind != "text":
        return True, None
    by_word = state.current(state.WORDS)
    first = [j for j in range(len(groups)) if not by_word or j == 0 or groups[j] != groups[j - 1]]
    return True, None if count > len(first) else first[max(1, count) - 1]


def view(query: Query, trace: DecodeTrace, hypothesis: int) -> StepView | ReadView:
    """The moment with everything in sight."""
    pipeline = resources.pipeline(query.model_id)
    config = pipeline.model.config
    with resources.my_turn():
        inside = pipeline.inside(trace, hypothesis, resources.encoded(query))
    before, position = reading_now(trace)
    if before:
        part = trace.parts[0]
        return ReadView(config, inside, Source(source_names(trace), part.ids), position)
    path, step = trace.path(hypothesis), step_now(trace, hypothesis)
    token, likely = path[step].token_id, inside.top(step, CANDIDATES)
    names = {i: pipeline.target_tokenizer.token(i) for i in (*likely, token, inside.tokens[step])}
    shown = Shown(0, 0, source_names(trace), names, token)
    seen = StepView(config, inside, step, place_of(trace, hypothesis, step), trace.tokens(hypothesis), shown, likely)
    if not seen.has_scores:
        return seen
    chosen = state.current(state.HEAD)  # 0: the average
    head = min(max(0, chosen - 1), len(trace.heads) - 1)
    seen = replace(seen, shown=replace(seen.shown, head=head, averaged=not chosen))
    return replace(seen, shown=replace(seen.shown, position=position_now(seen.row[1])))


def place_of(trace: DecodeTrace, hypothesis: int, step: int) -> str:
    """The player may count words, the equations always count tokens: where the numbers differ, both are said."""
    played = replace(trace, hypotheses=(trace.hypotheses[hypothesis],))
    word, piece = parting.place(played, step, words=True), parting.place(played, step, words=False)
    if not state.current(state.WORDS):
        return piece
    return word if word.split()[1] == piece.split()[1] else f"{word}, {piece}"


def source_names(trace: DecodeTrace) -> tuple[str, ...]:
    return tuple(label for part in trace.parts for label in part.labels)


def position_now(row: Floats) -> int:
    """The source position that the link or a click names; without one, the one looked at most."""
    named = state.current(state.POSITION)
    return named - 1 if 0 < named <= len(row) else int(row.argmax())


def headline(seen: StepView | ReadView) -> str:
    """Which moment this is, in words."""
    if isinstance(seen, ReadView):
        if seen.position is None:
            return "All is read: one vector"
        return f"The encoder reads token {seen.position + 1} of {len(seen.source.names)}: {quoted(seen.source.names[seen.position])}"
    before = "the start sign" if seen.step == 0 else quoted(seen.shown.words[seen.inside.tokens[seen.step]])
    said = seen.shown.words[seen.shown.token_out]
    return f"{seen.place.capitalize()}: after {before}, {plain(called(said))}"


def counts(model_id: str) -> dict[str, int]:
    """The parameters of each part of a model."""
    from seq2seq_core.study.measures import parameter_counts

    return parameter_counts(resources.pipeline(model_id).model)
