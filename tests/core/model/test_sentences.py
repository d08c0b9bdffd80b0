"""A story is read sentence by sentence: each by itself, then all in order; at the end of each it can be looked at, and nowhere else."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from seq2seq_core.config import ModelConfig
from seq2seq_core.errors import InputError
from seq2seq_core.inputs.words import STOP
from seq2seq_core.model.memory import Reading
from seq2seq_core.model.sentences import Layout, SentenceEncoder
from seq2seq_core.model.seq2seq import Seq2Seq
from seq2seq_core.training.objective import Objective, overlooked
from seq2seq_core.training.readers import NO_FACT, Batch, Example, collate

CONFIG = ModelConfig(
    task="story", wiring="input", source_vocab=12, target_vocab=12, embedding=5, hidden=6, encoder_layers=1, sentences=True,
    share_embeddings=True, dropout=0.0,
)  # fmt: skip
STORY = (5, 6, STOP, 7, STOP, 5, 6, STOP, 8, 9, 10)  # the first sentence comes again, and the last has no full stop


def model(**changes: object) -> Seq2Seq:
    torch.manual_seed(3)
    return Seq2Seq(ModelConfig(**{**{name: getattr(CONFIG, name) for name in CONFIG.__slots__}, **changes})).eval()  # type: ignore[arg-type]


def read(one: Seq2Seq, *stories: tuple[int, ...]) -> tuple[Reading, Batch]:
    batch = collate([Example(story, (5,)) for story in stories])
    assert isinstance(one.encoder, SentenceEncoder)
    return one.encoder(batch.source, batch.lengths), batch


def test_words_are_laid_out_by_sentence() -> None:
    layout = Layout.of(torch.tensor([[*STORY], [7, 8, STOP, *[0] * 8]]), torch.tensor([11, 3]))
    assert layout.sentence[0].tolist() == [0, 0, 0, 1, 1, 2, 2, 2, 3, 3, 3]
    assert layout.place[0].tolist() == [0, 1, 2, 0, 1, 0, 1, 2, 0, 1, 2]
    assert layout.ends.nonzero()[:, 1].tolist() == [2, 4, 7, 10, 2] and layout.counts.tolist() == [4, 1]


@pytest.mark.parametrize("bidirectional", [True, False])
def test_the_states_are_those_of_the_equations(bidirectional: bool) -> None:
    one = model(bidirectional=bidirectional)
    found, _ = read(one, STORY)
    encoder = one.encoder
    assert isinstance(encoder, SentenceEncoder)
    told = []
    for sentence in ((5, 6, STOP), (7, STOP), (5, 6, STOP), (8, 9, 10)):
        _, last = encoder.words.sequence(encoder.embedding(torch.tensor([sentence])))
        told.append(last.flatten(1))
    v = torch.stack(told, 1)
    u, last = encoder.recurrence.sequence(v)
    wanted = u + encoder.own(v)
    assert torch.allclose(found.states[0, [2, 4, 7, 10]], wanted[0], atol=1e-6)
    assert torch.allclose(found.states[0, 8], found.states[0, 10]), "every word has what is known of its sentence"
    assert torch.allclose(found.summary, last.flatten(1), atol=1e-6)
    assert found.mask[0].nonzero().flatten().tolist() == [2, 4, 7, 10]


def test_a_story_among_others_is_read_as_alone_and_from_its_embeddings_too() -> None:
    one = model()
    (alone, _), (both, batch) = read(one, STORY), read(one, (7, STOP, 8, STOP), STORY)
    assert torch.allclose(both.states[1], alone.states[0], atol=1e-6) and torch.allclose(both.summary[1], alone.summary[0], atol=1e-6)
    again = one.encoder.read(batch.source, one.encoder.embedding(batch.source), batch.lengths)  # type: ignore[union-attr, call-arg, operator]
    assert torch.allclose(again.states[batch.source > 0], both.states[batch.source > 0], atol=1e-6)


def test_in_training_a_position_is_a_sentence_and_the_looks_are_the_same() -> None:
    one = model()
    batch = collate([Example(STORY, (5, 6, 7), 2, (1, 3)), Example((7, STOP, 8, STOP), (6, 7), 1, (0,))])
    steps = []
    for training in (False, True):
        memory = one.train(training).encode(batch.source, batch.lengths)
        steps.append(one.step(batch.target_in, one.start(memory), memory))
    words, sentences = steps
    assert sentences.weights.shape[-1] == 4 and torch.allclose(words.logits, sentences.logits, atol=1e-5)
    assert torch.allclose(words.weights[0, :, 0, [2, 4, 7, 10]], sentences.weights[0, :, 0], atol=1e-6)
    assert float(words.weights[0, :, 0, [0, 1, 3, 5, 6, 8, 9]].detach().abs().max()) == 0


def test_looking_past_what_tells_the_answer_costs_and_every_weight_learns() -> None:
    weights = torch.tensor([[[[0.1, 0.9]], [[0.5, 0.5]], [[0.8, 0.2]]]]).repeat(2, 1, 1, 1)  # [B, T, K, N]
    given = torch.tensor([2, 2])

    def cost(looks: int, *facts: list[int]) -> float:
        return float(overlooked(weights, torch.tensor(facts), given, looks))

    none = [NO_FACT, NO_FACT]
    assert cost(1, [0, NO_FACT], none) == pytest.approx(-np.log([0.5, 0.8]).mean()), "the first step is no late look"
    assert cost(2, [1, 0], none) == pytest.approx(-np.log([0.9, 0.5, 0.8]).mean()), "the first, the second, and the last again"
    assert cost(2, [0, 1], [1, NO_FACT]) == pytest.approx(-np.log([0.1, 0.5, 0.2, 0.9, 0.5, 0.2]).mean())
    assert cost(0, [0, 1], none) == pytest.approx(0.0, abs=1e-6), "one look at either of two"
    story = model().train()
    batch = collate([Example(STORY, (5, 6, 7), 2, (1, 3))])
    plain, asked = Objective(story)(batch).total, Objective(story, looking=1.0)(batch).total
    assert float(asked.detach()) > float(plain.detach())
    asked.backward()
    assert all(weight.grad is not None and weight.grad.abs().sum() > 0 for weight in story.parameters())


@pytest.mark.parametrize("changes", [{"source": "none", "attention": "none", "share_embeddings": False}, {"copying": True}])
def test_what_reads_no_sentences_is_refused(changes: dict[str, object]) -> None:
    with pytest.raises(InputError, match="sentences needs a text source"):
        model(**changes)
