"""Traces as they were written before sources had parts and heads had names, made into schema 2, whose reader finds what is wrong."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from seq2seq_core.inputs.part import cells
from seq2seq_core.tasks import slots_of


def as_schema_2(values: Mapping[str, Any]) -> dict[str, Any]:
    """One `source` becomes the parts, of a language model none; the `glimpse` becomes a mark; nothing was given as a prompt."""
    nodes, hypotheses = values.get("nodes"), values.get("hypotheses")
    return {
        **values,
        "schema": 2,
        "parts": _parts(values.get("source"), str(values.get("task"))),
        "heads": _heads(nodes),
        "prompt": 0,
        "nodes": [_node(node) for node in nodes] if isinstance(nodes, list) else nodes,
        "hypotheses": [_hypothesis(one) for one in hypotheses] if isinstance(hypotheses, list) else hypotheses,
    }


def _parts(source: object, task: str) -> object:
    if not isinstance(source, Mapping) or source.get("kind") not in ("text", "image", "none"):
        return source
    if source["kind"] == "none":
        return []
    part = {"text": source.get("text"), "spans": source.get("spans"), "ids": source.get("token_ids"), "asset": ""}
    part |= {"grid": source.get("grid"), "size": source.get("image_size")}
    if source["kind"] == "text":
        return [part | {"name": slots_of(task, ["text"])[0].name, "labels": source.get("tokens"), "groups": source.get("groups")}]
    match source.get("grid"):
        case [int(rows), int(columns)]:
            labels = list(cells(rows, columns))
        case _:
            labels = []
    return [part | {"name": slots_of(task, ["photo"])[0].name, "labels": labels, "groups": list(range(len(labels)))}]


def _heads(nodes: object) -> list[dict[str, Any]]:
    """As many as the first map has."""
    found = nodes if isinstance(nodes, list) else []
    maps: list[Any] = next(
        (node["attention"] for node in found if isinstance(node, Mapping) and isinstance(node.get("attention"), list)), []
    )
    count = len(maps) if maps and isinstance(maps[0], list) else min(len(maps), 1)
    return [{"name": f"head {place + 1}" if count > 1 else "attention", "part": 0, "layer": 0} for place in range(count)]


def _node(node: object) -> object:
    if not isinstance(node, Mapping) or "candidates" not in node:
        return node
    glimpse = node.get("glimpse")
    return {**node, "marks": None if node["candidates"] is None else {} if glimpse is None else {"glimpse": glimpse}}


def _hypothesis(one: object) -> object:
    return {**one, "answer": one.get("text")} if isinstance(one, Mapping) else one
