"""How it works with a language model: one chain, and the remark on what encodes in it."""

from __future__ import annotations

import pytest

from tests.demo.pages import boxes, equations, moment, open_page


@pytest.mark.usefixtures("language_models")
def test_a_language_model_has_no_encoder_and_says_what_encodes() -> None:
    at = open_page("how_it_works", task="language", beginning="I have", step="3", words="false")
    assert not at.error
    found = boxes(at)["boxes"]
    latex, said = ("\n".join(text for box in found for text in box[kind]) for kind in ("lines", "says"))
    assert "the recurrent cell encodes what was said so far" in said
    assert not any(section["name"].startswith("Encoder") for section in moment(at)["sections"])
    assert r"s_t = \mathrm{GRU}(s_{t-1},\ x_t)" in latex
    assert r"\rho_t = \tanh(" in latex and r"\rho_t = \tanh(" in equations(at)
