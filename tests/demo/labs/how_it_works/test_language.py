"""How it works with a language model: one chain, and the remark on what encodes in it."""

from __future__ import annotations

import pytest

from tests.demo.pages import equations, open_page


@pytest.mark.usefixtures("language_models")
def test_a_language_model_has_no_encoder_and_says_what_encodes() -> None:
    at = open_page("how_it_works", task="language", beginning="I have", step="3", words="false")
    assert not at.error
    latex = "\n".join(one.value for one in at.latex).replace(r" \\[4pt] & \quad = ", " = ").replace("& ", "")
    said = " ".join(text.value for text in at.markdown)
    assert "the recurrent cell encodes what was said so far" in said and "Encoder" not in "".join(part.value for part in at.subheader)
    assert r"s_t = \mathrm{GRU}(s_{t-1},\ x_t)" in latex
    assert r"\rho_t = \tanh(" in latex and r"\rho_t = \tanh(" in equations(at)
