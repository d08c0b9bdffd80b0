"""Self-critical training: what is drawn, how it is compared, and that the captions get better by it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
import torch

from seq2seq_core.inputs.tokenizer import PAD
from seq2seq_core.model.seq2seq import Seq2Seq
from seq2seq_core.training.captions import CaptionData
from seq2seq_core.training.loop import EpochEvent, FinishedEvent, StepEvent, Trainer
from seq2seq_core.training.metrics import Cider, cider_each
from seq2seq_core.training.objective import Objective
from seq2seq_core.training.readers import Example, collate_grids
from seq2seq_core.training.recipe import Recipe, prepare, read_recipe
from seq2seq_core.training.self_critical import Critic, Drawn, drawn_tokens
from tests.core.training.test_captions import data, recipe  # noqa: F401  the fixture


def prepared(folder: Path, attention: str, self_critical: int, epochs: int = 6) -> tuple[Recipe, CaptionData, Seq2Seq]:
    (folder / "recipe.toml").write_text(recipe(attention, epochs))
    found = read_recipe(folder / "recipe.toml")
    found = replace(found, train=replace(found.train, self_critical=self_critical, self_critical_rate=0.01, draws=4, written=0.0))
    dataset, config = prepare(found, folder)
    assert isinstance(dataset, CaptionData)
    torch.manual_seed(1)
    return found, dataset, Seq2Seq(config)


def test_each_token_is_drawn_by_its_own_chance() -> None:
    torch.manual_seed(1)
    logits = torch.tensor([[0.0, -torch.inf, 1.0, 2.0], [3.0, 0.0, -torch.inf, -torch.inf]])
    drawn = drawn_tokens(logits.repeat(20_000, 1)).view(-1, 2)
    for row, wanted in enumerate(logits.softmax(-1)):
        found = torch.bincount(drawn[:, row], minlength=4) / len(drawn)
        assert torch.allclose(found, wanted, atol=0.012)
        assert bool((found[wanted == 0] == 0).all())


def test_the_draws_of_a_photo_are_compared_with_each_other(data: Path) -> None:  # noqa: F811
    _, dataset, model = prepared(data, "additive", 1)
    critic = Critic.of(dataset, 4)
    photos = critic.examples(0)
    assert len(photos) == 12
    drawn = critic.draw(model, photos[:3], dataset.batch(photos[:3]))
    assert len(drawn.batch.source) == 3
    assert len(drawn.batch.target_in) == 12 == len(drawn.advantage)
    texts = [dataset.target_tokenizer.decode([token for token in row if token > PAD + 2]) for row in drawn.batch.target_out.tolist()]
    rewards = critic.cider.each(texts, [dataset.train.captions[place // 4] for place in range(12)])
    for place, advantage in enumerate(drawn.advantage.tolist()):
        first = place - place % 4
        others = [rewards[other] for other in range(first, first + 4) if other != place]
        assert advantage == pytest.approx(rewards[place] - sum(others) / 3, abs=1e-5)


@pytest.mark.parametrize("attention", ["additive", "hard"])
def test_a_good_draw_becomes_likelier_by_its_advantage(data: Path, attention: str) -> None:  # noqa: F811
    _, dataset, model = prepared(data, attention, 1)
    batch = dataset.batch(dataset.examples(0)[:4])
    advantage = torch.tensor([1.0, -0.5, 0.0, 2.0])
    loss = Objective(model)(batch, 1.0, Drawn(batch, advantage))
    memory = model.encode(batch.source, batch.lengths)
    logprobs = model.step(batch.target_in, model.start(memory), memory).logits.log_softmax(-1)
    said = logprobs.gather(2, batch.target_out.unsqueeze(-1)).squeeze(-1) * (batch.target_out != PAD)
    expected = -(advantage * said.sum(1)).sum() / (batch.target_out != PAD).sum()
    assert float(loss.total.detach()) == pytest.approx(float(expected.detach()), rel=1e-5)


def test_a_share_of_cross_entropy_stays_beside_the_reward(data: Path) -> None:  # noqa: F811
    _, dataset, model = prepared(data, "additive", 1)
    batch = dataset.batch(dataset.photos(0)[:4])
    assert bool((batch.target_out[:, 0] > PAD + 2).all())  # a caption that someone wrote
    drawn = Drawn(dataset.batch(dataset.photos(1)[:4]), torch.tensor([1.0, -0.5, 0.0, 2.0]))
    written, rewarded = Objective(model)(batch), Objective(model)(batch, 1.0, drawn)
    both = Objective(model, written=0.25)(batch, 1.0, drawn)
    assert both.total.item() == pytest.approx((rewarded.total + 0.25 * written.total).item(), rel=1e-5)
    assert both.tokens == rewarded.tokens


def test_the_rate_falls_over_the_self_critical_epochs(data: Path) -> None:  # noqa: F811
    found, dataset, model = prepared(data, "none", 3, epochs=2)
    events = Trainer(model, dataset, found.train, critic=Critic.of(dataset, 4)).events()
    rates = [event.learning_rate for event in events if isinstance(event, StepEvent) and event.epoch >= 2]
    assert rates[0] == pytest.approx(0.01)
    assert rates == sorted(rates, reverse=True)
    assert rates[-1] < 0.002


@pytest.mark.parametrize("attention", ["additive", "hard", "none"])
def test_a_photo_is_encoded_once_for_all_its_draws(data: Path, attention: str) -> None:  # noqa: F811
    _, dataset, model = prepared(data, attention, 1)
    photos = dataset.photos(0)[:3]
    captions = [(5, 6), (7,), (8, 9, 5), (6,), (7, 7), (9,)]
    once = collate_grids(dataset.batch(photos).source, captions)
    each = dataset.batch([Example(photos[place // 2].source, caption) for place, caption in enumerate(captions)])
    advantage = torch.tensor([1.0, -0.5, 0.0, 2.0, 1.0, -2.0])
    losses, gradients = [], []
    for batch in (once, each):
        model.zero_grad()
        loss = Objective(model)(batch, 1.0, Drawn(batch, advantage))
        loss.total.backward()
        losses.append(float(loss.total.detach()))
        gradients.append(torch.cat([weight.grad.flatten() for weight in model.parameters() if weight.grad is not None]))
    assert losses[0] == pytest.approx(losses[1], rel=1e-5)
    assert torch.allclose(gradients[0], gradients[1], atol=1e-6)


@pytest.mark.parametrize("attention", ["additive", "hard", "none"])
def test_what_is_drawn_gets_better(data: Path, attention: str) -> None:  # noqa: F811
    found, dataset, model = prepared(data, attention, 12)
    critic, settings = Critic.of(dataset, 8), replace(found.train, batch_size=16, draws=8, self_critical_rate=0.004)
    before, dev, steps = 0.0, [], []
    for event in Trainer(model, dataset, settings, critic=critic).events():
        if isinstance(event, StepEvent):
            steps.append(event)
        elif isinstance(event, EpochEvent):
            dev.append(event)
            before = mean_reward(critic, model) if event.epoch == 6 else before
    assert isinstance(event, FinishedEvent) and event.epochs == 18
    assert [event.epochs for event in dev] == [18] * 18
    assert steps[-1].step == steps[-1].steps == 6 * 2 + 12 * 6  # 24 captions by 16, then 12 photos by 16 / 8

    assert mean_reward(critic, model) > before + 0.1  # of twelve first weights, the least that was gained is 0.17


def mean_reward(critic: Critic, model: Seq2Seq) -> float:
    """Of many draws."""
    torch.manual_seed(3)
    photos = critic.examples(0) * 5
    drawn = critic.draw(model, photos, critic.data.batch(photos))
    texts = [critic.data.target_tokenizer.decode([token for token in row if token > PAD + 2]) for row in drawn.batch.target_out.tolist()]
    captions = [critic.data.train.captions[int(photo.source[1])] for photo in photos for _ in range(critic.draws)]
    return float(critic.cider.each(texts, captions).mean())


def test_half_of_the_result_stays_where_cross_entropy_had_come(data: Path) -> None:  # noqa: F811
    found, dataset, model = prepared(data, "additive", 2, epochs=2)
    how, seen = replace(found.train, average=1), []
    for event in Trainer(model, dataset, how, critic=Critic.of(dataset, 4)).events():
        if isinstance(event, EpochEvent):
            seen.append({name: weight.clone() for name, weight in model.state_dict().items()})
    assert isinstance(event, FinishedEvent)
    for name, weight in event.weights.items():
        assert torch.allclose(weight, (seen[1][name] + seen[3][name]) / 2), name
    assert not torch.allclose(seen[1]["decoder.readout.weight"], seen[3]["decoder.readout.weight"])


@pytest.mark.parametrize("after", [2, 5, 8])
def test_a_training_that_was_broken_off_goes_on_to_the_same_bits(data: Path, after: int) -> None:  # noqa: F811
    weights = []
    for stops in ([], [after]):
        found, dataset, model = prepared(data, "hard", 2, epochs=1)
        how, folder = replace(found.train, save_seconds=0.0), data / f"run-{len(stops)}"
        events = Trainer(model, dataset, how, folder, critic=Critic.of(dataset, 4)).events()
        for stop in stops:
            for _ in range(stop):
                next(events)
            events.close()
            found, dataset, model = prepared(data, "hard", 2, epochs=1)
            trainer = Trainer(model, dataset, how, folder, critic=Critic.of(dataset, 4))
            assert trainer.resume()
            events = trainer.events()
        *_, last = events
        assert isinstance(last, FinishedEvent)
        weights.append(last.weights)
    for name, weight in weights[0].items():
        assert torch.equal(weight, weights[1][name]), name


def test_rarity_is_that_of_all_photos() -> None:
    references = [["a red ball"], ["a blue ball"], ["a red hat"]]
    assert Cider(references).each(["a blue ball"], [references[1]])[0] == pytest.approx(
        cider_each(["x", "a blue ball", "x"], references)[1]
    )
