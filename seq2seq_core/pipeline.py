"""Pipeline: a text or a picture in, a `DecodeTrace` out. Threads may share one."""

from __future__ import annotations

import time
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch
from PIL import Image
from torch import Tensor
from torch.nn.utils.rnn import pad_sequence

from seq2seq_core.config import DecodeSettings
from seq2seq_core.errors import InputError
from seq2seq_core.inputs.tokenizer import EOS, PAD, UNK, Tokenizer
from seq2seq_core.model.memory import Memory
from seq2seq_core.model.seq2seq import Seq2Seq
from seq2seq_core.search.expansion import length_limit
from seq2seq_core.search.paths import search, teacher_forced
from seq2seq_core.trace.builder import Context, DecodeStep, Sentence, TraceBuilder
from seq2seq_core.trace.steering import Steering
from seq2seq_core.trace.trace import DecodeTrace, Source

if TYPE_CHECKING:
    from seq2seq_core.inputs.vision import GridEncoder

LONGEST_TEXT = 2_000  # characters
LONGEST_SOURCE = 1_000  # tokens
DEFAULTS = DecodeSettings()
FORCED = DecodeSettings(search="greedy")
FREE = Steering()

ImageGrid = Callable[[Image.Image], tuple[Tensor, tuple[int, int]]]  # features [S, C] and (rows, columns)


@dataclass(frozen=True, slots=True)
class Grid:
    """What the image network made of a photo, kept so that it need not look twice."""

    features: Tensor  # [S, C], cells row by row
    shape: tuple[int, int]  # rows, columns
    image_size: tuple[int, int] = (1, 1)  # width, height


Given = str | Image.Image | Grid | None  # None: a language model


@dataclass(frozen=True, slots=True)
class Encoded:
    """A source the model has read, to decode as often as one likes."""

    source: Source
    memory: Memory  # a batch of one
    encode_ms: float
    features: Tensor | None = None  # of a picture: what the cells were made of [S, C]


def check_text(text: str) -> str:
    """The text in Unicode's composed form, or the sentence that says why it cannot be read."""
    if not isinstance(text, str):
        raise InputError(f"The text is {type(text).__name__}; it must be a string.")
    text = unicodedata.normalize("NFC", text)
    if not text:
        raise InputError("The text is empty; type something.")
    if not text.strip():
        raise InputError("The text has only spaces; type something.")
    if len(text) > LONGEST_TEXT:
        raise InputError(f"The text has {len(text):,} characters; at most {LONGEST_TEXT:,} are allowed, so shorten it.")
    for place, character in enumerate(text, 1):
        kind = unicodedata.category(character)
        if kind == "Cs":
            raise InputError(f"Character {place} is half of a surrogate pair (U+{ord(character):04X}), not a character; type it again.")
        if kind == "Cc" and character not in "\t\n\r":
            raise InputError(f"Character {place} is a control character (U+{ord(character):04X}); remove it.")
    return text


def read_photo(path: Path) -> Image.Image:
    """A picture file, upright and checked."""
    from seq2seq_core.inputs.photo import open_photo

    try:
        data = path.read_bytes()
    except OSError as error:
        raise InputError(f"{path} cannot be read ({error.strerror}); check that the file is there.") from None
    return open_photo(data).image


class Stream:
    """A decode under way: iterate over its steps, stop when you like, and take the trace of what was decoded so far."""

    def __init__(self, steps: Iterator[DecodeStep], builder: TraceBuilder, encode_ms: float) -> None:
        self._steps = steps
        self._builder = builder
        self._encode_ms = encode_ms
        self._seconds = 0.0

    def __iter__(self) -> Stream:
        return self

    def __next__(self) -> DecodeStep:
        start = time.perf_counter()
        try:
            step = next(self._steps)
            self._builder.add(step)
        finally:
            self._seconds += time.perf_counter() - start
        return step

    def traces(self) -> list[DecodeTrace]:
        """One per sentence; times are shared out evenly."""
        count = self._builder.count
        return self._builder.finish(self._encode_ms / count, 1000 * self._seconds / count)

    def trace(self) -> DecodeTrace:
        return self.traces()[0]


class Pipeline:
    """A model with its vocabularies. Nothing changes after construction."""

    def __init__(
        self,
        model_id: str,
        model: Seq2Seq,
        source_tokenizer: Tokenizer | None,
        target_tokenizer: Tokenizer,
        card: Mapping[str, Any] | None = None,
        image_encoder: ImageGrid | None = None,
    ) -> None:
        self.model_id = model_id
        self.model = model
        self.source_tokenizer = source_tokenizer
        self.target_tokenizer = target_tokenizer
        self.card = dict(card or {})
        self._image_encoder = image_encoder
        words = tuple(target_tokenizer.token(i) for i in range(target_tokenizer.size))
        self._context = Context(model.config.task, model_id, target_tokenizer, words)

    @classmethod
    def load(cls, name: str | Path) -> Pipeline:
        """A shipped model by its name, for example translation/additive, or a model folder."""
        from seq2seq_core.store import zoo

        return zoo.load(name)

    @property
    def task(self) -> str:
        return self.model.config.task

    def source(self, given: Given) -> Source:
        """What the memory positions will stand for; pictures are read by the image network here."""
        return self._read(given)[0]

    @torch.inference_mode()
    def encode(self, given: Given) -> Encoded:
        start = time.perf_counter()
        source, features = self._read(given)
        memory = self._memory([source], [features])
        return Encoded(source, memory, 1000 * (time.perf_counter() - start), features)

    def decode(self, given: Given | Encoded, settings: DecodeSettings = DEFAULTS, steering: Steering = FREE) -> DecodeTrace:
        stream = self.stream(given, settings, steering)
        for _ in stream:
            pass
        return stream.trace()

    def stream(self, given: Given | Encoded, settings: DecodeSettings = DEFAULTS, steering: Steering = FREE) -> Stream:
        """The same decode, step by step. Bad input is refused here, before the first step."""
        encoded = given if isinstance(given, Encoded) else self.encode(given)
        return self.stream_memory(encoded.memory, [encoded.source], settings, [steering], encoded.encode_ms)

    def decode_batch(
        self,
        given: Sequence[Given],
        settings: DecodeSettings = DEFAULTS,
        steering: Sequence[Steering] = (),
        batch_size: int = 32,
    ) -> list[DecodeTrace]:
        """The traces that single decodes give, in the order given; sources of like length are decoded together."""
        read = [self._read(one) for one in given]
        steering = steering or [FREE] * len(read)
        order = sorted(range(len(read)), key=lambda i: read[i][0].positions)
        traces: dict[int, DecodeTrace] = {}
        for begin in range(0, len(order), batch_size):
            places = order[begin : begin + batch_size]
            start = time.perf_counter()
            sources = [read[i][0] for i in places]
            memory = self._memory(sources, [read[i][1] for i in places])
            encode_ms = 1000 * (time.perf_counter() - start)
            stream = self.stream_memory(memory, sources, settings, [steering[i] for i in places], encode_ms)
            for _ in stream:
                pass
            traces.update(zip(places, stream.traces(), strict=True))
        return [traces[i] for i in range(len(read))]

    def stream_memory(
        self,
        memory: Memory,
        sources: Sequence[Source],
        settings: DecodeSettings = DEFAULTS,
        steering: Sequence[Steering] = (),
        encode_ms: float = 0.0,
    ) -> Stream:
        """Decode a batch that has already been encoded, one steering per sentence."""
        limits = [length_limit(settings, self.task, source.positions) for source in sources]
        steering = steering or [FREE] * len(sources)
        sentences = [Sentence(*parts) for parts in zip(sources, steering, limits, strict=True)]
        steps = search(self.model, memory, settings, steering, limits)
        return Stream(steps, TraceBuilder(self._context, settings, sentences), encode_ms)

    def score(
        self, given: Given | Encoded, target: str | Sequence[int], settings: DecodeSettings = FORCED, steering: Steering = FREE
    ) -> DecodeTrace:
        """What the model thinks of a given output: its log-probabilities and attention, in one call of the model.

        `target`: a text, or token ids (the end sign is added when it is not the last). Rows and hidden positions of the steering hold.
        """
        encoded = given if isinstance(given, Encoded) else self.encode(given)
        return self._score([encoded.source], encoded.memory, [self._target_ids(target)], settings, [steering], encoded.encode_ms)[0]

    def score_batch(
        self,
        given: Sequence[Given],
        targets: Sequence[str | Sequence[int]],
        settings: DecodeSettings = FORCED,
        batch_size: int = 32,
    ) -> list[DecodeTrace]:
        """Score many outputs, each of its own source."""
        if len(given) != len(targets):
            raise InputError(f"There are {len(given)} sources and {len(targets)} outputs; give one output a source.")
        ids = [self._target_ids(target) for target in targets]
        traces: list[DecodeTrace] = []
        for begin in range(0, len(given), batch_size):
            part = slice(begin, begin + batch_size)
            read = [self._read(one) for one in given[part]]
            sources = [source for source, _ in read]
            memory = self._memory(sources, [features for _, features in read])
            traces += self._score(sources, memory, ids[part], settings, [FREE] * len(read), 0.0)
        return traces

    def _score(
        self,
        sources: Sequence[Source],
        memory: Memory,
        targets: Sequence[tuple[int, ...]],
        settings: DecodeSettings,
        steering: Sequence[Steering],
        encode_ms: float,
    ) -> list[DecodeTrace]:
        start = time.perf_counter()
        forced = [Steering(prefix=ids, rows=one.rows, hidden=one.hidden) for ids, one in zip(targets, steering, strict=True)]
        for one, source in zip(forced, sources, strict=True):
            one.check(self.model.config, source.positions, len(one.prefix))
        sentences = [Sentence(source, one, len(one.prefix)) for source, one in zip(sources, forced, strict=True)]
        builder = TraceBuilder(self._context, settings, sentences)
        for step in teacher_forced(self.model, memory, targets, settings, forced):
            builder.add(step)
        return builder.finish(encode_ms, 1000 * (time.perf_counter() - start) / len(sources))

    def prefix(self, text: str) -> Steering:
        """Steering whose output begins with this text; an empty one asks for nothing."""
        if not text:
            return FREE
        encoding = self.target_tokenizer.encode(check_text(text))
        unknown = [token for token, i in zip(encoding.tokens, encoding.ids, strict=True) if i == UNK]
        if unknown:
            raise InputError(f"{unknown[0]!r} is not in this model's output vocabulary; leave it out.")
        return Steering(prefix=encoding.ids)

    def _target_ids(self, target: str | Sequence[int]) -> tuple[int, ...]:
        if isinstance(target, str):
            target = self.target_tokenizer.encode(check_text(target)).ids if target else ()
        ids = tuple(target)
        return ids if ids and ids[-1] == EOS else (*ids, EOS)

    def _read(self, given: Given) -> tuple[Source, Tensor | None]:
        kind = self.model.config.source
        if kind == "none":
            if given not in (None, ""):
                raise InputError("This model reads no source; give the beginning of its output as a prefix instead.")
            return Source("none"), None
        if kind == "image":
            return self._read_image(given)
        if not isinstance(given, str) or self.source_tokenizer is None:
            raise InputError("This model reads text; give it a sentence or a word.")
        text = check_text(given)
        encoding = self.source_tokenizer.encode(text)
        if len(encoding.ids) > LONGEST_SOURCE:
            raise InputError(
                f"The text has {len(encoding.ids):,} tokens for this model; at most {LONGEST_SOURCE:,} can be read, so shorten it."
            )
        return Source("text", text, encoding.tokens, encoding.ids, encoding.spans, encoding.groups), None

    def _read_image(self, given: Given) -> tuple[Source, Tensor]:
        seen = given if isinstance(given, Grid) else self.look(given)
        return Source("image", grid=seen.shape, image_size=seen.image_size), seen.features

    def image_encoder(self) -> GridEncoder:
        """The image network itself, for those who encode many photos."""
        from seq2seq_core.inputs.vision import GridEncoder

        if not isinstance(self._image_encoder, GridEncoder):
            raise InputError("This model was loaded without its image network; load it by its name.")
        return self._image_encoder

    def look(self, given: Given) -> Grid:
        """The grid features of a picture: what the decoder will attend over."""
        if not isinstance(given, Image.Image):
            raise InputError("This model describes pictures; give it a picture.")
        if self._image_encoder is None:
            raise InputError("This model was loaded without its image network; load it by its name.")
        features, shape = self._image_encoder(given)
        return Grid(features, shape, given.size)

    @torch.inference_mode()
    def _memory(self, sources: Sequence[Source], features: Sequence[Tensor | None]) -> Memory:
        if self.model.config.source == "none":
            return self.model.encode_nothing(len(sources))
        rows = [torch.tensor(one.token_ids) if grid is None else grid for one, grid in zip(sources, features, strict=True)]
        padded = pad_sequence(rows, batch_first=True, padding_value=PAD)  # [B, S] or [B, S, C]
        return self.model.encode(padded, torch.tensor([len(row) for row in rows]))
