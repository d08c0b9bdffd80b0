from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest
import torch
from PIL import Image

from seq2seq_core.config import DecodeSettings, ModelConfig
from seq2seq_core.errors import InputError
from seq2seq_core.inputs.photo import read_photo
from seq2seq_core.inputs.text import check_text
from seq2seq_core.inputs.tokenizer import EOS, SubwordTokenizer
from seq2seq_core.model.seq2seq import Seq2Seq
from seq2seq_core.pipeline import Pipeline
from seq2seq_core.trace.steering import RowEdit, Steering
from tests.core.invariants import assert_close, check_trace, tiny_pipeline
from tests.core.tiny import LETTERS, save_tiny_model, tiny_model

GREEDY = DecodeSettings(search="greedy", max_length=6)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "The text is empty; type something."),
        (" \u00a0\n", "The text has only spaces; type something."),
        ("a" * 10_000, "The text has 10,000 characters; at most 2,000 are allowed, so shorten it."),
        ("ab\x07", "Character 3 is a control character (U+0007); remove it."),
        ("\x00", "Character 1 is a control character (U+0000); remove it."),
        ("a\ud83d!", "Character 2 is half of a surrogate pair (U+D83D), not a character; type it again."),
        (b"abc", "The text is bytes; it must be a string."),
    ],
)
def test_text_that_cannot_be_read_is_refused(text: str, sentence: str) -> None:
    with pytest.raises(InputError) as error:
        check_text(text)
    assert str(error.value) == sentence
    if isinstance(text, str):
        for call in (tiny_pipeline().read, tiny_pipeline().decode, tiny_pipeline().stream, tiny_pipeline().encode):
            with pytest.raises(InputError) as error:
                call(text)
            assert str(error.value) == sentence


@pytest.mark.parametrize("text", ["a" * 1000, "tab\tand\nlines", "🙂👩\u200d👩\u200d👧", "मैं घर", "\u202eabc", "<script>", "ab \ud7ff"])
def test_any_other_text_is_decoded(text: str) -> None:
    trace = tiny_pipeline().decode(text, GREEDY)
    check_trace(trace)
    assert trace.given_text == text
    assert "".join(trace.given_text[start:end] for start, end in trace.parts[0].spans) == text


def test_a_text_of_too_many_tokens_is_refused() -> None:
    with pytest.raises(InputError, match=r"^The text has 1,001 tokens for this model; at most 1,000 can be read, so shorten it\.$"):
        tiny_pipeline().decode("a" * 1001)


def test_text_is_composed_first() -> None:
    part = tiny_pipeline().read("a\u0308b")[0]
    assert part.text == "äb"
    assert part.labels == ("ä", "b")
    assert part.spans == ((0, 1), (1, 2))


def subword_pipeline() -> Pipeline:
    lines = ["a small dog likes the old house", "the dogs like small houses", "der kleine Hund mag das alte Haus"] * 3
    tokenizer = SubwordTokenizer.train(lines, 300)
    torch.manual_seed(1)
    model = Seq2Seq(ModelConfig(source_vocab=300, target_vocab=300, hidden=8, embedding=8)).eval()
    return Pipeline("test/subword", model, tokenizer, tokenizer)


def test_subwords_of_any_script_keep_their_place_in_the_text() -> None:
    pipeline = subword_pipeline()
    text = "Der kleine Hund 🙂 <b>mag</b> मैं!"
    trace = pipeline.decode(text, DecodeSettings(max_length=12))
    assert trace.given_text == text
    words = trace.grouped()
    assert words.source[:4] == ("Der", "kleine", "Hund", "🙂")
    assert "".join(words.source) == text.replace(" ", "")
    assert trace.text() == pipeline.target_tokenizer.decode(trace.token_ids())
    assert type(trace).from_json(trace.to_json()) == trace


def test_an_encoded_source_is_decoded_again_without_the_encoder() -> None:
    pipeline = tiny_pipeline()
    encoded = pipeline.encode("abc d")
    plain = pipeline.decode("abc d", GREEDY)
    pipeline.model.encoder = None
    trace = pipeline.decode(encoded, GREEDY)
    assert trace.nodes == plain.nodes
    assert trace.parts == plain.parts
    assert trace.encode_ms == encoded.encode_ms > 0
    assert trace.decode_ms > 0


def test_a_stream_gives_the_steps_and_the_trace_of_a_decode() -> None:
    pipeline = tiny_pipeline(0, eos=-20.0)
    stream = pipeline.stream("abc d", GREEDY)
    assert [step.step for step in stream] == list(range(6))
    assert stream.trace().nodes == pipeline.decode("abc d", GREEDY).nodes


def test_a_batch_keeps_its_order_and_its_size_does_not_matter() -> None:
    pipeline = tiny_pipeline(2)
    texts = ["hgfedcb", "a", "abc d", "dd", "feed"]
    for size in (1, 2, 32):
        traces = pipeline.decode_batch(texts, batch_size=size)
        assert [trace.given_text for trace in traces] == texts
        for trace, text in zip(traces, texts, strict=True):
            assert_close(trace, pipeline.decode(text))
    assert pipeline.decode_batch([]) == []


def test_one_bad_text_of_a_batch_is_refused() -> None:
    with pytest.raises(InputError, match="The text is empty"):
        tiny_pipeline().decode_batch(["ab", ""])


def test_scoring_a_text() -> None:
    pipeline = tiny_pipeline(2)
    trace = pipeline.score("abc d", "feed")
    assert trace.text() == "feed"
    assert trace.tokens() == ("f", "e", "e", "d", "</s>")
    assert trace.steering.prefix == trace.token_ids()
    check_trace(trace)
    forced = pipeline.decode("abc d", DecodeSettings(search="greedy"), Steering(prefix=trace.token_ids()))
    assert_close(forced, trace)
    assert pipeline.score("abc d", "").token_ids() == (EOS,)
    assert pipeline.score("abc d", "é").token_ids() == (3, EOS)
    with pytest.raises(InputError, match=r"Step 1 is forced|The token forced at step 1 is padding"):
        pipeline.score("abc d", [4, 0, 5])


def test_scoring_many_texts_is_scoring_each() -> None:
    pipeline = tiny_pipeline(2)
    sources, targets = ["abc d", "h", "gg fed cba"], ["feed", "a bad cab", ""]
    for trace, source, target in zip(pipeline.score_batch(sources, targets), sources, targets, strict=True):
        assert_close(trace, pipeline.score(source, target))
    with pytest.raises(InputError, match="There are 3 sources and 1 outputs; give one output a source"):
        pipeline.score_batch(sources, ["ab"])
    language = tiny_pipeline(2, source="none", attention="none", task="language")
    assert [trace.text() for trace in language.score_batch([None, None], ["ab", "a"])] == ["ab", "a"]


def test_a_prefix_is_a_text_of_the_output() -> None:
    pipeline = tiny_pipeline(2, eos=-20.0)
    assert pipeline.prefix("") == Steering()
    assert pipeline.decode("abc", GREEDY, pipeline.prefix("bad")).text().startswith("bad")
    with pytest.raises(InputError, match=r"^'z' is not in this model's output vocabulary; leave it out\.$"):
        pipeline.prefix("baz")
    with pytest.raises(InputError, match="The text has only spaces"):
        pipeline.prefix("  ")


def image_pipeline() -> Pipeline:
    def grid(image: Image.Image) -> tuple[torch.Tensor, tuple[int, int]]:
        small = torch.tensor(list(image.convert("L").resize((3, 2)).tobytes())).float() / 255
        return torch.stack([small, 1 - small, small**2], 1), (2, 3)

    model = tiny_model(1, source="image", source_vocab=3, task="captioning")
    return Pipeline("captioning/tiny", model, None, LETTERS, {}, grid)


def test_a_picture_becomes_a_caption() -> None:
    pipeline = image_pipeline()
    pictures = [Image.new("RGB", (30, 20), color) for color in ("red", "white", "black")]
    trace = pipeline.decode(pictures[0])
    check_trace(trace)
    assert trace.parts[0].kind == "grid"
    assert (trace.parts[0].grid, trace.parts[0].size, trace.positions) == ((2, 3), (30, 20), 6)
    assert trace.attention().shape[1] == 6
    assert trace.max_length == 40
    assert type(trace).from_json(trace.to_json()) == trace
    for batched, picture in zip(pipeline.decode_batch(pictures), pictures, strict=True):
        assert_close(batched, pipeline.decode(picture))
    steered = pipeline.decode(pictures[0], GREEDY, Steering(rows=(RowEdit(0, (0, 0, 0, 0, 1, 0)),)))
    assert steered.attention()[0].tolist() == [0, 0, 0, 0, 1, 0]


def test_what_a_model_reads_is_said() -> None:
    with pytest.raises(InputError, match=r"^This model describes pictures; give it a picture"):
        image_pipeline().decode("a dog")
    with pytest.raises(InputError, match=r"^This model reads text; give it a sentence or a word"):
        tiny_pipeline().decode(Image.new("RGB", (3, 3)))
    with pytest.raises(InputError, match=r"^This model reads text"):
        tiny_pipeline().decode(None)
    language = tiny_pipeline(source="none", attention="none", task="language")
    with pytest.raises(InputError, match=r"^This model reads no source; give the beginning of its output as a prompt instead"):
        language.decode("abc")
    assert language.decode("", GREEDY).parts == ()
    blind = Pipeline("x/y", image_pipeline().model, None, LETTERS)
    with pytest.raises(InputError, match="loaded without its image network"):
        blind.decode(Image.new("RGB", (3, 3)))


def test_a_picture_file(tmp_path: Path) -> None:
    Image.new("RGB", (32, 24), "blue").save(tmp_path / "a.png")
    assert read_photo(tmp_path / "a.png").size == (32, 24)
    with pytest.raises(InputError, match=r"none\.png cannot be read \(No such file or directory\); check that the file is there"):
        read_photo(tmp_path / "none.png")


def test_a_saved_model_is_loaded_from_its_folder(tmp_path: Path) -> None:
    model = save_tiny_model(tmp_path / "translation" / "tiny")
    pipeline = Pipeline.load(tmp_path / "translation" / "tiny")
    assert (pipeline.model_id, pipeline.task) == ("translation/tiny", "translation")
    own = Pipeline(pipeline.model_id, model.pack(), LETTERS, LETTERS).decode("abc d")
    trace = dataclasses.replace(pipeline.decode("abc d"), encode_ms=own.encode_ms, decode_ms=own.decode_ms)
    assert trace == own


def test_an_edit_calls_the_model_once_a_step_and_reading_a_trace_never(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []
    step = Seq2Seq.step
    monkeypatch.setattr(Seq2Seq, "step", lambda *arguments: calls.append(1) or step(*arguments))
    trace = tiny_pipeline(0, eos=-20.0).decode("abc d", DecodeSettings(beam_size=5, max_length=6))
    assert len(calls) == 6
    trace.grouped()
    trace.to_json()
    list(trace.nodes)
    assert len(calls) == 6
