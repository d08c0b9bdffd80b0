"""A run, moment by moment: a word that is read, all that is read, or a step of the decoder, each with its numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from demo import resources, state
from demo.blocks import parting
from demo.components.player.mount import Click
from demo.labs.how_it_works import transformer
from demo.labs.how_it_works.encoder_equations import NOUNS, Source, all_read, perceived, reading
from demo.labs.how_it_works.equations import Section, Shown, sections
from demo.query import Query
from demo.wording import called, plain, quoted

if TYPE_CHECKING:
    from seq2seq_core.config import ModelConfig
    from seq2seq_core.pipeline import Pipeline
    from seq2seq_core.study.inside import Inside, StepNumbers
    from seq2seq_core.trace.nodes import Floats
    from seq2seq_core.trace.trace import DecodeTrace

CANDIDATES = 5


@dataclass(frozen=True, slots=True)
class Chosen:
    """What a person looks at in every moment: words or pieces, a source position (0: the one looked at most), a head (0: their average)."""

    words: bool
    position: int
    head: int


@dataclass(frozen=True, slots=True)
class ReadView:
    """The encoder at a position, counted from 0; None: everything is read. `beside`: then too it is shown at this one."""

    config: ModelConfig
    inside: Inside
    source: Source
    position: int | None
    beside: int | None = None

    @property
    def sections(self) -> tuple[Section, ...]:
        if self.config.body == "transformer":
            return transformer.reading(self.config, self.inside, self.source, self.position or 0)
        if self.position is None:
            at = () if self.beside is None else perceived(self.config, self.inside, self.beside)
            return (*at, *all_read(self.config, self.inside))
        return reading(self.config, self.inside, self.source, self.position)

    @property
    def headline(self) -> str:
        """Which moment this is, as Markdown."""
        if self.position is None:
            return "All is read: one vector"
        return f"The encoder reads token {self.position + 1} of {len(self.source.names)}: {quoted(self.source.names[self.position])}"


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
    def headline(self) -> str:
        before = "the start sign" if self.step == 0 else quoted(self.shown.words[self.inside.tokens[self.step]])
        said = self.shown.words[self.shown.token_out]
        return f"{self.place.capitalize()}: after {before}, {plain(called(said))}"

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
        """Of the output layer: what is copied comes to the chances after it."""
        values = self.inside.values
        logits: Floats = values.get("own logits", values["logits"])[self.step]
        return logits

    @property
    def logprobs(self) -> Floats:
        return self.inside.logprobs(self.step)


@dataclass(frozen=True, slots=True)
class Run:
    """One output of a trace, with everything that was computed for it."""

    pipeline: Pipeline
    inside: Inside
    trace: DecodeTrace
    hypothesis: int

    @property
    def config(self) -> ModelConfig:
        return self.pipeline.model.config

    def read(self, position: int | None, chosen: int = 0) -> ReadView:
        """`chosen`: a position from 1, 0 for none, at which what is no text is seen being read once it has been."""
        positions = self.trace.positions
        beside = (min(chosen, positions) or (positions + 1) // 2) - 1 if self.config.source in NOUNS else None
        return ReadView(self.config, self.inside, Source(source_names(self.trace), self.trace.parts[0].ids), position, beside)

    def step(self, step: int, chosen: Chosen) -> StepView:
        """`step`: a token of the output, from 0."""
        token, likely = self.trace.path(self.hypothesis)[step].token_id, self.inside.top(step, CANDIDATES)
        names = {i: self.pipeline.target_tokenizer.token(i) for i in (*likely, token, self.inside.tokens[step])}
        ids = self.trace.parts[0].ids if self.config.copying else ()
        shown = Shown(0, 0, source_names(self.trace), names, token, ids=ids)
        place = place_of(self.trace, self.hypothesis, step, chosen.words)
        seen = StepView(self.config, self.inside, step, place, self.trace.tokens(self.hypothesis), shown, likely)
        if not seen.has_scores:
            return seen
        head = min(max(0, chosen.head - 1), len(self.trace.heads) - 1)
        seen = replace(seen, shown=replace(seen.shown, head=head, averaged=not chosen.head))
        return replace(seen, shown=replace(seen.shown, position=position_now(seen.row[1], chosen.position)))


def run_of(query: Query, trace: DecodeTrace, hypothesis: int) -> Run:
    pipeline = resources.pipeline(query.model_id)
    with resources.my_turn():
        inside = pipeline.inside(trace, hypothesis, resources.encoded(query))
    return Run(pipeline, inside, trace, hypothesis)


def starts(groups: Sequence[int], words: bool) -> list[int]:
    """The first token of each thing that the player shows: of each word, or each token."""
    return [t for t in range(len(groups)) if not words or t == 0 or groups[t] != groups[t - 1]]


def take_click(trace: DecodeTrace, hypothesis: int, click: Click) -> None:
    """A click on a cell chooses its step and its source position; before the first step it chooses what is read."""
    if click.node is not None and click.node < len(trace.nodes):
        at = trace.nodes[click.node].step
        places = starts(trace.hypotheses[hypothesis].groups, state.current(state.WORDS))
        state.remember(state.STEP, sum(start <= at for start in places))
    if click.source is not None and click.source < trace.positions:
        state.remember(state.POSITION, click.source + 1)


def place_of(trace: DecodeTrace, hypothesis: int, step: int, words: bool) -> str:
    """The player may count words, the equations always count tokens: where the numbers differ, both are said."""
    played = replace(trace, hypotheses=(trace.hypotheses[hypothesis],))
    word, piece = parting.place(played, step, words=True), parting.place(played, step, words=False)
    if not words:
        return piece
    return word if word.split()[1] == piece.split()[1] else f"{word}, {piece}"


def source_names(trace: DecodeTrace) -> tuple[str, ...]:
    return tuple(label for part in trace.parts for label in part.labels)


def position_now(row: Floats, named: int) -> int:
    """The source position that the link or a click names; without one, the one looked at most."""
    return named - 1 if 0 < named <= len(row) else int(row.argmax())


def counts(model_id: str) -> dict[str, int]:
    """The parameters of each part of a model."""
    from seq2seq_core.study.measures import parameter_counts

    return parameter_counts(resources.pipeline(model_id).model)
