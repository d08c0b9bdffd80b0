"""A lettering renames: every equation says the same of the same numbers, and no two things on a page get one name."""

from __future__ import annotations

from typing import Any

import pytest

from demo import letters
from demo.letters import LAB, NAMES, SLIPS, TABLE, reletter, reletter_text


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
        (r"\ell_t = W_y [s_t;\, c_t] + b_y", "output", "gru", "Bereyhi", r"o[\ell] = W_{\mathrm{out}} [s[\ell];\, a[\ell]] + b_{y}"),
        (r"\ell_t = W_y \rho_t + b_y", "output", "gru", "Amrita, Khurana", r"\ell_{t} = V \rho_{t} + c"),
        (r"\frac{\exp \ell_{t,y}}{\sum_k \exp \ell_{t,k}}", "output", "gru", "Bereyhi", r"\frac{\exp o[\ell,y]}{\sum_k \exp o[\ell,k]}"),
        (r"\overrightarrow{h}_j", "cell", "gru", "EE5179", r"\overrightarrow{c}_{j}"),
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
            assert "\\\\" not in letters.shown(row, name)
        for name in row.names:
            assert letters.shown(row, name) != letters.shown(row, LAB), f"{name} has a name of its own for {row.means}"
