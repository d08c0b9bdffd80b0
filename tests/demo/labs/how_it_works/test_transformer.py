"""How it works with a Transformer: its numbers are the model's own, and its other maps are those of its layers."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from demo import resources
from demo.labs.how_it_works import transformer
from demo.labs.how_it_works.encoder_equations import Source
from demo.labs.how_it_works.equations import Shown
from demo.labs.how_it_works.notation import number, vector
from demo.labs.how_it_works.self_attention import head_names, map_data
from demo.labs.how_it_works.torch_attention import differences, lines
from demo.query import Query
from seq2seq_core.config import ModelConfig
from seq2seq_core.inputs.tokenizer import SubwordTokenizer
from seq2seq_core.model.seq2seq import Seq2Seq
from seq2seq_core.model.transformer import placed
from seq2seq_core.store.checkpoint import save, weights_of
from tests.core.invariants import tiny_pipeline
from tests.core.tiny import LETTERS
from tests.demo.pages import components, open_page
from tests.demo.tiny_models import GERMAN

PATH, TEXT, STEP, POSITION, HEAD = (5, 9, 4, 2), "adchb", 2, 3, 3
WORDS = [LETTERS.token(i) for i in range(LETTERS.size)]
SIZES: dict[str, Any] = {
    "body": "transformer",
    "attention": "multi-head",
    "embedding": 8,
    "heads": 2,
    "encoder_layers": 2,
    "decoder_layers": 2,
}


def test_every_number_is_the_model_s_own() -> None:
    pipeline = tiny_pipeline(**SIZES)
    model, config = pipeline.model, pipeline.model.config
    inside = pipeline.inside(pipeline.score(TEXT, PATH))
    found = transformer.sections(config, inside, STEP, Shown(POSITION, HEAD, tuple(TEXT), WORDS, PATH[STEP]))
    text = "\n".join(line for section in found for line in section.latex)
    with torch.inference_mode():
        memory = model.encode(torch.tensor([pipeline.read(TEXT)[0].ids]), torch.tensor([len(TEXT)]))
        output = model.step(torch.tensor([[1, *PATH[:-1]]]), model.start(memory), memory)
        embedded = model.decoder.embedding.weight[PATH[STEP - 1]]
    assert vector(embedded.detach().numpy()) in text
    assert vector(placed(embedded[None, None], STEP)[0, 0].detach().numpy()) in text
    assert vector(output.hidden[0, STEP].numpy()) in text
    assert number(float(output.weights[0, STEP, HEAD, POSITION])) in text
    assert f"= {number(math.exp(torch.log_softmax(output.logits[0, STEP], -1)[PATH[STEP]]))}" in text
    read = transformer.reading(config, inside, Source(tuple(TEXT), pipeline.read(TEXT)[0].ids), POSITION)
    assert vector(memory.states[0, POSITION].numpy()) in read[-1].latex[0]


def test_a_position_is_sines_and_cosines() -> None:
    np.testing.assert_allclose(transformer.positions(5, 8), placed(torch.zeros(1, 1, 8), 5)[0, 0].numpy(), atol=1e-6)


def test_its_maps_are_those_of_its_layers() -> None:
    pipeline = tiny_pipeline(**SIZES)
    trace = pipeline.score(TEXT, PATH)
    inside = pipeline.inside(trace)
    assert head_names(inside, "decoder") == ["layer 1, head 1", "layer 1, head 2", "layer 2, head 1", "layer 2, head 2"]
    own = map_data(trace, 0, inside, "decoder", "<s>")
    assert own["parts"][0]["tokens"] == ["<s>", *trace.tokens()[:-1]]
    weights = np.array(own["attention"])  # [T, K, S]
    assert weights.shape == (len(PATH), 4, len(PATH))
    assert (np.triu(weights.transpose(1, 0, 2), 1) == 0).all()  # nobody looks ahead
    np.testing.assert_allclose(weights[:, 2], inside.looks["layer 2/itself"][0], atol=1e-4)
    source = map_data(trace, 0, inside, "encoder", "<s>")
    assert source["target"]["tokens"] == list(TEXT)
    np.testing.assert_allclose(np.array(source["attention"])[:, 1], inside.reads["layer 1"][1], atol=1e-4)


@pytest.mark.parametrize("hidden", [(), (2,)])
def test_multi_head_attention_is_pytorch_s(hidden: tuple[int, ...]) -> None:
    from seq2seq_core.trace.steering import Steering

    pipeline = tiny_pipeline(attention="multi-head")
    inside = pipeline.inside(pipeline.score(TEXT, PATH, steering=Steering(hidden=hidden)))
    (found,) = differences(pipeline.model, inside).values()
    assert found < 1e-6
    assert "torch.nn.MultiheadAttention(" in lines()
    with torch.no_grad():
        pipeline.model.decoder.attention.w_o.bias += 0.5
    assert differences(pipeline.model, inside) == {"the source": pytest.approx(0.5, abs=1e-5)}


def test_every_look_of_a_transformer_is_pytorch_s() -> None:
    from seq2seq_core.trace.steering import RowEdit, Steering

    pipeline = tiny_pipeline(**SIZES)
    put_in = RowEdit(1, (0.0, 0.0, 1.0, 0.0, 0.0))
    inside = pipeline.inside(pipeline.score(TEXT, PATH, steering=Steering(rows=(put_in,), hidden=(3,))))
    found = differences(pipeline.model, inside)
    sides = ("encoder, layer", "decoder at itself, layer", "decoder at the source, layer")
    assert sorted(found) == sorted(f"{side} {layer}" for side in sides for layer in (1, 2))
    assert max(found.values()) < 1e-6
    with torch.no_grad():
        pipeline.model.decoder.layers[1].itself.attention.w_o.bias += 0.5
    changed = differences(pipeline.model, inside)
    assert changed.pop("decoder at itself, layer 2") == pytest.approx(0.5, abs=1e-5)
    assert max(changed.values()) < 1e-6


@pytest.fixture
def a_transformer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    words = SubwordTokenizer.train([text for pair in GERMAN for text in pair], 400)
    torch.manual_seed(1)
    config = ModelConfig(source_vocab=words.size, target_vocab=words.size, hidden=8, **SIZES)
    folder = tmp_path / "translation" / "transformer"
    save(folder, config, weights_of(Seq2Seq(config)), (words, words), {"name": "translation/transformer"}, "int8")
    monkeypatch.setenv("SEQ2SEQ_MODELS", str(tmp_path))
    for cached in (resources.pipeline, resources.shelf):
        cached.clear()
    resources.forget_answers()


@pytest.mark.usefixtures("a_transformer")
@pytest.mark.parametrize("step", ["1", "0"])
def test_a_folder_with_a_transformer_is_enough(step: str) -> None:
    at = open_page("how_it_works", model="transformer", step=step, read="1", words="false", max_length="6")
    assert not at.error and not at.exception
    assert [one["player"]["heads"][-1]["name"] for one in components(at) if "player" in one] == ["layer 2, head 2"] * 3
    assert resources.answer(Query("translation/transformer", ("Das gefällt mir.",))).network.body == "transformer"
