"""What the core offers by its own name is there."""

from __future__ import annotations

import pytest

import seq2seq_core


@pytest.mark.parametrize("name", seq2seq_core.__all__)
def test_every_name_is_there(name: str) -> None:
    assert getattr(seq2seq_core, name) is not None
