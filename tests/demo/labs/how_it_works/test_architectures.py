"""What models are made of: the kinds of networks in one, and the pairs of encoder and decoder among all."""

from __future__ import annotations

from pathlib import Path

import pytest

from demo.labs.how_it_works.architectures import pairings, parts_table
from seq2seq_core.store.zoo import ModelInfo
from seq2seq_core.study.measures import parameter_counts
from tests.core.tiny import tiny_model
from tests.demo.pages import boxes, open_page


@pytest.mark.parametrize(
    ("changes", "kinds"),
    [
        ({}, {"encoder": "recurrent", "decoder cell": "recurrent", "attention": "dense", "source embedding": "dense"}),
        ({"source": "image"}, {"image network": "convolutional", "encoder": "dense", "decoder cell": "recurrent"}),
        ({"source": "none", "attention": "none"}, {"decoder cell": "recurrent", "output layer": "dense"}),
    ],
)
def test_every_part_has_its_kind(changes: dict[str, str], kinds: dict[str, str]) -> None:
    model = tiny_model(**changes)
    table = parts_table(model.config, parameter_counts(model))
    found = dict(zip(table["part"], table["network"], strict=True))
    assert {part: found.get(part) for part in kinds} == kinds
    assert ("image network" in found) == ("source" in changes and changes["source"] == "image")


def test_each_pair_of_networks_once() -> None:
    def info(name: str, **config: str) -> ModelInfo:
        return ModelInfo(name, Path(), {"config": {"source": "text", "body": "recurrent", "cell": "gru"} | config})

    models = [info("translation/a"), info("translation/b"), info("transliteration/a"), info("captioning/a", source="image", cell="lstm")]
    assert pairings([*models, info("translation/c", body="transformer"), info("language/a", source="none")]) == {
        "encoder": ["GRU", "convolutional image network", "Transformer", "none"],
        "decoder": ["GRU", "LSTM", "Transformer", "GRU"],
        "models for": ["translation and transliteration", "captioning", "translation", "language"],
    }


@pytest.mark.usefixtures("models")
def test_they_stand_below_the_six_parts() -> None:
    found = boxes(open_page("how_it_works", step="1"))
    networks = next(dict(box["table"]) for box in found["boxes"] if box["name"] == "Parameters")
    assert "recurrent" in networks["network"]
    assert "GRU" in dict(found["table"])["encoder"]
    assert any("would deserve the name" in "".join(box["says"]) for box in found["boxes"])
