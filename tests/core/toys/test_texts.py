"""A text of one's own: windows of it, its end held out, and a language model that learns it as any toy is learnt."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from seq2seq_core.config import DecodeSettings
from seq2seq_core.errors import InputError
from seq2seq_core.inputs.tokenizer import BOS, EOS
from seq2seq_core.model.seq2seq import Seq2Seq
from seq2seq_core.pipeline import Pipeline
from seq2seq_core.store import moments
from seq2seq_core.store.package import pack_model, unpack_model
from seq2seq_core.toys.job import Job, prepare_job
from seq2seq_core.toys.live import Control, Live
from seq2seq_core.toys.messages import MODEL_FOLDER, Finished, Scored, write_job
from seq2seq_core.toys.texts import HeldOutText, check_own, prepare_text, windows

TEXT = "The sea is wide, the ship is small.\nIt goes, and nobody knows where.\n" * 12


@pytest.mark.parametrize("unit", ["characters", "words"])
def test_windows_are_pieces_of_the_text_and_none_is_of_its_end(unit: str) -> None:
    data = prepare_text(TEXT, unit)
    whole = [*data.train, *data.held_out]
    assert data.target_tokenizer.decode(whole) == TEXT.strip("\n") and 9 < len(whole) / len(data.held_out) < 11
    examples = data.examples(3)
    assert examples == data.examples(3) != data.examples(4)
    for example in examples:
        assert any(data.train[at : at + data.window] == example.target for at in range(len(data.train)))
    batch = data.batch(examples)
    assert batch.target_in[:, 0].eq(BOS).all() and torch.equal(batch.target_in[:, 1:], batch.target_out[:, :-1])
    assert not (batch.target_out == EOS).any() and batch.source.shape == (len(examples), 0)


def test_a_model_learns_it_and_goes_on_from_a_beginning(tmp_path: Path) -> None:
    job = Job("own text", hidden=16, steps=60, learning_rate=0.03)
    write_job(tmp_path, job.to_dict(), TEXT)
    reports = list(Live(job, tmp_path).reports(Control()))
    assert isinstance(reports[-1], Finished)
    scores = [report for report in reports if isinstance(report, Scored)]
    assert len(scores) > 10 and all(0 <= report.exact <= 1 and not report.by_length for report in scores)
    assert len(list((tmp_path / moments.FOLDER).glob("*"))) > 10
    pipeline = Pipeline.load(tmp_path / MODEL_FOLDER)
    assert pipeline.model.config.task == "language" and pipeline.model.config.hidden == 32
    trace = pipeline.decode(None, DecodeSettings("sample", max_length=20), prompt="The ship")
    assert trace.text().startswith("The ship") and len(trace.token_ids()) > trace.prompt > 0
    assert unpack_model(pack_model(tmp_path / MODEL_FOLDER)).card["data"]["trained_on"] == "the person's own text"


def test_what_is_guessed_is_counted() -> None:
    data = prepare_text(TEXT, "characters")
    held_out = HeldOutText(data)
    config = Job("own text", hidden=8).model_config(1, data.target_tokenizer.size)
    model = Seq2Seq(config)
    with torch.no_grad():
        model.decoder.output.weight.zero_()
        model.decoder.output.bias[data.target_tokenizer.encode(" ").ids[0]] = 5.0
    spaces = float((held_out.batch.target_out == data.target_tokenizer.encode(" ").ids[0]).float().mean())
    assert held_out.score(model) == (pytest.approx(spaces), [])


@pytest.mark.parametrize(
    ("text", "said"),
    [("short", "from 400"), ("x" * 500_001, "500,001 characters"), ("a\u0007" * 300, "Line 1 holds a control character"),
     ("".join(map(chr, range(0x4E00, 0x4E00 + 500))), "500 different signs")],
)  # fmt: skip
def test_what_cannot_be_learnt_is_said(text: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        check_own(text)


def test_line_ends_are_made_plain() -> None:
    assert check_own("\ufeff" + TEXT.replace("\n", "\r\n")) == TEXT.strip("\n")


def test_without_a_text_there_is_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no text yet"):
        prepare_job(Job("own text"), tmp_path)
    with pytest.raises(InputError, match="characters, words"):
        Job("own text", unit="lines")  # type: ignore[arg-type]


def test_a_window_asks_for_each_token_after_those_before() -> None:
    assert windows([(7, 8, 9)]).target_in.tolist() == [[BOS, 7, 8]]
