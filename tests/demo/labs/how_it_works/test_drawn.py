"""Models, pairs and places are drawn: every number that How it works prints is the tensor's, in every lettering.

What an equation says is computed here, from weights by their names in the lecture's letters; it comes to what is printed behind it.
"""

from __future__ import annotations

import math
import random
import re
from typing import Any

import numpy as np
import pytest
import torch

from demo.labs.how_it_works.moments import moment_of
from demo.labs.how_it_works.view import Chosen, ReadView, Run, StepView
from demo.letters import NAMES
from seq2seq_core.config import ATTENTIONS, WIRINGS, WITHOUT_MAP
from seq2seq_core.inputs.tokenizer import BOS
from seq2seq_core.model.attention import MultiHead
from seq2seq_core.model.transformer import placed
from seq2seq_core.pipeline import Encoded, Grid, Pipeline
from tests.core.invariants import tiny_pipeline
from tests.core.tiny import LETTERS
from tests.demo.labs.how_it_works.expected import HALF, Expected, array, renamed, softmax, without_shapes
from tests.demo.labs.how_it_works.test_symbols import unpacked
from tests.demo.latex_values import Values, evaluate

NUMBER = re.compile(r"-?\d+\.\d{3}(?!\d)")
VECTOR = re.compile(r"\[[-\d][^\]]*\] \\in \\mathbb")
DRAWS = 48


def drawn(number: int) -> tuple[Run, random.Random]:
    """A model, what it reads and what it says. Every attention comes in turn, and every wiring with each of them."""
    rng = random.Random(number)
    attention = ATTENTIONS[number % len(ATTENTIONS)]
    has_map = attention not in WITHOUT_MAP
    wiring = WIRINGS[number // len(ATTENTIONS) % len(WIRINGS)]
    changes: dict[str, Any] = {"attention": attention, "wiring": wiring, "cell": rng.choice(("rnn", "gru", "lstm"))}
    changes |= {"decoder_layers": rng.randint(1, 2), "encoder_layers": rng.randint(1, 2), "bidirectional": rng.random() < 0.7}
    if rng.random() < 0.2:
        changes |= {"source": "image", "source_vocab": 12, "task": "captioning"}
    elif has_map and wiring != "state":
        changes |= {"gate": rng.random() < 0.4, "copying": rng.random() < 0.4}
        changes["share_embeddings"] = changes["copying"]
    elif attention == "none" and rng.random() < 0.4:
        changes |= {"source": "none", "task": "language"}
    if wiring != "straight" and rng.random() < 0.3:
        changes["tie_output"] = False
    return run_of(rng, **changes), rng


def run_of(rng: random.Random, **changes: Any) -> Run:
    pipeline = tiny_pipeline(rng.randrange(99), **changes)
    text = "".join(rng.choices("abcdefgh", k=rng.randint(2, 7)))
    copied = [LETTERS.encode(text).ids[0]] * pipeline.model.config.copying
    path = (*copied, *(rng.randrange(4, LETTERS.size) for _ in range(rng.randint(1, 5))), 2)
    encoded = encoded_by(pipeline, text)
    trace = pipeline.score(encoded, path)
    return Run(pipeline, pipeline.inside(trace, encoded=encoded), trace, 0)


def encoded_by(pipeline: Pipeline, text: str) -> Encoded:
    config = pipeline.model.config
    if config.source == "image":
        return pipeline.encode(Grid(torch.randn(6, config.source_vocab, generator=torch.Generator().manual_seed(3)), (2, 3)))
    return pipeline.encode(text if config.source == "text" else None)


@pytest.mark.parametrize("number", range(DRAWS))
@torch.inference_mode()
def test_every_number_that_is_printed_is_the_tensor_s(number: int) -> None:
    run, rng = drawn(number)
    positions, config = len(run.inside.memory), run.config
    step, j, head = rng.randrange(len(run.inside.tokens)), rng.randrange(max(1, positions)), rng.randrange(config.heads)
    held_to_the_model(run)
    views: list[StepView | ReadView] = [run.step(step, Chosen(False, j + 1, head + 1)), run.step(0, Chosen(False, 0, 0))]
    if positions:
        views.append(run.read(None))
    if config.source == "text":
        views.append(run.read(j))
    for view in views:
        numbers = Expected(run, view)
        for lettering in NAMES:
            check(view, lettering, numbers)


def held_to_the_model(run: Run) -> None:
    """What is compared with is what the model computes where nobody looks inside."""
    model, inside = run.pipeline.model, run.inside
    encoded = encoded_by(run.pipeline, "".join(run.trace.parts[0].labels) if run.trace.parts else "")
    tokens = run.trace.token_ids(0)
    output = model.step(torch.tensor([[BOS, *tokens[:-1]]]), model.start(encoded.memory), encoded.memory)
    np.testing.assert_allclose(inside.memory, encoded.memory.states[0], atol=1e-5)
    for t in range(len(tokens)):
        now = inside.at(t)
        np.testing.assert_allclose(now.hidden, output.hidden[0, t], atol=1e-5)
        np.testing.assert_allclose(now.logprobs, torch.log_softmax(output.logits[0, t], -1), atol=1e-5)
        if now.attention is not None:
            np.testing.assert_allclose(softmax(now.attention.scores), output.weights[0, t], atol=1e-5)


def check(view: StepView | ReadView, lettering: str, numbers: Expected) -> None:
    """Every line of every equation as the browser is given it; then the tables, and the vectors whole."""
    data = moment_of(view, lettering, True)
    vectors = []
    for section, given in zip(view.sections, data["sections"], strict=True):
        values = renamed(numbers.values(section), section, lettering, numbers.config.cell)
        for line, written in zip(section.latex, given["lines"], strict=True):
            expected = numbers.printed(section, line)
            whole = expected if expected is not None else comes_to(written, values)
            vectors += [one for one in whole if one.ndim]
            entries = [len(NUMBER.findall(one)) for one in VECTOR.findall(written)] or [0]
            listed = [float(value) for one in whole for value in (one[: max(3, entries[-1])] if one.ndim else [one])]
            shown = [float(value) for value in NUMBER.findall(without_shapes(written).replace("- ", "-"))]
            assert len(shown) == len(listed), f"{written}: {listed}"
            np.testing.assert_allclose(shown, listed, atol=HALF, err_msg=written)
    assert len(data["vectors"]) == len(vectors) > 0
    for vector, wanted in zip(data["vectors"], vectors, strict=True):
        np.testing.assert_allclose(unpacked(vector), wanted, atol=HALF, err_msg=vector["name"])
    if isinstance(view, StepView):
        numbers.check_tables({given["name"]: dict(given["table"]) for given in data["sections"] if "table" in given})


def comes_to(line: str, values: Values) -> list[np.ndarray]:
    """What stands on the right of every equals sign that has numbers behind it, computed from what stands on its left."""
    left, *right = without_shapes(line).split(" = ")
    if not right or not NUMBER.search(right[-1]):
        return []
    found = [evaluate(formula, values) for formula in (left, *right[:-1]) if formula in values or not formula.startswith("[")]
    found = [one[0] if one.shape == (1,) and not right[-1].startswith("[") else one for one in found]
    for other in found[1:]:
        np.testing.assert_allclose(np.ravel(other), np.ravel(found[0]), atol=1e-4, err_msg=line)
    return found[:1]


@pytest.mark.parametrize("number", range(6))
@torch.inference_mode()
def test_so_are_those_of_a_transformer(number: int) -> None:
    rng = random.Random(number)
    layers = {"encoder_layers": rng.randint(1, 3), "decoder_layers": rng.randint(1, 3)}
    run = run_of(rng, body="transformer", attention="multi-head", embedding=8, heads=2, **layers)
    model, inside, text = run.pipeline.model, run.inside, "".join(run.trace.parts[0].labels)
    step, j, head = rng.randrange(len(inside.tokens)), rng.randrange(len(text)), rng.randrange(2 * layers["decoder_layers"])
    memory = run.pipeline.encode(text).memory
    output = model.step(torch.tensor([inside.tokens]), model.start(memory), memory)
    view, logits = run.step(step, Chosen(False, j + 1, head + 1)), output.logits[0, step].numpy()
    layer = model.decoder.layers[head // 2]
    asked = [inside.values[f"layer {head // 2 + 1}/{name}/states"] for name in ("itself", "attention")]  # [T, H] what asks
    own = looked_at(layer.itself.attention, asked[0][step], asked[0][: step + 1], head % 2, None)
    other = looked_at(layer.attention, asked[1][step], inside.memory, head % 2, j)
    np.testing.assert_allclose(other[0][-1], output.weights[0, step, head, j], atol=1e-5)
    y, embedded = view.shown.token_out, torch.tensor(inside.values["embedded"][step])[None, None]
    said = [logits[y], *np.sort(logits)[::-1][:3], softmax(logits)[y], math.log(softmax(logits)[y])]
    told = [
        [embedded], [placed(torch.zeros(1, 1, 8), step), placed(embedded, step)], *own, *other, [], [output.hidden[0, step], logits, *said],
    ]  # fmt: skip
    for lettering in NAMES:
        for given, wanted in zip(moment_of(view, lettering, True)["sections"], told, strict=True):
            shown = [float(value) for value in NUMBER.findall(without_shapes(" ".join(given["lines"])).replace("- ", "-"))]
            np.testing.assert_allclose(shown, [value for one in wanted for value in np.ravel(one)[:3]], atol=HALF, err_msg=given["name"])


def looked_at(part: MultiHead, asks: np.ndarray, memory: np.ndarray, head: int, j: int | None) -> list[list[np.ndarray]]:
    """One look of a Transformer: score and weight of a position, of which None is the one looked at most; then what all heads bring."""
    heads, width = part.heads, len(asks) // part.heads
    q, k, v = (
        (values @ array(layer.weight).T + array(layer.bias)).reshape(-1, heads, width)
        for values, layer in ((asks, part.w_q), (memory, part.w_k), (memory, part.w_v))
    )
    terms = q * k / math.sqrt(width)  # [S, K, d]
    weights = softmax(terms.sum(-1).T)  # [K, S]
    mixed = np.stack([weights[i] @ v[:, i] for i in range(heads)])
    at, scores = int(weights[head].argmax()) if j is None else j, terms[:, head].sum(-1)
    score = [*terms[at, head][:3], scores[at], scores[at], *scores[:3], weights[head, at]]
    brings = array(part.w_o.weight) @ mixed.ravel() + array(part.w_o.bias)
    return [score, [*np.sort(weights[head])[::-1][:3], mixed[head], brings]]
