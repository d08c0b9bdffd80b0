"""Every number printed in an equation is the model's own, to three decimals; what is typed stays text."""

from __future__ import annotations

import math
import re
from typing import Any

import numpy as np
import pytest
import torch

from demo.labs.how_it_works.equations import Shown, sections
from demo.labs.how_it_works.notation import number, total, vector
from demo.labs.how_it_works.six_parts import six_parts
from demo.wording import plain, quoted
from seq2seq_core import config
from seq2seq_core.config import ATTENTIONS, ModelConfig, to_dict
from seq2seq_core.inputs.tokenizer import BOS
from seq2seq_core.model import attention
from seq2seq_core.store.ship import card_text
from seq2seq_core.study.measures import parameter_counts
from tests.core.invariants import tiny_pipeline
from tests.core.tiny import LETTERS, tiny_model

PATH = (5, 9, 4, 2)
TEXT = "adchb"
WORDS = [LETTERS.token(i) for i in range(LETTERS.size)]
STEP, POSITION, HEAD = 2, 3, 1
SHOWN = Shown(POSITION, 0, tuple(TEXT), WORDS, PATH[STEP])


def write(**changes: Any) -> tuple[dict[str, str], Any, Any]:
    """The LaTeX of each section, and what the model's own step says about the same step, computed the fast way."""
    pipeline = tiny_pipeline(**changes)
    model = pipeline.model
    with torch.inference_mode():
        encoded = pipeline.encode(None if model.config.source == "none" else TEXT)
        memory, state = encoded.memory, model.start(encoded.memory)
        before = model.step(torch.tensor([[BOS, *PATH[: STEP - 1]]]), state, memory).state
        output = model.step(torch.tensor([[PATH[STEP - 1]]]), before, memory)
    found = pipeline.inside(pipeline.score(encoded, PATH))
    heads = model.config.heads if model.config.attention == "multi-head" else 1
    shown = Shown(POSITION, min(HEAD, heads - 1), tuple(TEXT), WORDS, PATH[STEP])
    written = {section.name: "\n".join(section.latex) for section in sections(model.config, found.at(STEP), shown)}
    return written, (model, memory, before, found), output


def find(written: dict[str, str], start: str) -> str:
    return next(text for name, text in written.items() if name.startswith(start))


@pytest.mark.parametrize("cell", ["rnn", "gru", "lstm"])
@pytest.mark.parametrize("wiring", ["output", "input"])
@pytest.mark.parametrize("attention", ATTENTIONS)
def test_states_and_distribution_are_those_of_the_model(attention: str, wiring: str, cell: str) -> None:
    written, (model, memory, before, _), output = write(attention=attention, wiring=wiring, cell=cell)
    state = output.state[0, 0, :8].numpy()
    assert f"= {vector(before[0, 0, :8].numpy())}" in find(written, "What goes in")
    row, token = vector(model.decoder.embedding.weight[PATH[STEP - 1]].detach().numpy()), find(written, "Token")
    assert rf"^\top \delta_{{{PATH[STEP - 1]}}} = {row}" in token
    assert rf"\underset{{{PATH[STEP - 1]}}}{{1}}" in token
    assert f"= {vector(state)}" in find(written, "New state")
    logprobs = torch.log_softmax(output.logits[0, 0], -1)
    chosen = float(logprobs[PATH[STEP]])
    end = find(written, "Output")
    assert rf"= {number(math.exp(chosen))}" in end
    assert rf"\log p(y_t \mid \dots) = {number(chosen)}" in end
    assert vector(output.logits[0, 0].numpy()) in end
    assert rf"\exp({number(float(output.logits[0, 0, PATH[STEP]]))})" in end
    if not model.config.has_map:
        assert vector(memory.summary[0].numpy()) in find(written, "Encoder")
        assert not any(name.startswith(("Score", "Attention", "Context")) for name in written)


@pytest.mark.parametrize("wiring", ["output", "input"])
@pytest.mark.parametrize("attention", [name for name in ATTENTIONS if name not in ("none", "every-step")])
def test_score_row_and_context_are_those_of_the_model(attention: str, wiring: str) -> None:
    written, (_, memory, _, found), output = write(attention=attention, wiring=wiring)
    head = HEAD if attention == "multi-head" else 0
    now, weights = found.at(STEP).attention, output.weights[0, 0, head]
    score = now.scores[head, POSITION]
    assert vector(memory.states[0, POSITION].numpy()) in find(written, "Encoder states")
    assert find(written, "Score").endswith(f" = {number(float(score))}")
    assert f"= {number(float(weights[POSITION]))}" in find(written, "Attention row").splitlines()[0]
    assert rf"\exp({number(float(score))})" in find(written, "Attention row")
    assert vector(now.context) in find(written, "Context")
    if attention == "multi-head":
        assert find(written, "Attention row").endswith(f"= {number(float(output.weights[0, 0, :, POSITION].mean()))}")
    if attention not in ("multi-head", "hard"):
        best = int(weights.argmax())
        assert rf"h_j = {number(float(weights[best]))}\, h_{{{best + 1}}}" in find(written, "Context")
    places = [name for name in written if name.startswith(("New", "Attention"))]
    assert places[0].startswith("Attention" if wiring == "input" else "New")


def test_the_steps_of_a_score_are_computed_by_hand() -> None:
    written, (model, memory, *_), output = write(attention="additive")
    part = model.decoder.attention
    with torch.inference_mode():
        u, w = part.u.weight @ output.hidden[0, 0], part.w.weight @ memory.states[0, POSITION]
        terms = part.v.weight[0] * torch.tanh(u + w)
    text = find(written, "Score")
    for value in (u, w, torch.tanh(u + w)):
        assert vector(value.numpy()) in text
    assert total([number(float(term)) for term in terms]) in text


def test_the_gates_of_a_gru_are_computed_by_hand() -> None:
    written, (model, _, before, _), _ = write(cell="gru")
    weights = model.decoder.recurrence.stack
    with torch.inference_mode():
        x, s = model.decoder.embedding.weight[PATH[STEP - 1]], before[0, 0]
        gates = torch.sigmoid(weights.weight_ih_l0 @ x + weights.bias_ih_l0 + weights.weight_hh_l0 @ s + weights.bias_hh_l0)
    for name, gate in (("r", gates[:8]), ("z", gates[8:16])):
        line = next(line for line in find(written, "New state").splitlines() if line.startswith(f"{name}_t"))
        assert line.endswith(vector(gate.numpy()))
        assert r"\underset{8 \times 6}" in line


@pytest.mark.parametrize("layers", [1, 2])
@torch.inference_mode()
def test_the_first_state_of_an_lstm_is_both_of_its_vectors(layers: int) -> None:
    """W_s h_T has a row for every number of s_0 and m_0, and the equations of the cell need m_{t-1}."""
    pipeline = tiny_pipeline(cell="lstm", decoder_layers=layers)
    encoded = pipeline.encode(TEXT)
    inside = pipeline.inside(pipeline.score(encoded, PATH))
    start = pipeline.model.start(encoded.memory)[0].numpy()  # [L, 2 H]
    first, later = (
        next(one for one in sections(pipeline.model.config, inside.at(t), Shown(0, 0, tuple(TEXT), WORDS, 5)) if one.name == "What goes in")
        for t in (0, 2)
    )
    every = r"s_{0};\, m_{0}" if layers == 1 else r"s^{(1)}_{0};\, m^{(1)}_{0};\, s_{0};\, m_{0}"
    shape = rf"\underset{{{16 * layers} \times 8}}{{W_s}}"
    assert rf"[{every}] = \tanh({shape} h_T + b_s) = {vector(start.flatten())}" in first.latex
    assert f"s_{{0}} = {vector(start[-1, :8])}" in first.latex
    assert f"m_{{0}} = {vector(start[-1, 8:])}" in first.latex
    assert f"m_{{t-1}} = {vector(inside.at(1).cells[-1].after[8:])}" in later.latex


def test_two_layers_of_gru_begin_with_two_states() -> None:
    pipeline = tiny_pipeline(decoder_layers=2)
    encoded = pipeline.encode(TEXT)
    numbers = pipeline.inside(pipeline.score(encoded, PATH)).at(0)
    lines = "\n".join(sections(pipeline.model.config, numbers, Shown(0, 0, tuple(TEXT), WORDS, 5))[2].latex)
    assert r"[s^{(1)}_{0};\, s_{0}] = \tanh(\underset{16 \times 8}{W_s} h_T + b_s)" in lines
    assert f"s_{{0}} = {vector(numbers.start[1])}" in lines


@pytest.mark.parametrize("cell", ["rnn", "gru", "lstm"])
def test_a_letter_has_one_meaning(cell: str) -> None:
    """What stands left of an equals sign is defined there, and nowhere else."""
    written, _, _ = write(cell=cell, decoder_layers=1)
    defined = [line.split(" = ")[0] for text in written.values() for line in text.splitlines() if " = " in line]
    assert len(defined) == len(set(defined)), sorted(defined)
    assert ("o_t" in defined) == (cell == "lstm")


def test_the_text_says_which_head_the_map_shows() -> None:
    def says(averaged: bool) -> str:
        pipeline = tiny_pipeline(attention="multi-head")
        numbers = pipeline.inside(pipeline.score(TEXT, PATH)).at(STEP)
        shown = Shown(POSITION, HEAD, tuple(TEXT), WORDS, PATH[STEP], averaged)
        return next(one.says for one in sections(pipeline.model.config, numbers, shown) if one.name == "Attention row")

    assert says(averaged=True).endswith(" The map shows the average of the heads.")
    assert says(averaged=False).endswith(f" The map shows head {HEAD + 1}.")


def test_shapes_are_printed() -> None:
    written, _, _ = write(attention="multi-head")
    assert r"\underset{2 \times 8}{W_q}" in find(written, "Score")
    assert r"\underset{6 \times 16}{W_c}" in find(written, "Readout")
    assert rf"\underset{{{LETTERS.size} \times 6}}{{E}}" in find(written, "Output")


@pytest.mark.parametrize(
    "changes", [{"gate": True}, {"decoder_layers": 2}, {"source": "none", "attention": "none"}, {"tie_output": False}], ids=str
)
def test_other_models_are_written_too(changes: dict[str, Any]) -> None:
    written, _, _ = write(**changes)
    assert ("beta_t" in find(written, "Readout")) == ("gate" in changes)
    assert sum(name.startswith("New state") for name in written) == changes.get("decoder_layers", 1)
    assert any(name.startswith("Encoder") for name in written) == ("source" not in changes)
    for text in written.values():
        assert text.count("{") == text.count("}")


class Squashed(attention.Product):
    """A variant that the lab does not know: all that it takes is this class, and its name in `config.Attention`."""

    name = "squashed"
    equation = r"e_{tj} = s_t^\top \tanh(W h_j)"
    says = "The keys are squashed, the states are not"
    paper = "nobody 2026"

    def __init__(self, config: ModelConfig) -> None:
        super().__init__(config)
        self.w = torch.nn.Linear(config.hidden, config.hidden, bias=False)

    def keys(self, values: torch.Tensor) -> torch.Tensor:
        return super().keys(torch.tanh(self.w(values)))

    def lines(self, query: torch.Tensor, keys: torch.Tensor) -> dict[str, torch.Tensor]:
        return {r"\tanh(W h_j)": keys.unsqueeze(1)}


@pytest.mark.parametrize("wiring", ["output", "input"])
def test_a_new_variant_is_one_class(monkeypatch: pytest.MonkeyPatch, wiring: str) -> None:
    monkeypatch.setattr(config, "ATTENTIONS", (*ATTENTIONS, "squashed"))
    monkeypatch.setitem(attention.VARIANTS, "squashed", Squashed)
    monkeypatch.setitem(attention.REGISTRY, "squashed", Squashed)
    written, (model, memory, _, found), output = write(attention="squashed", wiring=wiring)
    key = torch.tanh(model.decoder.attention.w(memory.states[0, POSITION].clone())).detach().numpy()
    score, state = found.at(STEP).attention.scores[0, POSITION], "s_{t-1}" if wiring == "input" else "s_t"
    j = POSITION + 1
    assert rf"\tanh(\underset{{8 \times 8}}{{W}} h_{{{j}}}) = {vector(key)}" in find(written, "Score")
    assert rf"e_{{t,{j}}} = {state}^\top \tanh(W h_{{{j}}}) = " in find(written, "Score")
    assert float(found.at(STEP).attention.state @ key) == pytest.approx(float(score), abs=1e-5)
    assert vector(output.logits[0, 0].numpy()) in find(written, "Output")
    assert rf"e_{{tj}} = {state}^\top \tanh(W h_j)" in six_parts(model.config, {}, {})[2].lines
    assert "The keys are squashed, the states are not (nobody 2026)." in card_text({"config": to_dict(model.config)})


def test_how_numbers_are_written() -> None:
    assert [number(value) for value in (0.0, -0.0001, -1.5, 12.34567)] == ["0.000", "0.000", "-1.500", "12.346"]
    assert vector(np.array([1.0, -2.0])) == r"[1.000,\ -2.000] \in \mathbb{R}^{2}"
    assert vector(np.arange(5.0)) == r"[0.000,\ 1.000,\ 2.000,\ \dots] \in \mathbb{R}^{5}"
    assert total(["1", "-2"]) == "1 - 2"
    assert total(["1", "2", "3", "4"]).endswith(r"3 + \cdots")


@pytest.mark.parametrize("text", ["<img src=x onerror=alert(1)>", "$x$ **b** `c`", "[a](b) ![c](d)", ":red[x]", "# a", "\\{}"])
def test_text_is_no_markup(text: str) -> None:
    assert re.sub(r"\\(.)", r"\1", plain(text)) == text
    assert not re.search(r"(?<!\\)[<>$*`\[\]!:#]", plain(text))
    assert plain("a\nb\tc") == "a↵b⇥c"
    assert quoted(" like") == "“like”"


def test_the_six_parts_name_what_the_model_is() -> None:
    model = tiny_model(attention="additive", cell="lstm", label_smoothing=0.1, coverage=0.5)
    card = {"data": {"trained_on": "20 <b>lines</b>."}, "epochs": 3, "training_seconds": 240}
    parts = {part.name: part for part in six_parts(model.config, card, parameter_counts(model))}
    assert list(parts) == ["Task", "Data", "Model", "Parameters", "Loss", "Algorithm"]
    assert r"20 \<b\>lines\<\/b\>" in parts["Data"].says
    assert "LSTM" in parts["Model"].says
    assert f"{model.parameter_count:,}" in parts["Parameters"].says
    assert "0.1" in parts["Loss"].says
    assert "0.5" in parts["Loss"].lines[0]
    assert "3 epochs in 4 min" in parts["Algorithm"].says
    language = six_parts(tiny_model(source="none", attention="none").config, {}, {})
    assert "It has no encoder: here the recurrent cell encodes" in language[2].says
    assert "$W$, $U$ and $b$" in language[3].says


@pytest.mark.parametrize(
    ("changes", "lines"),
    [
        (
            {"attention": "none"},
            (r"h_j = \mathrm{GRU}(h_{j-1},\ x_j)", r"s_0 = \tanh(W_s h_T + b_s)", r"s_t = \mathrm{GRU}(s_{t-1},\ x_t)"),
        ),
        ({"attention": "none", "cell": "lstm"}, (r"[s_0;\, m_0] = \tanh", r"(s_t,\, m_t) = \mathrm{LSTM}(s_{t-1},\, m_{t-1},\ x_t)")),
        ({"attention": "every-step"}, (r"s_t = \mathrm{GRU}(s_{t-1},\ [x_t;\, h_T])",)),
        ({"attention": "bilinear"}, (r"e_{tj} = s_t^\top W h_j", r"\tanh(W_c [s_t;\, c_t] + b_c)")),
        (
            {"attention": "dot", "wiring": "input", "cell": "rnn"},
            (r"e_{tj} = s_{t-1}^\top h_j", r"s_t = \mathrm{RNN}(s_{t-1},\ [x_t;\, c_t])"),
        ),
        (
            {"attention": "none", "source": "none", "cell": "rnn"},
            (r"s_t = \mathrm{RNN}(s_{t-1},\ x_t)", r"\mathrm{softmax}(E \rho_t + b_y)"),
        ),
    ],
    ids=str,
)
def test_every_model_is_written_in_short(changes: dict[str, Any], lines: tuple[str, ...]) -> None:
    written = "\n".join(six_parts(tiny_model(**changes).config, {}, {})[2].lines)
    for line in lines:
        assert line in written


def test_the_loss_of_a_captioner_names_its_self_critical_phase() -> None:
    photos = tiny_model(source="image").config
    plain_loss, critical = (six_parts(photos, card, {})[4] for card in ({}, {"self_critical": 4}))
    assert "critic" not in plain_loss.says and len(plain_loss.lines) == 1
    assert "In the last 4 epochs the model is its own critic" in critical.says and "CIDEr" in critical.says
    assert r"-\frac{r - \bar r}{m} \log p_\theta(\hat y \mid x)" in critical.lines[1]


@pytest.mark.parametrize(("lettering", "name", "index"), [("Amrita, Khurana", r"L(\theta)", "t"), ("Bereyhi", r"\hat{R}(\theta)", r"\ell")])
def test_a_lecture_adds_up_where_the_lab_takes_the_mean(lettering: str, name: str, index: str) -> None:
    task, *_, loss, _ = six_parts(tiny_model(coverage=0.5).config, {}, {}, lettering)
    whole, trained = loss.lines
    assert whole.startswith(rf"{name} = -\sum_{{{index}=1}}") and f"y_{{{index}}}" in whole and f"y_{{<{index}}}" in task.lines[0]
    assert trained.startswith(rf"\frac{{1}}{{m}} {name} + \frac{{0.5}}{{S}}")


def test_a_sentence_on_gates_has_the_lecture_s_names() -> None:
    pipeline = tiny_pipeline()
    (cell,) = (
        one for one in sections(pipeline.model.config, pipeline.inside(pipeline.score(TEXT, PATH)).at(STEP), SHOWN) if one.about == "cell"
    )
    assert "$i_{t}$ says how much of the old state is kept, $o_{t}$" in cell.written("Amrita, Khurana", "gru").says
