"""With a real Ray on this computer: two replicas against one, models that travel, the same scores, and recipes in a queue.

Ray has 400 MB and is an extra, so these are skipped where it is missing; `make test-ray` installs it first.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from seq2seq_core import machines, serving
from seq2seq_core.__main__ import main
from seq2seq_core.machines import spread, travelling
from seq2seq_core.serving import Asked, ask
from seq2seq_core.store.package import pack_model
from seq2seq_core.store.zoo import load
from seq2seq_core.trace.steering import Steering
from seq2seq_core.trace.trace import DecodeTrace
from seq2seq_core.training.evaluation import evaluate_rows
from tests.core.test_machines import ROWS, SETTINGS, WORDS, without_time
from tests.core.tiny import save_tiny_model
from tests.core.training.test_loop import RECIPE, CopyTask

ray = pytest.importorskip("ray", reason="Ray is not installed; make test-ray installs it")
ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module", autouse=True)
def cluster() -> Iterator[None]:
    """Two cores are taken for what there is, however many there are."""
    ray.init(
        num_cpus=3, namespace=machines.NAME, include_dashboard=False, log_to_driver=False, object_store_memory=100_000_000,
        runtime_env={"env_vars": {"PYTHONPATH": str(ROOT)}},
    )  # fmt: skip
    yield
    ray.shutdown()


@pytest.fixture
def model(tmp_path: Path) -> Path:
    save_tiny_model(tmp_path / "translation" / "tiny", seed=3)
    return tmp_path / "translation" / "tiny"


def asked(model: Path, text: str, **more: Any) -> Asked:
    return Asked(str(model), text, SETTINGS, Steering(), "", **more)


def same(one: DecodeTrace, other: DecodeTrace) -> bool:
    ids = [[trace.token_ids(place) for place in range(len(trace.hypotheses))] for trace in (one, other)]
    totals = [[found.total for found in trace.hypotheses] for trace in (one, other)]
    return ids[0] == ids[1] and totals[0] == pytest.approx(totals[1], abs=1e-4)


def test_two_replicas_answer_as_one_does_and_as_this_process(model: Path) -> None:
    own = load(model)
    alone = [own.decode(word, SETTINGS) for word in WORDS[:20]]
    for replicas in (1, 2):
        serving.start(least=replicas, most=replicas)
        with ThreadPoolExecutor(8) as visitors:
            found = list(visitors.map(lambda word: ask(asked(model, word)), WORDS[:20]))
        assert all(map(same, found, alone))


def test_a_model_of_a_visitor_is_answered_there(model: Path) -> None:
    packed = pack_model(model)
    expected = load(model).decode("abc", SETTINGS)
    there = asked(Path("own/of-nobody-else"), "abc", own=travelling(packed, "own/of-nobody-else"))
    (model / "model.json").unlink()
    assert same(ask(there), expected)


def test_scores_are_the_same_to_the_last_digit(model: Path) -> None:
    pipeline = load(model)
    assert without_time(evaluate_rows(pipeline, ROWS, SETTINGS, over=spread(model, pipeline.model_id))) == without_time(
        evaluate_rows(pipeline, ROWS, SETTINGS)
    )


def test_recipes_wait_in_a_queue_and_give_what_they_give_here(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "pairs.tsv").write_text("".join(f"{word}\t{word}\n" for word in CopyTask(61).words))
    recipes = [tmp_path / f"seed-{seed}.toml" for seed in (1, 2, 3)]
    for seed, path in enumerate(recipes, 1):
        path.write_text(RECIPE.replace("epochs = 2", f"epochs = 1\nseed = {seed}"))
    (tmp_path / "broken.toml").write_text("[model\n")
    paths = [str(path) for path in [*recipes, tmp_path / "broken.toml"]]
    assert main(["queue", *paths, "--data", str(tmp_path), "--out", str(tmp_path / "queued")]) == 0
    said = capsys.readouterr().err
    assert "broken: " in said and "is not valid TOML" in said and "; 0 left" in said
    for path in recipes:
        assert main(["train", "--config", str(path), "--data", str(tmp_path), "--out", str(tmp_path / "here" / path.stem)]) == 0
        files = [tmp_path / where / path.stem / "weights.safetensors" for where in ("queued", "here")]
        assert files[0].read_bytes() == files[1].read_bytes()
