"""The command line as other tools use it: exact names, one JSON object on stdout, exit code 2 with one line."""

from __future__ import annotations

import errno
import io
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from seq2seq_core.__main__ import main
from seq2seq_core.tasks import TASKS, Slot, Task
from seq2seq_core.trace.trace import DecodeTrace
from tests.core.tiny import save_tiny_model

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    save_tiny_model(tmp_path / "translation" / "additive", seed=5)
    save_tiny_model(tmp_path / "transliteration" / "dot", task="transliteration", attention="dot")
    save_tiny_model(tmp_path / "language" / "gru", task="language", source="none", attention="none")
    monkeypatch.setenv("SEQ2SEQ_MODELS", str(tmp_path))
    return tmp_path


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = main(arguments)
    out, err = capsys.readouterr()
    return code, out, err


def run_json(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    code, out, err = run(capsys, *arguments, "--json")
    assert code == 0, err
    assert out.count("\n") == 1
    return dict(json.loads(out))


def test_models_lists_what_is_there(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    listed = run_json(capsys, "models")["models"]
    assert [entry["id"] for entry in listed] == ["translation/additive", "transliteration/dot", "language/gru"]
    code, out, _ = run(capsys, "models")
    assert code == 0 and out.count("\n") == 3


@pytest.mark.parametrize("search", ["greedy", "beam", "sample"])
def test_decode_prints_a_trace_that_reads_back(root: Path, capsys: pytest.CaptureFixture[str], search: str) -> None:
    values = run_json(capsys, "decode", "translation/additive", "--text", "abc", "--search", search, "--max-length", "5", "--seed", "3")
    text = values.pop("text")
    trace = DecodeTrace.from_dict(values)
    assert trace.text() == text
    assert trace.settings.search == search and trace.settings.seed == 3 and trace.settings.max_length == 5
    assert trace.to_dict() == values


def test_decode_takes_a_prefix_and_a_folder(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = str(root / "translation" / "additive")
    values = run_json(capsys, "decode", folder, "--text", "abc", "--prefix", "he", "--beam-size", "2")
    assert values["text"].startswith("he")
    code, out, _ = run(capsys, "decode", "language/gru", "--prefix", "ab", "--max-length", "6")
    assert code == 0 and "ab" in out
    values = run_json(capsys, "decode", "language/gru", "--prompt", "ab", "--max-length", "6")
    assert values["text"].startswith("ab") and values["prompt"] == 2


def test_exhaustive_refuses_with_the_number_of_sequences(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(
        capsys, "decode", "translation/additive", "--text", "abc", "--search", "exhaustive", "--max-length", "12", "--json"
    )
    assert code == 2 and out == "" and any(character.isdigit() for character in err)


def test_evaluate_gives_the_promised_fields(root: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pairs, lexicon, lines = tmp_path / "pairs.tsv", tmp_path / "lexicon.tsv", tmp_path / "lines.txt"
    pairs.write_text("abc def\tcab\nb c\tbad\na\tb\nd\tcdef\n")
    lexicon.write_text("ab\tba\t2\nbb\tba\t1\ncd\tdc\t1\n")
    lines.write_text("abc abc\nhead\n")
    scores = run_json(capsys, "evaluate", "translation/additive", "--pairs", str(pairs))
    assert list(scores) == ["model", "n", "bleu", "chrf", "exact", "seconds", "buckets"]
    assert sum(row["n"] for row in scores["buckets"]) == scores["n"] == 4
    assert list(scores["buckets"][0]) == ["from", "to", "n", "bleu", "low", "high"]
    scores = run_json(capsys, "evaluate", "transliteration/dot", "--lexicon", str(lexicon), "--beam-size", "5")
    assert list(scores) == ["model", "n", "exact", "top5", "cer", "seconds", "buckets"]
    assert scores["n"] == 2  # two romanisations
    scores = run_json(capsys, "evaluate", "language/gru", "--lines", str(lines), "--record", "held out")
    assert scores["perplexity"] > 1
    recorded = json.loads((root / "language" / "gru" / "model.json").read_text())["scores"]["held out"]
    assert recorded["perplexity"] == scores["perplexity"]


def test_one_option_evaluates_every_task(root: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pairs, words, lines = tmp_path / "pairs.tsv", tmp_path / "words.tsv", tmp_path / "lines.tsv"
    pairs.write_text("abc def\tcab\tnot read\nb c\tbad\n\na\tb\n")
    words.write_text("ab\tba\tbb\ncd\tdc\nab\tbc\n")
    lines.write_text("abc abc\nhead\n")
    scores = run_json(capsys, "evaluate", "translation/additive", "--data", str(pairs))
    pairs.write_text("abc def\tcab\nb c\tbad\na\tb\n")
    as_pairs = run_json(capsys, "evaluate", "translation/additive", "--pairs", str(pairs))
    assert {**scores, "seconds": 0} == {**as_pairs, "seconds": 0} and scores["n"] == 3
    scores = run_json(capsys, "evaluate", "transliteration/dot", "--data", str(words))
    assert list(scores) == ["model", "n", "exact", "top5", "cer", "seconds", "buckets"] and scores["n"] == 2
    scores = run_json(capsys, "evaluate", "language/gru", "--data", str(lines))
    assert scores["n"] == 2 and scores["perplexity"] == run_json(capsys, "evaluate", "language/gru", "--lines", str(lines))["perplexity"]


def test_a_task_is_one_row(root: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Ten lines and a model make a task that is listed, decoded and evaluated by its own metric."""
    row = Task("shouting", (Slot("whisper"),), "answers", longest=(0, 3))
    monkeypatch.setitem(TASKS, row.name, row)
    save_tiny_model(root / "shouting" / "dot", task="shouting", attention="dot")
    listed = run_json(capsys, "models")["models"]
    assert listed[-1]["id"] == "shouting/dot"
    said = run_json(capsys, "decode", "shouting/dot", "--text", "abc")
    assert (
        said["task"] == "shouting"
        and len(DecodeTrace.from_dict({key: value for key, value in said.items() if key != "text"}).tokens()) <= 3
    )
    data = tmp_path / "data.tsv"
    data.write_text(f"abc\t{said['text']}\nabc\tnever\n")
    scores = run_json(capsys, "evaluate", "shouting/dot", "--data", str(data), "--record", "ours")
    assert (scores["n"], scores["accuracy"]) == (2, 50.0)
    assert "ours: right % 50.0" in run(capsys, "models")[1]


def test_a_prompt_stands_between_what_is_read_and_what_is_right(
    root: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(TASKS, "asking", Task("asking", (Slot("story"),), "answers", Slot("question")))
    save_tiny_model(root / "asking" / "dot", task="asking", attention="dot")
    said = run_json(capsys, "decode", "asking/dot", "--text", "abc", "--prompt", "he", "--max-length", "4")
    answer = said["hypotheses"][0]["answer"]
    assert said["text"] == "he" + answer and answer
    data = tmp_path / "data.tsv"
    data.write_text(f"abc\the\t{answer}\tnot read\nabc\tda\tnever\n")
    assert run_json(capsys, "evaluate", "asking/dot", "--data", str(data), "--max-length", "4")["accuracy"] == 50.0
    data.write_text("abc\the\n")
    assert "at least 3 are needed: story TAB question TAB output" in run(capsys, "evaluate", "asking/dot", "--data", str(data))[2]


def test_headlines_are_scored_by_rouge_with_intervals(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    save_tiny_model(root / "summary" / "copy", task="summary", share_embeddings=True, copying=True)
    data = root / "headlines.tsv"
    data.write_text("abc def\tABC\nhead\tHEAD\n", encoding="utf8")
    scores = run_json(capsys, "evaluate", "summary/copy", "--data", str(data), "--max-length", "4")
    assert all(low <= scores[name] <= high for name, (low, high) in scores["intervals"].items())
    assert list(scores["intervals"]) == ["rouge1", "rouge2", "rougeL"]


def test_evaluating_in_batches_scores_what_single_decodes_give(root: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["abc", "hgf", "a", "bcdefg", "gg", "fade"]
    pairs = tmp_path / "pairs.tsv"
    outputs = [run_json(capsys, "decode", "translation/additive", "--text", word)["text"] for word in words]
    assert all(outputs)
    pairs.write_text("".join(f"{word}\t{output}\n" for word, output in zip(words, outputs, strict=True)))
    scores = run_json(capsys, "evaluate", "translation/additive", "--pairs", str(pairs))
    assert scores["n"] == len(words) and scores["exact"] == 100.0


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("decode", "translation/aditive", "--text", "a"), "the nearest are translation/additive"),
        (("decode", "translation/additive", "--text", ""), "The text is empty"),
        (("decode", "translation/additive", "--text", "   "), "The text has only spaces"),
        (("decode", "translation/additive", "--text", "a" * 10_000), "The text has 10,000 characters"),
        (("decode", "translation/additive", "--text", "a\ud800"), "half of a surrogate pair"),
        (("decode", "translation/additive", "--text", "a\x07"), "control character"),
        (("decode", "translation/additive", "--text", "a", "--beam-size", "0"), "beam_size is 0; it must be between 1 and 20."),
        (("decode", "translation/additive", "--text", "a", "--beam-size", "two"), "invalid int value"),
        (("decode", "translation/additive", "--image", "/nowhere.jpg"), "reads a sentence: give it with --text"),
        (("decode", "translation/additive", "--text", "a", "--sound", "/nowhere.wav"), "reads a sentence: give it with --text"),
        (("decode", "translation/additive"), "reads a sentence: give it with --text"),
        (("decode", "language/gru", "--text", "a"), "reads no source"),
        (("evaluate", "translation/additive"), "Give one file to evaluate"),
        (("evaluate", "translation/additive", "--pairs", "a.tsv", "--data", "b.tsv"), "Give one file to evaluate"),
        (("evaluate", "translation/additive", "--data", "/nowhere.tsv"), "nowhere.tsv cannot be read"),
        (("evaluate", "translation/additive", "--lines", __file__), "--lines is for language models"),
        (("evaluate", "translation/additive", "--pairs", "/nowhere.tsv"), "nowhere.tsv cannot be read"),
        (("evaluate", "transliteration/dot", "--lexicon", __file__), "line 1"),
        (("evaluate", "translation/additive", "--lexicon", __file__), "--lexicon is for transliteration models"),
        (("evaluate", "translation/additive", "--data", __file__), "line 1: found 1 field(s), at least 2 are needed: sentence TAB output"),
        (("train", "--config", "/nowhere.toml", "--data", ".", "--out", "nowhere"), "nowhere.toml cannot be read"),
        (("fly",), "invalid choice"),
        ((), "required"),
    ],
)
def test_an_error_is_one_line_and_code_2(root: Path, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], sentence: str) -> None:
    code, out, err = run(capsys, *arguments)
    assert code == 2 and out == ""
    assert sentence in err and err.count("\n") == 1


@pytest.mark.parametrize("text", ["😀 a", "नमस्ते", "שלום", "a\tb\nc", "<script>"])
def test_unusual_text_is_decoded(root: Path, capsys: pytest.CaptureFixture[str], text: str) -> None:
    values = run_json(capsys, "decode", "translation/additive", "--text", text, "--max-length", "4")
    assert values["parts"][0]["text"] == text


def test_the_module_runs_as_a_program(root: Path) -> None:
    environment = {**os.environ, "SEQ2SEQ_MODELS": str(root)}
    command = [sys.executable, "-m", "seq2seq_core", "decode", "translation/nine", "--text", "a"]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 2 and "There is no model" in done.stderr and "Traceback" not in done.stderr


def test_shipping_writes_a_smaller_model_with_a_card(root: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "models" / "translation" / "additive"
    code, _, err = run(capsys, "ship", "translation/additive", "--out", str(out), "--storage", "int8")
    assert code == 0, err
    assert (out / "weights.safetensors").stat().st_size < (root / "translation/additive/weights.safetensors").stat().st_size
    assert "v . tanh(U s + W h)" in (out / "card.md").read_text()
    before = run_json(capsys, "decode", "translation/additive", "--text", "abc", "--max-length", "4")
    after = run_json(capsys, "decode", str(out), "--text", "abc", "--max-length", "4")
    assert after["hypotheses"][0]["total"] == pytest.approx(before["hypotheses"][0]["total"], abs=0.2)


def test_a_card_tells_what_other_seeds_reach(root: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out"
    folders = [root / "translation" / "additive", tmp_path / "second", tmp_path / "third"]
    for seed, folder in enumerate(folders[1:], 2):
        save_tiny_model(folder, seed=seed)
    for seed, folder in enumerate(folders, 1):
        card = json.loads((folder / "model.json").read_text())
        scores = {"Dev": {"n": 9, "exact": 40.0 + seed, "buckets": []}}
        (folder / "model.json").write_text(json.dumps({**card, "name": "translation/additive", "seed": seed, "scores": scores}))
    code, _, err = run(capsys, "ship", str(folders[1]), "--out", str(out), "--seeds", str(folders[0]), str(folders[2]))
    assert code == 0, err
    seeds = json.loads((out / "model.json").read_text())["seeds"]
    assert seeds == {str(seed): {"Dev": {"exact": 40.0 + seed}} for seed in (1, 2, 3)}
    assert "| 3 | Dev | exact % 43.00 |" in (out / "card.md").read_text()

    code, _, err = run(capsys, "ship", str(folders[1]), "--out", str(out), "--seeds", str(folders[1]))
    assert code == 2 and "a seed of its own" in err
    code, _, err = run(capsys, "ship", str(folders[1]), "--out", str(out), "--seeds", str(root / "transliteration" / "dot"))
    assert code == 2 and "not the same model" in err


@pytest.mark.parametrize("encoding", ["ascii", "cp1252"])
def test_what_a_terminal_cannot_show_is_written_as_its_code(root: Path, monkeypatch: pytest.MonkeyPatch, encoding: str) -> None:
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding) for _ in range(2))
    monkeypatch.setattr("sys.stdout", out)
    monkeypatch.setattr("sys.stderr", err)
    assert main(["decode", "translation/additive", "--text", "नमस्ते", "--max-length", "3", "--json"]) == 0
    out.flush()
    assert json.loads(out.buffer.getvalue().decode(encoding))["parts"][0]["text"] == "नमस्ते"  # type: ignore[attr-defined]
    assert not err.buffer.getvalue()  # type: ignore[attr-defined]


def test_a_full_disk_is_a_sentence(root: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device", "/somewhere")

    monkeypatch.setattr("seq2seq_core.commands.ship_model", full)
    code, out, err = run(capsys, "ship", "translation/additive", "--out", "elsewhere")
    assert (code, out, err) == (2, "", "The disk of the computer that runs this is full; make room on it, then try again.\n")


def test_a_name_of_any_length_is_answered(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = run(capsys, "decode", "a" * 5000, "--text", "a")
    assert code == 2 and "There is no model" in err and len(err) <= 201
