"""A lettering renames: every equation says the same of the same numbers, and no two things on a page get one name."""

from __future__ import annotations

import math
import random
import re
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from demo import letters
from demo.labs.how_it_works.encoder_equations import Source, reading
from demo.labs.how_it_works.equations import Shown, sections
from demo.labs.how_it_works.notation import number, vector
from demo.letters import NAMES, SLIPS, TABLE, reletter, reletter_text
from seq2seq_core.study.inside import Inside, StepNumbers
from tests.core.invariants import tiny_pipeline
from tests.core.tiny import LETTERS
from tests.demo.latex_values import Values, evaluate

WORDS = [LETTERS.token(i) for i in range(LETTERS.size)]


@dataclass(frozen=True)
class Drawn:
    """A source, an output, and a place in each: other ones for every case that is tested."""

    text: str
    path: tuple[int, ...]
    step: int
    position: int

    @classmethod
    def by(cls, *case: str) -> Drawn:
        rng = random.Random(" ".join(case))
        text = "".join(rng.choices("abcdefgh", k=rng.randint(2, 7)))
        path = (*(rng.randrange(4, LETTERS.size) for _ in range(rng.randint(1, 5))), 2)
        return cls(text, path, rng.randrange(len(path)), rng.randrange(len(text)))

    @property
    def j(self) -> int:
        return self.position + 1


def test_the_lab_s_own_letters_stay() -> None:
    latex = r"e_{t,4} = v^\top \tanh(U s_t + W h_{4}) = 0.1"
    assert reletter(latex, letters.LAB, "additive") == latex


@pytest.mark.parametrize(
    ("latex", "about", "cell", "lettering", "written"),
    [
        (r"e_{tj} = v^\top \tanh(U s_t + W h_j)", "additive", "gru", "Amrita, Khurana",
         r"e_{j,t} = V_{\mathrm{att}}^\top \tanh(U_{\mathrm{att}} s_{t} + W_{\mathrm{att}} h_{j})"),
        (r"e_{tj} = v^\top \tanh(U s_t + W h_j)", "additive", "gru", "EE5179",
         r"e_{j,t} = V_{\mathrm{att}}^\top \tanh(U_{\mathrm{att}} h_{t} + W_{\mathrm{att}} c_{j})"),
        (r"e_{tj} = s_t^\top W h_j", "score", "gru", "Mopuri", r"e_{t,i} = s_{t}^\top W h_{i}"),
        (r"c_t = \sum_j \alpha_{tj}\, h_j", "score", "gru", "Bereyhi", r"a[\ell] = \sum_t \alpha_{t}[\ell]\, h[t]"),
        (r"s_t = \tanh(W x_t + U s_{t-1} + b)", "cell", "rnn", "Amrita, Khurana", r"s_{t} = \tanh(U e(\hat{y}_{t-1}) + W s_{t-1} + b)"),
        (r"s_t = o_t \odot \tanh(m_t)", "cell", "lstm", "Amrita, Khurana", r"h_{t} = o_{t} \odot \tanh(s_{t})"),
        (r"n_t = \tanh(W_n x_t + r_t \odot U_n s_{t-1})", "cell", "gru", "Amrita, Khurana",
         r"\tilde{s}_{t} = \tanh(U e(\hat{y}_{t-1}) + o_{t} \odot W s_{t-1})"),
        (r"\ell_t = E \rho_t + b_y", "output", "gru", "Bereyhi", r"o[\ell] = W_{\mathrm{out}} \rho_{\ell} + b_{y}"),
        (r"h_T", "state", "gru", "Mopuri", "C"),
    ],
)  # fmt: skip
def test_a_lecture_s_letters(latex: str, about: Any, cell: str, lettering: str, written: str) -> None:
    assert reletter(latex, lettering, about, cell) == written


def test_formulas_in_sentences_follow() -> None:
    says = "One state $h_j$; chosen: $j = 2$, for 5 $ or less."
    assert reletter_text(says, "Bereyhi") == "One state $h[t]$; chosen: $t = 2$, for 5 $ or less."


def test_the_table_knows_every_lecture_and_its_slips() -> None:
    assert len(TABLE) >= 21
    assert all(set(row.names) <= set(NAMES[1:]) for row in TABLE)
    assert all(row.note or row.names for row in TABLE)
    assert set(SLIPS) < set(NAMES)
    for row in TABLE:
        for name in NAMES:
            assert letters.shown(row, name).count("$") in (0, 2)


def weights_of(pipeline: Any, inside: Inside, drawn: Drawn) -> Values:
    """Everything that the lab's equations of a step name, by the lab's names."""
    model = pipeline.model
    named = {name: value.detach().numpy() for name, value in model.named_parameters()}
    now = inside.at(drawn.step)
    found: Values = {"c_t": now.attention.context, "h_T": inside.summary, f"h_{{{drawn.j}}}": inside.memory[drawn.position]}
    w, u, b, d = (one.detach().numpy() for one in model.decoder.recurrence.weights(0))
    gates = {"rnn": [""], "gru": ["_r", "_z", "_n"], "lstm": ["_i", "_f", "_g", "_o"]}[model.config.cell]
    for place, gate in enumerate(gates):
        part = slice(8 * place, 8 * place + 8)
        both = gate != "_n"
        found |= {f"W{gate}": w[part], f"U{gate}": u[part], f"b{gate}": b[part] + d[part] if both else b[part]}
        if not both:
            found["d_n"] = d[part]
    cell = now.cells[0]
    found |= {f"{name}_t": value for name, value in cell.gates.items()}
    found |= {"x_t": now.embedded, r"\hat{x}_t": cell.inputs, "s_{t-1}": cell.before[:8], "s_t": now.hidden, r"\rho_t": now.readout}
    if model.config.cell == "lstm":
        found |= {"m_{t-1}": cell.before[8:], "m_t": cell.after[8:]}
    found |= {"W_s": named["decoder.bridge.weight"], "b_s": named["decoder.bridge.bias"], "s_0": cell.before[:8]}
    if model.config.carries_context:
        found["c_{t-1}"] = found["s_{t-1}"]
    if not model.config.straight:
        found |= {"W_c": named["decoder.readout.weight"], "b_c": named["decoder.readout.bias"]}
    matrix = "E" if model.config.tie_output else "W_y"
    return found | {matrix: model.decoder.output.weight.detach().numpy(), "b_y": named["decoder.output.bias"], r"\ell_t": now.logits}


def score_weights(pipeline: Any) -> Values:
    """The letters of the score, which have other meanings in the cell."""
    part = pipeline.model.decoder.attention
    found: Values = {}
    for letter in ("u", "w", "v", "w_q", "w_k"):
        if hasattr(part, letter):
            layer = getattr(part, letter)
            matrix = layer.weight.detach().numpy()
            found[letter[0].upper() + letter[1:] if letter != "v" else "v"] = matrix[0] if letter == "v" else matrix
            if layer.bias is not None:
                found["b" + letter[1:]] = layer.bias.detach().numpy()
    return found


@pytest.mark.parametrize("lettering", NAMES)
@pytest.mark.parametrize("cell", ["rnn", "gru", "lstm"])
@pytest.mark.parametrize(
    ("attention", "wiring"), [("additive", "output"), ("bilinear", "input"), ("key-query", "state"), ("dot", "straight")]
)
def test_every_equation_evaluates_to_its_numbers(lettering: str, cell: str, attention: str, wiring: str) -> None:
    pipeline, drawn = tiny_pipeline(attention=attention, wiring=wiring, cell=cell), Drawn.by(lettering, cell, attention)
    inside = pipeline.inside(pipeline.score(drawn.text, drawn.path))
    now = inside.at(drawn.step)
    known = weights_of(pipeline, inside, drawn)
    asks = "s_{t-1}" if wiring == "input" else "s_t"
    scores = score_weights(pipeline)
    if attention == "key-query":
        scores |= {"q_t": np.tanh(scores["W_q"] @ known[asks] + scores["b_q"])}
        scores |= {f"k_{{{drawn.j}}}": np.tanh(scores["W_k"] @ inside.memory[drawn.position] + scores["b_k"])}
    checked = 0
    for section in sections(pipeline.model.config, now, Shown(drawn.position, 0, tuple(drawn.text), WORDS, drawn.path[drawn.step])):
        about = section.about
        lines = section.written(lettering, cell).latex
        if (printed := endings(section.name, now, drawn)) or about in ("token", ""):
            assert [line.split(" = ")[-1] for line in lines][: len(printed)] == printed, section.name
            continue
        own = {**known, **scores} if about in ("score", "additive") else known
        renamed: Values = {}
        for name, value in own.items():
            written = reletter(name, lettering, about, cell)
            assert written not in renamed or renamed[written] is value, f"{name} would be {written}, as something else is"
            renamed[written] = value
        for line in lines:
            checked += check_line(line, renamed)
        if section.name == "Output distribution":
            chosen = now.logprobs[drawn.path[drawn.step]]
            assert [line.split(" = ")[-1] for line in lines[1:]] == [number(math.exp(chosen)), number(chosen)]
    assert checked >= 3


def endings(section: str, now: StepNumbers, drawn: Drawn) -> list[str]:
    """Of equations that are sums and shares of numbers: what they come to, to the digits shown."""
    assert now.attention is not None
    if section == "Attention row":
        return [number(now.attention.weights[0, drawn.position])]
    if section == "Context vector":
        np.testing.assert_allclose(now.attention.weights[0] @ now.memory, now.attention.context, atol=1e-5)
        return [vector(now.attention.context)]
    return []


def without_shapes(latex: str) -> str:
    """Without what is written under the matrices."""
    while (at := latex.find(r"\underset{")) >= 0:
        middle = latex.index("}{", at)
        end, depth = middle + 2, 1
        while depth:
            depth += {"{": 1, "}": -1}.get(latex[end], 0)
            end += 1
        latex = latex[:at] + latex[middle + 2 : end - 1] + latex[end:]
    return latex


def check_line(line: str, values: Values) -> int:
    """Between the name on the left and the numbers on the right stands what it is computed by: it is computed."""
    left, *middle, right = without_shapes(line).split(" = ") if " = " in line else (line, "")
    if not middle or "exp" in line or right == "0":
        return 0
    found = evaluate(middle[0], values)
    if right.startswith("["):
        printed = [float(number) for number in re.findall(r"-?\d+\.\d{3}", right)]
        np.testing.assert_allclose(np.ravel(found)[: len(printed)], printed, atol=6e-4, err_msg=line)
    else:
        assert math.isclose(float(np.ravel(found)[0]), float(right), abs_tol=6e-4), line
    if left in values:
        np.testing.assert_allclose(found, values[left], atol=1e-4, err_msg=left)
    return 1


@pytest.mark.parametrize("lettering", NAMES)
@pytest.mark.parametrize("cell", ["rnn", "gru", "lstm"])
def test_the_encoder_s_equations_too(lettering: str, cell: str) -> None:
    pipeline, drawn = tiny_pipeline(cell=cell, encoder_layers=2), Drawn.by(lettering, cell)
    inside = pipeline.inside(pipeline.score(drawn.text, drawn.path))
    part = pipeline.read(drawn.text)[0]
    found = reading(pipeline.model.config, inside, Source(part.labels, part.ids), drawn.position)
    assert sum(section.about == "cell" for section in found) == 4
    arrow = r"\overrightarrow{c}" if lettering == "EE5179" else r"\overrightarrow{h}"
    cells = [section.written(lettering, cell).latex[-1] for section in found if section.about == "cell"]
    assert cells[2].startswith(arrow)
    top = inside.encoder_cell(2, drawn.position).after[:4]
    assert cells[2].endswith(
        "[" + r",\ ".join(f"{value:.3f}".replace("-0.000", "0.000") for value in top[:3]) + r",\ \dots] \in \mathbb{R}^{4}"
    )
