"""Seq2Seq: encode a source once, then step. No decoding loop lives here, and nothing is kept on the module between calls."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor, nn

from seq2seq_core.config import ModelConfig
from seq2seq_core.inputs.part import Head
from seq2seq_core.model import fast
from seq2seq_core.model.decoder import Decoder, StepOutput
from seq2seq_core.model.encoders import ClipEncoder, ImageEncoder, SoundEncoder, TextEncoder
from seq2seq_core.model.memory import Memory, Reading
from seq2seq_core.model.override import NOTHING, Override
from seq2seq_core.model.record import Record
from seq2seq_core.model.sentences import SentenceEncoder
from seq2seq_core.model.transformer import TransformerDecoder, TransformerEncoder
from seq2seq_core.tasks import Kind

READS: dict[str, tuple[Kind, ...]] = {"text": ("text",), "image": ("photo",), "sound": ("sound",), "clip": ("clip",), "none": ()}
# How far apart words are before the first step. A story is found by what its question names: near 0, where tanh is a straight line, the
# score v . tanh(U s + W h) is a sum of what s says and what h says, and cannot ask whether they speak of the same.
QUIET, LOUD = 0.1, 1.0


class Seq2Seq(nn.Module):
    """Text, picture, sound or clip encoder (or none: a language model) and a decoder that differs in its attention alone."""

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        self.config = config
        target = _embedding(config.target_vocab, config.embedding, LOUD if config.sentences else QUIET)
        transformer = config.body == "transformer"
        self.encoder: TextEncoder | SentenceEncoder | TransformerEncoder | ImageEncoder | SoundEncoder | ClipEncoder | None = None
        if config.source == "text":
            source = target if config.share_embeddings else _embedding(config.source_vocab, config.embedding)
            kind = TransformerEncoder if transformer else SentenceEncoder if config.sentences else TextEncoder
            self.encoder = kind(config, source)
        elif config.source == "image":
            self.encoder = ImageEncoder(config)
        elif config.source == "sound":
            self.encoder = SoundEncoder(config)
        elif config.source == "clip":
            self.encoder = ClipEncoder(config)
        self.decoder: Decoder | TransformerDecoder = TransformerDecoder(config, target) if transformer else Decoder(config, target)

    def encode(self, source: Tensor, lengths: Tensor, record: Record | None = None) -> Memory:
        """Pieces [B, S] or features [B, S, C], and how many positions of each row are real."""
        if self.encoder is None:
            return self.encode_nothing(source.shape[0])
        return self.decoder.remember(self.encoder(source, lengths, record))

    @property
    def reads(self) -> tuple[Kind, ...]:
        """The kinds of what it reads, part by part."""
        return READS[self.config.source]

    def encode_parts(self, parts: Sequence[tuple[Tensor, Tensor]], batch: int) -> Memory:
        """As `encode`, for a model that reads any number of parts: of each the source, and its lengths."""
        return self.encode(*parts[0]) if parts else self.encode_nothing(batch)

    def encode_nothing(self, batch: int = 1) -> Memory:
        """The memory of a language model: no positions."""
        width = self.config.hidden
        return self.decoder.remember(
            Reading(torch.zeros(batch, 0, width), torch.zeros(batch, 0, dtype=torch.bool), torch.zeros(batch, width))
        )

    def start(self, memory: Memory) -> Tensor:
        return self.decoder.start(memory)

    def step(self, tokens: Tensor, state: Tensor, memory: Memory, override: Override = NOTHING, record: Record | None = None) -> StepOutput:
        return self.decoder.step(tokens, state, memory, override, record)

    @property
    def heads(self) -> tuple[Head, ...]:
        """What the K of an attention row [K, S] are."""
        return self.decoder.heads

    def pack(self) -> Seq2Seq:
        """Make a model that will not be trained further decode faster."""
        fast.pack(self)
        return self

    @property
    def parameter_count(self) -> int:
        return sum(parameter.numel() for parameter in self.parameters())


def _embedding(size: int, width: int, spread: float = QUIET) -> nn.Embedding:
    embedding = nn.Embedding(size, width)
    nn.init.normal_(embedding.weight, std=spread)
    return embedding
