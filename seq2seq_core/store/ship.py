"""Copies a trained model into models/ in a small storage, with a card.md that a teacher can read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from seq2seq_core.config import WITHOUT_MAP
from seq2seq_core.errors import InputError
from seq2seq_core.model.attention import VARIANTS
from seq2seq_core.store import checkpoint, moments
from seq2seq_core.store.checkpoint import Storage, weights_of, write_atomically
from seq2seq_core.tasks import SCORES

CELLS = {"rnn": "vanilla RNN (tanh)", "gru": "GRU", "lstm": "LSTM"}
WIRED = {  # where the context goes, where it is not beside the state through a layer into the output
    "straight": "State and context go into the output layer as they are, with no layer between.",
    "input": "The context is found with the state before, and enters the cell.",
    "state": "The context takes the place of the state: it is read out, and the next step begins with it.",
}


def ship(folder: Path, out: Path, storage: Storage, others: Sequence[Path] = ()) -> int:
    """Write the smaller copy -> its size in bytes. Scores are not copied: `evaluate --record` measures the copy itself.

    `others`: the same model trained with other seeds. What `evaluate` recorded of all of them goes into the card, so that a reader knows
    how much of a difference between two models is chance.
    """
    loaded = checkpoint.load(folder)
    kept = {key: value for key, value in loaded.card.items() if key not in ("config", "sha256", "storage", "scores", "schema")}
    checkpoint.save(
        out,
        loaded.model.config,
        weights_of(loaded.model),
        (loaded.source_tokenizer, loaded.target_tokenizer),
        {**kept, **_seeds([folder, *others]), "scores": {}},
        storage,
    )
    if loaded.romaniser:
        loaded.romaniser.save(out)
    write_card(out)
    moments.copy_as_differences(folder / moments.FOLDER, out / moments.FOLDER, weights_of(checkpoint.load(out).model))
    return sum(path.stat().st_size for path in out.rglob("*") if path.is_file())


def _seeds(folders: Sequence[Path]) -> dict[str, Any]:
    """{"seeds": {seed: {held-out data: {score: value}}}} for two trainings or more."""
    if len(folders) < 2:
        return {}
    cards = [checkpoint.read_card(folder) for folder in folders]
    if any({**card["config"]} != cards[0]["config"] or card["name"] != cards[0]["name"] for card in cards):
        raise InputError(f"{', '.join(map(str, folders))} are not the same model: only the seed may differ.")
    seeds = {str(card["seed"]): {data: _numbers(values) for data, values in card["scores"].items()} for card in cards}
    if len(seeds) < len(cards) or not all(seeds.values()):
        raise InputError("Each of the trainings needs a seed of its own and scores; run `evaluate --recipe` on each first.")
    return {"seeds": dict(sorted(seeds.items()))}


def _numbers(values: Mapping[str, Any]) -> dict[str, float]:
    """Those to be told; of a model of characters bits, because its perplexity is not one of words."""
    untold = "perplexity" if values.get("bits_per_character") is not None else ""
    return {score.key: values[score.key] for score in SCORES if values.get(score.key) is not None and score.key != untold}


def write_card(folder: Path) -> None:
    """Make card.md from model.json, so that the two cannot disagree."""
    write_atomically(folder / "card.md", card_text(checkpoint.read_card(folder)).encode())


def _built(config: Mapping[str, Any]) -> str:
    if config.get("body") == "transformer":
        return (
            f"Transformer: {config['encoder_layers']} and {config['decoder_layers']} layers of {config['hidden']}, {config['heads']} heads"
        )
    return f"Cell: {CELLS[config['cell']]}, state {config['hidden']}, embeddings {config['embedding']}"


def card_text(card: Mapping[str, Any]) -> str:
    config, data = card["config"], card.get("data", {})
    language = f" ({data['language']})" if "language" in data else ""
    lines = [
        f"# {card.get('name', 'A model')}{language}",
        "",
        VARIANTS[config["attention"]].told()
        if config["source"] != "none"
        else "A decoder alone: it predicts the next token from those before it.",
        *([WIRED[config["wiring"]]] if config.get("wiring") in WIRED and config["attention"] not in WITHOUT_MAP else []),
        *(
            ["It may also say pieces of the source, from where it looks (pointer-generator, See et al. 2017)."]
            * bool(config.get("copying"))
        ),
        "",
        f"- {_built(config)}, {card.get('parameters', 0):,} parameters, stored as {card.get('storage')}.",
        f"- Training: {card.get('epochs', '?')} epochs, {card.get('training_seconds', 0) / 60:.0f} minutes, seed {card.get('seed', '?')}.",
    ]
    for key, label in (("trained_on", "Trained on"), ("licence", "Licence of the data"), ("attribution", "Attribution")):
        if key in data:
            lines.append(f"- {label}: {data[key]}.")
    if card.get("scores"):
        lines += ["", "| held-out data | n | score |", "|---|---|---|"]
        lines += [f"| {name} | {values.get('n', '')} | {_scores(values)} |" for name, values in card["scores"].items()]
    if card.get("seeds"):
        lines += ["", "The same training with other seeds, as trained:", "", "| seed | held-out data | score |", "|---|---|---|"]
        lines += [f"| {seed} | {name} | {_scores(values)} |" for seed, found in card["seeds"].items() for name, values in found.items()]
    lines += ["", "It will be wrong about much that its training data did not show it.", ""]
    return "\n".join(lines)


def _scores(values: Mapping[str, Any]) -> str:
    numbers = _numbers(values)
    found = [f"{score.name} {numbers[score.key]:.2f}" for score in SCORES if score.key in numbers]
    if "beam_size" in values and values.get("search") == "beam":
        found.append(f"beam {values['beam_size']}")
    return ", ".join(found)
