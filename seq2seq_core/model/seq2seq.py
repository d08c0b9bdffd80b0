"""Seq2Seq: encode a source once, then step. No decoding loop lives here, and nothing is kept on the module between calls."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from seq2seq_core.config import ModelConfig
from seq2seq_core.model.attention import PLAIN, Look, Memory
from seq2seq_core.model.decoder import Decoder, StepOutput
from seq2seq_core.model.encoders import ImageEncoder, TextEncoder, make_memory
from seq2seq_core.model.packed import PackedLinear


class Seq2Seq(nn.Module):
    """Text or picture encoder (or none: a language model) and a decoder that differs in its attention alone."""

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        self.config = config
        target = _embedding(config.target_vocab, config.embedding)
        self.encoder: TextEncoder | ImageEncoder | None = None
        if config.source == "text":
            self.encoder = TextEncoder(config, target if config.share_embeddings else _embedding(config.source_vocab, config.embedding))
        elif config.source == "image":
            self.encoder = ImageEncoder(config)
        self.decoder = Decoder(config, target)

    def encode(self, source: Tensor, lengths: Tensor) -> Memory:
        """Pieces [B, S] or grid features [B, S, C], and how many positions of each row are real."""
        if self.encoder is None:
            return self.encode_nothing(source.shape[0])
        states, mask, summary = self.encoder(source, lengths)
        return make_memory(self.decoder.attention, states, mask, summary)

    def encode_nothing(self, batch: int = 1) -> Memory:
        """The memory of a language model: no positions."""
        width = self.config.hidden
        mask = torch.zeros(batch, 0, dtype=torch.bool)
        return make_memory(None, torch.zeros(batch, 0, width), mask, torch.zeros(batch, width))

    def start(self, memory: Memory) -> Tensor:
        return self.decoder.start(memory)

    def step(self, tokens: Tensor, state: Tensor, memory: Memory, look: Look = PLAIN) -> StepOutput:
        return self.decoder.step(tokens, state, memory, look)

    def pack(self) -> Seq2Seq:
        """Make a model that will not be trained further decode faster; its output weights keep float16 precision."""
        self.decoder.packed = PackedLinear.make(self.decoder.output)
        for module in self.modules():  # found as plain attributes, parts and weights cost a tenth of a module's look-up
            module.__dict__.update(module._modules)
            module.__dict__.update(module._parameters)
        return self

    @property
    def parameter_count(self) -> int:
        return sum(parameter.numel() for parameter in self.parameters())


def _embedding(size: int, width: int) -> nn.Embedding:
    embedding = nn.Embedding(size, width)
    nn.init.normal_(embedding.weight, std=0.1)
    return embedding
