"""Pipeline: a text, a picture, a recording or a clip in, a `DecodeTrace` out. Threads may share one."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch
from PIL import Image
from torch import Tensor
from torch.nn.utils.rnn import pad_sequence

from seq2seq_core.config import DecodeSettings
from seq2seq_core.errors import InputError
from seq2seq_core.inputs import sound
from seq2seq_core.inputs.clip import Clip
from seq2seq_core.inputs.devanagari import Romaniser
from seq2seq_core.inputs.grid import Grid
from seq2seq_core.inputs.part import Part
from seq2seq_core.inputs.text import check_text, known_ids, read_text
from seq2seq_core.inputs.tokenizer import EOS, PAD, CharacterTokenizer, Tokenizer
from seq2seq_core.inputs.turns import joined, turns_of
from seq2seq_core.inputs.words import STOP
from seq2seq_core.model.memory import Memory
from seq2seq_core.model.seq2seq import Seq2Seq
from seq2seq_core.search.answers import Answers, following
from seq2seq_core.search.job import check_scored, fitting_length
from seq2seq_core.search.paths import search, teacher_forced
from seq2seq_core.tasks import TASKS, Slot, slots_of
from seq2seq_core.trace.builder import Context, Sentence, TraceBuilder
from seq2seq_core.trace.steering import Steering
from seq2seq_core.trace.stream import Stream
from seq2seq_core.trace.trace import DecodeTrace

if TYPE_CHECKING:
    from seq2seq_core.inputs.vision import GridEncoder
    from seq2seq_core.study.inside import Inside

LONGEST_PROMPT = 300  # tokens
DEFAULTS = DecodeSettings()
FORCED = DecodeSettings(search="greedy")
FREE = Steering()

ImageGrid = Callable[[Image.Image], tuple[Tensor, tuple[int, int]]]  # features [S, C] and (rows, columns)
Frames = Callable[[object], Grid]  # looks at the frames of a clip
One = str | Image.Image | sound.Sound | Clip | Grid
Given = One | tuple[One, ...] | None  # what the task reads; one thing may stand without its tuple, and nothing is none, () or an empty text
Prompt = str | Sequence[int]  # a text, or its tokens


@dataclass(frozen=True, slots=True)
class Read:
    """What is to be encoded: the parts, and of each that is a picture its features [S, C]."""

    parts: tuple[Part, ...]
    features: tuple[Tensor | None, ...]


@dataclass(frozen=True, slots=True)
class Encoded:
    """What the model has read, to decode as often as one likes."""

    parts: tuple[Part, ...]
    memory: Memory  # a batch of one
    encode_ms: float
    features: tuple[Tensor | None, ...] = ()  # of each part that is a picture: what the cells were made of [S, C]


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
        romaniser: Romaniser | None = None,
        frames: Frames | None = None,
        known: Mapping[str, float] | None = None,
    ) -> None:
        self.model_id = model_id
        self.model = model
        self.source_tokenizer = source_tokenizer
        self.target_tokenizer = target_tokenizer
        self.card = dict(card or {})
        self.romaniser = romaniser  # of a model that reads or says Hindi in Latin letters
        self._image_encoder = image_encoder
        self._frames = frames
        row = TASKS[model.config.task]
        self._following = following(row.answers, target_tokenizer, row.why if model.config.reasons else "")
        words = tuple(target_tokenizer.token(i) for i in range(target_tokenizer.size))
        self._context = Context(model.config.task, model_id, target_tokenizer, words, model.heads, model.config.network, known)

    @classmethod
    def load(cls, name: str | Path) -> Pipeline:
        """A shipped model by its name, for example translation/additive, or a model folder."""
        from seq2seq_core.store import zoo

        return zoo.load(name)

    @property
    def task(self) -> str:
        return self.model.config.task

    def read(self, given: Given) -> tuple[Part, ...]:
        """What the memory positions will stand for; pictures are read by the image network here."""
        return self._read(given).parts

    @torch.inference_mode()
    def encode(self, given: Given) -> Encoded:
        start = time.perf_counter()
        read = self._read(given)
        memory = self._memory([read])
        return Encoded(read.parts, memory, 1000 * (time.perf_counter() - start), read.features)

    def decode(
        self, given: Given | Encoded, settings: DecodeSettings = DEFAULTS, steering: Steering = FREE, prompt: Prompt = ()
    ) -> DecodeTrace:
        """`prompt`: what the decoder is given to go on from. Lengths of the settings do not count it, steps of the steering do."""
        stream = self.stream(given, settings, steering, prompt)
        for _ in stream:
            pass
        return stream.trace()

    def stream(self, given: Given | Encoded, settings: DecodeSettings = DEFAULTS, steering: Steering = FREE, prompt: Prompt = ()) -> Stream:
        """The same decode, step by step. Bad input is refused here, before the first step."""
        encoded = given if isinstance(given, Encoded) else self.encode(given)
        return self.stream_memory(encoded.memory, [encoded.parts], settings, [steering], encoded.encode_ms, [prompt])

    def decode_batch(
        self,
        given: Sequence[Given],
        settings: DecodeSettings = DEFAULTS,
        steering: Sequence[Steering] = (),
        batch_size: int = 32,
        prompts: Sequence[Prompt] = (),
    ) -> list[DecodeTrace]:
        """The traces that single decodes give, in the order given; sources of like length are decoded together."""
        read = [self._read(one) for one in given]
        steering, prompts = steering or [FREE] * len(read), prompts or [()] * len(read)
        order = sorted(range(len(read)), key=lambda i: sum(part.positions for part in read[i].parts))
        traces: dict[int, DecodeTrace] = {}
        for begin in range(0, len(order), batch_size):
            places = order[begin : begin + batch_size]
            start = time.perf_counter()
            memory = self._memory([read[i] for i in places])
            encode_ms = 1000 * (time.perf_counter() - start)
            stream = self.stream_memory(
                memory, [read[i].parts for i in places], settings, [steering[i] for i in places], encode_ms, [prompts[i] for i in places]
            )
            for _ in stream:
                pass
            traces.update(zip(places, stream.traces(), strict=True))
        return [traces[i] for i in range(len(read))]

    def stream_memory(
        self,
        memory: Memory,
        read: Sequence[tuple[Part, ...]],
        settings: DecodeSettings = DEFAULTS,
        steering: Sequence[Steering] = (),
        encode_ms: float = 0.0,
        prompts: Sequence[Prompt] = (),
    ) -> Stream:
        """Decode a batch that has already been encoded: for each row its parts, a steering and a prompt."""
        begun = [self.prompt_ids(prompt) for prompt in prompts or [()] * len(read)]
        by_character = self.target_tokenizer.kind == CharacterTokenizer.kind
        sentences = [
            Sentence(parts, one, fitting_length(settings, self.model, parts, len(ids), by_character), len(ids), places)
            for parts, one, ids, places in zip(read, steering or [FREE] * len(read), begun, memory.places(), strict=True)
        ]
        told = [one.steering.after(ids) if ids else one.steering for one, ids in zip(sentences, begun, strict=True)]
        looked = replace(settings, hypotheses=settings.beam_size) if self._context.known and settings.prior else settings
        steps = search(self.model, memory, looked, told, [one.limit for one in sentences], self._answers(begun))
        return Stream(steps, TraceBuilder(self._context, settings, sentences), encode_ms)

    def score(
        self,
        given: Given | Encoded,
        target: str | Sequence[int],
        settings: DecodeSettings = FORCED,
        steering: Steering = FREE,
        prompt: Prompt = (),
    ) -> DecodeTrace:
        """What the model thinks of a given output: its log-probabilities and attention, in one call of the model.

        `target`: a text, or token ids (the end sign is added when it is not the last). Rows and hidden positions of the steering hold.
        """
        encoded = given if isinstance(given, Encoded) else self.encode(given)
        return self._score(
            [encoded.parts], encoded.memory, [self._target_ids(target)], settings, [steering], encoded.encode_ms, [self.prompt_ids(prompt)]
        )[0]

    def score_batch(
        self,
        given: Sequence[Given],
        targets: Sequence[str | Sequence[int]],
        settings: DecodeSettings = FORCED,
        batch_size: int = 32,
        prompts: Sequence[Prompt] = (),
    ) -> list[DecodeTrace]:
        """Score many outputs, each of its own source."""
        if len(given) != len(targets):
            raise InputError(f"There are {len(given)} sources and {len(targets)} outputs; give one output a source.")
        ids = [self._target_ids(target) for target in targets]
        begun = [self.prompt_ids(prompt) for prompt in prompts or [()] * len(given)]
        traces: list[DecodeTrace] = []
        for begin in range(0, len(given), batch_size):
            part = slice(begin, begin + batch_size)
            read = [self._read(one) for one in given[part]]
            memory = self._memory(read)
            traces += self._score([one.parts for one in read], memory, ids[part], settings, [FREE] * len(read), 0.0, begun[part])
        return traces

    def _score(
        self,
        read: Sequence[tuple[Part, ...]],
        memory: Memory,
        targets: Sequence[tuple[int, ...]],
        settings: DecodeSettings,
        steering: Sequence[Steering],
        encode_ms: float,
        prompts: Sequence[tuple[int, ...]],
    ) -> list[DecodeTrace]:
        start = time.perf_counter()
        wanted = [prompt + target for prompt, target in zip(prompts, targets, strict=True)]
        forced = [Steering(prefix=ids, rows=one.rows, hidden=one.hidden) for ids, one in zip(wanted, steering, strict=True)]
        sentences = [
            Sentence(parts, one, len(one.prefix), len(prompt), places)
            for parts, one, prompt, places in zip(read, forced, prompts, memory.places(), strict=True)
        ]
        for one in sentences:
            check_scored(self.model, one.positions, one.limit)
            one.steering.check(self.model.config, [part.positions for part in one.parts], one.limit)
        builder = TraceBuilder(self._context, settings, sentences)
        for step in teacher_forced(self.model, memory, wanted, settings, forced, self._answers(prompts)):
            builder.add(step)
        return builder.finish(encode_ms, 1000 * (time.perf_counter() - start) / len(sentences))

    def inside(self, trace: DecodeTrace, hypothesis: int = 0, encoded: Encoded | None = None) -> Inside:
        """The numbers of every equation on the way to an output, the encoder's too. `encoded`: a picture, which is not in its trace."""
        from seq2seq_core.study.inside import inside

        return inside(self, trace, hypothesis, encoded)

    def prefix(self, text: str) -> Steering:
        """Steering whose output begins with this text; an empty one asks for nothing."""
        return Steering(prefix=known_ids(text, self.target_tokenizer)) if text else FREE

    def prompt_ids(self, prompt: Prompt) -> tuple[int, ...]:
        """The tokens of what is given to go on from."""
        pause = TASKS[self.task].pause if prompt else ""
        ids = known_ids(prompt + pause, self.target_tokenizer) if isinstance(prompt, str) else tuple(prompt)
        if len(ids) > LONGEST_PROMPT:
            slot = TASKS[self.task].prompt
            name = slot.name if slot else "beginning"
            raise InputError(f"The {name} has {len(ids):,} pieces; at most {LONGEST_PROMPT} can be gone on from, so shorten it.")
        return ids

    def _answers(self, prompts: Sequence[tuple[int, ...]]) -> Answers | None:
        """What may be said after the prompts, where the task has only so many answers."""
        return Answers(tuple(map(len, prompts)), self._following, self.model.config.reasons) if self._following else None

    def _target_ids(self, target: str | Sequence[int]) -> tuple[int, ...]:
        if isinstance(target, str):
            target = self.target_tokenizer.encode(check_text(target)).ids if target else ()
        ids = tuple(target)
        return ids if ids and ids[-1] == EOS else (*ids, EOS)

    def _read(self, given: Given) -> Read:
        """One part for each thing the task reads."""
        slots = slots_of(self.task, self.model.reads)
        if not slots and given not in (None, "", ()):
            raise InputError("This model reads no source; give the beginning of its output as a prompt instead.")
        things = given if isinstance(given, tuple) else (given,) if slots else ()
        if len(things) != len(slots):
            wanted = " and ".join(f"a {slot.name}" for slot in slots)
            raise InputError(f"This model reads {wanted}; {len(things)} thing{'s are' if len(things) != 1 else ' is'} given.")
        found = [self._read_one(slot, thing) for slot, thing in zip(slots, things, strict=True)]
        return Read(tuple(part for part, _ in found), tuple(features for _, features in found))

    def _read_one(self, slot: Slot, given: One | None) -> tuple[Part, Tensor | None]:
        if slot.kind == "text":
            if not isinstance(given, str) or self.source_tokenizer is None:
                raise InputError("This model reads text; give it a sentence or a word.")
            text = joined(turns_of(given), slot.turns) if slot.turns else given
            part = read_text(slot.name, text, self.source_tokenizer, slot.longest)
            return part.by_sentence(STOP) if self.model.config.sentences else part, None
        seen = given if isinstance(given, Grid) else self.look(given)
        return Part.of_grid(slot.name, seen.shape, seen.image_size, seen.labels), seen.features

    def image_encoder(self) -> GridEncoder:
        """The image network itself, for those who encode many photos."""
        from seq2seq_core.inputs.vision import GridEncoder

        if not isinstance(self._image_encoder, GridEncoder):
            raise InputError("This model was loaded without its image network; load it by its name.")
        return self._image_encoder

    def look(self, given: object) -> Grid:
        """The grid features of a picture, a recording or a clip: what the decoder will attend over."""
        if "sound" in self.model.reads:
            return sound.as_grid(given)
        if "clip" in self.model.reads:
            if self._frames is None:
                raise InputError("This model was loaded without its eyes; load it by its name.")
            return self._frames(given)
        if not isinstance(given, Image.Image):
            raise InputError("This model describes pictures; give it a picture.")
        if self._image_encoder is None:
            raise InputError("This model was loaded without its image network; load it by its name.")
        features, shape = self._image_encoder(given)
        return Grid(features, shape, given.size)

    @torch.inference_mode()
    def _memory(self, read: Sequence[Read]) -> Memory:
        parts = []
        for place in range(len(read[0].parts)):
            seen = [one.features[place] for one in read]
            rows = [torch.tensor(one.parts[place].ids) if grid is None else grid for one, grid in zip(read, seen, strict=True)]
            padded = pad_sequence(rows, batch_first=True, padding_value=PAD)  # [B, S] or [B, S, C]
            parts.append((padded, torch.tensor([len(row) for row in rows])))
        return self.model.encode_parts(parts, len(read))
