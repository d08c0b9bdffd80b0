"""What training minimises: cross-entropy with label smoothing, and the terms that coverage and hard attention add."""

from __future__ import annotations

from typing import NamedTuple

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from seq2seq_core.inputs.tokenizer import PAD
from seq2seq_core.model.decoder import StepOutput
from seq2seq_core.model.memory import Memory
from seq2seq_core.model.override import NOTHING, Override, gumbel
from seq2seq_core.model.seq2seq import Seq2Seq
from seq2seq_core.tasks import TASKS
from seq2seq_core.training.answers import ANSWER
from seq2seq_core.training.readers import NO_FACT, Batch
from seq2seq_core.training.self_critical import Drawn


class Loss(NamedTuple):
    total: Tensor  # what is differentiated
    summed: Tensor  # cross-entropy summed over the batch's tokens: smoothed while training, else the negative log-likelihood
    tokens: int


class Objective(nn.Module):
    """The model under its loss, as one module, so that PyTorch's data-parallel engine can wrap it."""

    baseline: Tensor

    def __init__(
        self,
        model: Seq2Seq,
        teacher_forcing: float = 1.0,
        entropy: float = 0.01,
        expected: float = 0.0,
        written: float = 0.0,
        prompt: float = 0.0,
        looking: float = 0.0,
        reason: float = 1.0,
    ) -> None:
        """`written`: the weight of the cross-entropy where there are draws too; `prompt`: of tokens that were given; `looking`: of where
        the decoder looks; `reason`: of the words of why an answer was given."""
        super().__init__()
        self.model = model
        self.teacher_forcing = teacher_forcing
        self.entropy = entropy
        self.expected = expected
        self.written = written
        self.prompt = prompt
        self.looking = looking
        self.reason = reason
        self.register_buffer("baseline", torch.zeros(()))

    def forward(self, batch: Batch, share: float = 1.0, drawn: Drawn | None = None) -> Loss:
        """`share`: the tokens of this batch as a part of the average batch over all processes; 1 with one process.

        `drawn`: what the model itself said of the same photos, and how good it was; then that is what is minimised and told.
        """
        if drawn is None:
            return self._cross_entropy(batch, share)
        found = self._rewarded(drawn, share)
        return found._replace(total=found.total + self.written * self._cross_entropy(batch, share).total) if self.written else found

    def _cross_entropy(self, batch: Batch, share: float) -> Loss:
        config = self.model.config
        memory = self.model.encode(batch.source, batch.lengths)
        inputs, override = self._inputs(batch, memory), self._override(batch, memory)
        output = self.model.step(inputs, self.model.start(memory), memory, override)
        real = batch.target_out != PAD  # [B, T]
        said = real if batch.given is None else real & (torch.arange(real.shape[1]) >= batch.given.unsqueeze(1))
        tokens = int(said.sum())
        logits, wanted = output.logits.flatten(0, 1), batch.target_out.flatten()
        smoothing = config.label_smoothing if self.training else 0.0
        with torch.autocast("cpu", enabled=False):  # bfloat16 logits stay bfloat16 here: five times as fast as widening them all
            each = F.cross_entropy(logits, wanted, ignore_index=PAD, label_smoothing=smoothing, reduction="none")
        each = each.float().view_as(real)
        summed = (each * said).sum()
        weight = said.float()
        if config.reasons and batch.given is not None:
            weight[torch.arange(real.shape[1]) >= batch.given.unsqueeze(1) + ANSWER] *= self.reason
        total = (each * weight).sum() / weight.sum()
        if self.prompt and self.training and batch.given is not None:
            total = total + self.prompt * (each * (real & ~said)).sum() / tokens
        if self.looking and self.training and batch.facts is not None and batch.given is not None and config.has_map:
            total = total + self.looking * overlooked(output.weights, batch.facts, batch.given, TASKS[config.task].looks)
        if config.coverage and self.training:
            total = total + config.coverage * coverage_penalty(output.weights, memory.mask, real)
        if override.noise is not None:
            with torch.no_grad():
                usual = self.model.step(inputs, self.model.start(memory), memory, Override(expected=True)).logits.flatten(0, 1)
                gained = F.cross_entropy(usual, wanted, reduction="none") - F.cross_entropy(logits, wanted, reduction="none")
            total = total + self._reinforce(output, gained.float().view_as(real), real)
        return Loss(total * share, summed.detach(), tokens)

    def _rewarded(self, drawn: Drawn, share: float) -> Loss:
        """The words of a good draw become likelier; those of a bad one less likely (REINFORCE)."""
        batch, advantage = drawn
        memory = self.model.encode(batch.source, batch.lengths).repeated(len(batch.target_in) // len(batch.source))
        output = self.model.step(batch.target_in, self.model.start(memory), memory)
        real = batch.target_out != PAD
        with torch.autocast("cpu", enabled=False):
            each = F.cross_entropy(output.logits.flatten(0, 1), batch.target_out.flatten(), ignore_index=PAD, reduction="none").float()
        tokens = int(real.sum())
        return Loss((advantage.unsqueeze(1) * each.view_as(real)).sum() / tokens * share, each.sum().detach(), tokens)

    def _inputs(self, batch: Batch, memory: Memory) -> Tensor:
        """The true previous tokens, or for a share of them what the model would have said (scheduled sampling, in two passes)."""
        if not self.training or self.teacher_forcing >= 1:
            return batch.target_in
        with torch.no_grad():
            said = self.model.step(batch.target_in, self.model.start(memory), memory).logits.argmax(-1)
        said = torch.cat([batch.target_in[:, :1], said[:, :-1]], 1)
        own = torch.rand(said.shape) >= self.teacher_forcing
        own[:, 0] = False
        return torch.where(own & (batch.target_in != PAD), said, batch.target_in)

    def _override(self, batch: Batch, memory: Memory) -> Override:
        count, steps = batch.target_in.shape
        drawn = self.training and self.model.config.attention == "hard"
        return glimpses(count, steps, memory.mask.shape[1], self.expected) if drawn else NOTHING

    def _reinforce(self, output: StepOutput, reward: Tensor, real: Tensor) -> Tensor:
        """REINFORCE (Williams 1992): raise log alpha of a glimpse by how much better what followed it went than with the expected context.

        With the `output` and `straight` wirings a glimpse touches its own step alone; with the others every later one.
        """
        reward = reward * real
        if self.model.config.wiring in ("input", "state"):
            reward = reward.flip(1).cumsum(1).flip(1)
        advantage = reward - self.baseline
        with torch.no_grad():
            self.baseline.lerp_(reward[real].mean(), 0.1)
        weights = output.weights.squeeze(2)  # [B, T, S]
        log_chosen = _log_glimpses(output)
        spread = -(weights * weights.clamp_min(1e-9).log()).sum(-1)
        return -((advantage * log_chosen + self.entropy * spread) * real).sum() / real.sum()


def glimpses(count: int, steps: int, positions: int, expected: float) -> Override:
    """Hard attention in training draws where it looks; in a share of the batches it mixes, as soft attention does (Xu et al. 2015, 4.1)."""
    if expected and float(torch.rand(())) < expected:
        return Override(expected=True)
    return Override(noise=gumbel(torch.rand(count, steps, positions)))


def _log_glimpses(output: StepOutput) -> Tensor:
    """[B, T] the logarithm of the weight that each chosen position had."""
    chosen = output.weights.squeeze(2).gather(2, output.marks["glimpse"].unsqueeze(-1)).squeeze(-1)
    return chosen.clamp_min(1e-9).log()


def overlooked(weights: Tensor, facts: Tensor, given: Tensor, looks: int) -> Tensor:
    """How far the last looks before the answer are from the sentences that tell it, in the order in which one leads to the next: the
    first look is to find the first, the second the second, those that are left the last. The mean over the looks of -log of what it gets.

    Where there are more sentences than looks, each look may be at any of them. `facts` [B, F]: their numbers, NO_FACT where there are
    no more; `given` [B]: the step that says the first word of the answer; `looks`: so many steps before it are looks too.
    """
    places = (given - looks).unsqueeze(1) + torch.arange(looks + 1)  # [B, L]
    shares = weights.mean(2).float()  # [B, T, K, N] -> [B, T, N]
    found = shares.gather(1, places.unsqueeze(-1).expand(-1, -1, shares.shape[2]))  # [B, L, N]
    there = facts != NO_FACT
    each = found.gather(2, facts.clamp_min(0).unsqueeze(1).expand(-1, looks + 1, -1)) * there.unsqueeze(1)  # [B, L, F]
    counts = there.sum(1, keepdim=True)
    which = torch.minimum(torch.arange(looks + 1), (counts - 1).clamp_min(0))  # [B, L]
    wanted = torch.where(counts > looks + 1, each.sum(2), each.gather(2, which.unsqueeze(2)).squeeze(2))
    return -wanted[there.any(1)].clamp_min(1e-6).log().mean()


def coverage_penalty(weights: Tensor, mask: Tensor, real: Tensor) -> Tensor:
    """Mean over real positions j of (1 - sum_t alpha_tj)^2, heads averaged   (Xu et al. 2015, section 4.2.1)."""
    received = (weights.mean(2) * real.unsqueeze(-1)).sum(1)  # [B, T, K, S] -> [B, S]
    return ((1 - received) ** 2 * mask).sum() / mask.sum()
