"""Training learns, repeats itself to the bit, survives being killed, and gives the same curve on two processes."""

from __future__ import annotations

import itertools
import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import torch

from seq2seq_core.__main__ import main
from seq2seq_core.config import DecodeSettings, ModelConfig, TrainSettings
from seq2seq_core.errors import InputError
from seq2seq_core.model.seq2seq import Seq2Seq
from seq2seq_core.pipeline import Pipeline
from seq2seq_core.store.checkpoint import weights_of
from seq2seq_core.trace.trace import DecodeTrace
from seq2seq_core.training.loop import STATE, FinishedEvent, StepEvent, Trainer, WatchEvent, learning_rate
from seq2seq_core.training.objective import Objective, coverage_penalty
from seq2seq_core.training.readers import Example, TextBatches, collate
from tests.core.tiny import LETTERS, tiny_config, tiny_model

ROOT = Path(__file__).resolve().parents[3]


class CopyTask(TextBatches):
    """Words of the letters a to h, to be written again."""

    def __init__(self, pairs: int = 200, longest: int = 6) -> None:
        generator = torch.Generator().manual_seed(7)
        self.words = [
            "".join("abcdefgh"[int(i)] for i in torch.randint(0, 8, (1 + n % longest,), generator=generator)) for n in range(pairs)
        ]

    def examples(self, seed: int) -> list[Example]:
        return [Example(LETTERS.encode(word).ids, LETTERS.encode(word).ids) for word in self.words]

    def dev_examples(self) -> list[Example]:
        return self.examples(0)[:40]


def settings(**changes: Any) -> TrainSettings:
    return TrainSettings(**({"epochs": 2, "batch_size": 16, "learning_rate": 0.01, "precision": "float32", "save_seconds": 0} | changes))


def train(config: ModelConfig, train_settings: TrainSettings, folder: Path | None = None, pairs: int = 200) -> tuple[Seq2Seq, list[Any]]:
    torch.manual_seed(0)
    model = Seq2Seq(config)
    trainer = Trainer(model, CopyTask(pairs), train_settings, folder)
    return model, list(trainer.events())


def losses(events: list[Any]) -> list[float]:
    return [event.loss for event in events if isinstance(event, StepEvent)]


def test_a_copy_task_of_200_pairs_is_learnt_completely() -> None:
    config = tiny_config(hidden=48, embedding=24, attention="additive")
    model, _ = train(config, settings(epochs=60, learning_rate=0.01, batch_size=20))
    pipeline = Pipeline("test/copy", model.eval(), LETTERS, LETTERS)
    words = CopyTask().words
    outputs = [trace.text() for trace in pipeline.decode_batch(words, DecodeSettings(search="greedy"))]
    assert outputs == words


def test_the_same_seed_gives_the_same_weights_and_another_seed_does_not() -> None:
    config = tiny_config(dropout=0.3)
    (one, first), (two, second), (other, third) = (train(config, settings(seed=seed), pairs=60) for seed in (1, 1, 2))
    assert losses(first) == losses(second) != losses(third)
    for name, weight in weights_of(one).items():
        assert torch.equal(weight, weights_of(two)[name])
    assert any(not torch.equal(weight, weights_of(other)[name]) for name, weight in weights_of(one).items())


KILLED = """
import os, signal, sys
from pathlib import Path
import torch
from seq2seq_core.model.seq2seq import Seq2Seq
from seq2seq_core.training.loop import Trainer
from tests.core.training.test_loop import CopyTask, settings, tiny_config
torch.set_num_threads(1)
torch.manual_seed(0)
trainer = Trainer(Seq2Seq(tiny_config(dropout=0.3, attention="hard")), CopyTask(60), settings(average=2), Path(sys.argv[1]))
trainer.resume()
for count, event in enumerate(trainer.events(), 1):
    if count == int(sys.argv[2]):
        os.kill(os.getpid(), signal.SIGKILL)
"""


def break_off(folder: Path, after: int) -> None:
    """A training that is left after some events."""
    torch.manual_seed(0)
    trainer = Trainer(Seq2Seq(tiny_config(dropout=0.3, attention="hard")), CopyTask(60), settings(average=2), folder)
    for _ in itertools.islice(trainer.events(), after):
        pass


@pytest.mark.parametrize(("after", "killed"), [(1, False), (3, False), (6, False), (3, True)])
def test_a_training_that_was_broken_off_goes_on_to_the_same_bits(tmp_path: Path, after: int, killed: bool) -> None:
    config, how = tiny_config(dropout=0.3, attention="hard"), settings(average=2)
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        _, whole = train(config, how, tmp_path / "whole", pairs=60)
        if killed:
            process = subprocess.run([sys.executable, "-c", KILLED, str(tmp_path / "half"), str(after)], cwd=ROOT, check=False)
            assert process.returncode == -signal.SIGKILL
        else:
            break_off(tmp_path / "half", after)
        torch.manual_seed(0)
        trainer = Trainer(Seq2Seq(config), CopyTask(60), how, tmp_path / "half")
        assert trainer.resume() is (after > 1)  # the first state is written after the first step
        rest = list(trainer.events())
    finally:
        torch.set_num_threads(threads)
    assert losses(rest) == losses(whole)[-len(losses(rest)) :]
    assert isinstance(rest[-1], FinishedEvent) and isinstance(whole[-1], FinishedEvent)
    for name, weight in whole[-1].weights.items():
        assert torch.equal(weight, rest[-1].weights[name]), name


def test_a_state_that_is_not_one_is_refused(tmp_path: Path) -> None:
    (tmp_path / STATE).write_bytes(b"nothing of use")
    with pytest.raises(InputError, match="is not the state of a training"):
        Trainer(Seq2Seq(tiny_config()), CopyTask(20), settings(), tmp_path).resume()


def test_training_stops_when_the_dev_metric_stops_rising() -> None:
    torch.manual_seed(0)
    scores = iter([1.0, 3.0, 2.0, 2.0, 9.0])
    trainer = Trainer(
        Seq2Seq(tiny_config()), CopyTask(20), settings(epochs=9, patience=2), None, lambda _: {"exact": next(scores)}, "exact"
    )
    events = list(trainer.events())
    assert isinstance(events[-1], FinishedEvent) and events[-1].epochs == 4
    assert trainer.progress.best == 3.0 and trainer.progress.best_epoch == 2


@pytest.mark.parametrize(
    "changes", [{"attention": "hard"}, {"attention": "hard", "wiring": "input"}, {"coverage": 1.0}, {"attention": "none"}]
)
def test_every_kind_of_objective_lowers_the_loss(changes: dict[str, Any]) -> None:
    _, events = train(tiny_config(hidden=16, embedding=8, label_smoothing=0.0, **changes), settings(epochs=6, learning_rate=0.02))
    curve = losses(events)
    assert sum(curve[-5:]) < 0.9 * sum(curve[:5])


def test_a_watched_source_is_decoded_as_it_is_learnt_and_changes_nothing() -> None:
    def decode(model: Seq2Seq) -> DecodeTrace:
        return Pipeline("test/copy", model, LETTERS, LETTERS).decode("abc", DecodeSettings(search="greedy"))

    def run(**watching: Any) -> list[Any]:
        torch.manual_seed(0)
        return list(Trainer(Seq2Seq(tiny_config(dropout=0.3)), CopyTask(60), settings(), **watching).events())

    watched, plain = run(watch=decode, watch_steps=3), run()
    seen = [event for event in watched if isinstance(event, WatchEvent)]
    assert [event.step for event in seen] == [3, 4, 6, 8]
    assert all(event.trace.given_text == "abc" for event in seen)
    assert losses(watched) == losses(plain)


def test_scheduled_sampling_feeds_the_models_own_words() -> None:
    torch.manual_seed(0)
    model = Seq2Seq(tiny_config())
    batch = collate(CopyTask(8).examples(0))
    objective = Objective(model, teacher_forcing=0.0).train()
    memory = model.encode(batch.source, batch.lengths)
    given = objective._inputs(batch, memory)
    said = model.step(batch.target_in, model.start(memory), memory).logits.argmax(-1)
    later = batch.target_in[:, 1:] != 0
    assert torch.equal(given[:, 0], batch.target_in[:, 0])
    assert torch.equal(given[:, 1:][later], said[:, :-1][later])
    assert torch.equal(Objective(model).train()._inputs(batch, memory), batch.target_in)


def test_coverage_is_the_equation() -> None:
    weights = torch.tensor([[[[0.5, 0.5, 0.0]], [[1.0, 0.0, 0.0]], [[0.3, 0.7, 0.0]]]])  # [1, 3, 1, 3]
    mask, real = torch.tensor([[True, True, False]]), torch.tensor([[True, True, False]])
    assert float(coverage_penalty(weights, mask, real)) == pytest.approx(((1 - 1.5) ** 2 + (1 - 0.5) ** 2) / 2)


def test_the_schedule_rises_to_its_peak_and_falls() -> None:
    how = TrainSettings(learning_rate=0.1, warmup=0.2)
    rates = [learning_rate(step, 100, how) for step in range(100)]
    assert max(rates) == pytest.approx(0.1) and rates.index(max(rates)) in (19, 20)
    assert rates[:20] == sorted(rates[:20]) and rates[20:] == sorted(rates[20:], reverse=True)
    assert rates[-1] < 0.002


RECIPE = """
name = "translation/toy"
watched = "abc"
[model]
task = "translation"
hidden = 8
embedding = 6
encoder_layers = 1
dropout = 0.0
[train]
epochs = 2
batch_size = 8
learning_rate = 0.01
precision = "float32"
[tokenizer]
kind = "character"
[[data.train]]
pairs = "pairs.tsv"
[[data.dev]]
pairs = "pairs.tsv"
"""


def arguments(folder: Path, out: str) -> list[str]:
    return ["train", "--config", str(folder / "toy.toml"), "--data", str(folder), "--out", str(folder / out)]


@pytest.fixture
def toy(tmp_path: Path) -> Path:
    (tmp_path / "toy.toml").write_text(RECIPE)
    (tmp_path / "pairs.tsv").write_text("".join(f"{word}\t{word}\n" for word in CopyTask(61).words))
    return tmp_path


def dev_losses(text: str) -> list[float]:
    return [float(value) for value in re.findall(r"dev loss ([\d.]+)", text)]


def test_two_processes_of_torchrun_give_the_curve_of_one(toy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments(toy, "one")) == 0
    one = dev_losses(capsys.readouterr().err)
    torchrun = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2", "-m", "seq2seq_core"]
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    command = [*torchrun, *arguments(toy, "two")]
    two = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False, timeout=900)
    assert two.returncode == 0, two.stderr[-2000:]
    assert len(one) == 2
    assert dev_losses(two.stderr) == pytest.approx(one, abs=2e-3)
    assert (toy / "two" / "weights.safetensors").exists() and not (toy / "two" / STATE).exists()


def test_the_command_line_trains_and_says_what_stands_in_the_way(toy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def says(status: int, out: str) -> str:
        capsys.readouterr()
        assert main(arguments(toy, out)) == status
        return capsys.readouterr().err

    assert says(0, "out").count("abc -> ") == 2
    assert "already holds a trained model" in says(2, "out")
    (toy / "half").mkdir()
    (toy / "half" / STATE).write_bytes(b"")
    assert "add --resume" in says(2, "half")
    (toy / "pairs.tsv").write_text("one\ttwo\nonly one field\n")
    broken = says(2, "broken")
    assert "pairs.tsv, line 2" in broken and broken.count("\n") == 1


def test_the_words_of_a_reason_weigh_less() -> None:
    model = tiny_model(task="entailment", reasons=True, dropout=0.0, label_smoothing=0.0).train()
    examples = [Example((4, 5), (6, 7, 8, 9, 10, 11), given=2), Example((5, 6), (6, 7, 8, 9), given=2, open=True)]
    batch = collate(examples)
    each = model.step(batch.target_in, model.start(memory := model.encode(batch.source, batch.lengths)), memory).logits.log_softmax(-1)
    each = -each.gather(2, batch.target_out.unsqueeze(2)).squeeze(2)
    weights = torch.tensor([[0, 0, 1, 1, 0.3, 0.3, 0.3], [0, 0, 1, 1, 0, 0, 0]])
    total = Objective(model, reason=0.3)(batch).total
    assert float(total.detach()) == pytest.approx(float((each.detach() * weights).sum() / weights.sum()), rel=1e-4)


def test_only_what_follows_the_prompt_is_learnt() -> None:
    model = Seq2Seq(tiny_config(attention="additive"))
    words = [LETTERS.encode(word).ids for word in ("abc", "bcde")]
    plain = collate([Example(words[0], words[0] + words[1], 0)])
    begun = collate([Example(words[0], words[0] + words[1], 3)])
    said = Objective(model.eval())(begun)
    assert said.tokens == 5  # four letters and the end sign
    each = [float(Objective(model)(collate([Example(words[0], (words[0] + words[1])[:count], 3)])).summed) for count in (3, 7)]
    assert float(said.summed) == pytest.approx(each[1])
    assert float(Objective(model)(plain).summed) > float(said.summed) > 0
    model.train()
    torch.manual_seed(1)
    without = Objective(model)(begun).total
    torch.manual_seed(1)
    assert float(Objective(model, prompt=0.5)(begun).total.detach()) > float(without.detach())
