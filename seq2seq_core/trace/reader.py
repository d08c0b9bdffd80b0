"""Reading a trace back from plain JSON values: every value is checked, and the first wrong one is named in a sentence."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seq2seq_core import config
from seq2seq_core.config import DecodeSettings, Network
from seq2seq_core.errors import InputError
from seq2seq_core.inputs.part import Head, Part
from seq2seq_core.tasks import TASKS
from seq2seq_core.trace import schema_1
from seq2seq_core.trace.nodes import REASONS, STATES, Floats, Mark, NodeTable
from seq2seq_core.trace.steering import Steering
from seq2seq_core.trace.trace import SCHEMA, DecodeTrace, Hypothesis

_ABSENT = object()
_TRACE = "the trace"
_KINDS: dict[type, str] = {
    Mapping: "an object",
    list: "a list",
    str: "a text",
    int: "a whole number",
    float: "a number",
    bool: "true or false",
    type(None): "null",
}


def from_dict(values: Mapping[str, Any]) -> DecodeTrace:
    """Read what `to_dict` gave; keys it does not know are ignored."""
    if not isinstance(values, Mapping):
        raise InputError(f"A trace is a JSON object; this is {type(values).__name__}.")
    if values.get("schema") == 1:
        values = schema_1.as_schema_2(values)
    if values.get("schema") != SCHEMA:
        raise InputError(f"The trace has schema {values.get('schema')!r}; this version reads schema {SCHEMA}, and 1.")
    parts = tuple(_part(one, place) for place, one in enumerate(_take(values, "parts", _TRACE, list)))
    heads = tuple(_head(one, place, len(parts)) for place, one in enumerate(_take(values, "heads", _TRACE, list)))
    table = _table(_take(values, "nodes", _TRACE, list), sum(part.positions for part in parts))
    _check_heads(heads, parts, table)
    beams = tuple(_whole_numbers(ids, f"beams[{step}]") for step, ids in enumerate(_take(values, "beams", _TRACE, list)))
    survivors = tuple(_number(value, f"survivors[{step}]") for step, value in enumerate(_take(values, "survivors", _TRACE, list)))
    hypotheses = tuple(_hypothesis(one, place) for place, one in enumerate(_take(values, "hypotheses", _TRACE, list)))
    _check_references(table, beams, survivors, hypotheses)
    prompt = _take(values, "prompt", _TRACE, int)
    if not 0 <= prompt <= len(beams):
        raise InputError(f"prompt is {prompt}; it must be between 0 and the {len(beams)} steps of the trace.")
    return DecodeTrace(
        task=_one_of(values, "task", _TRACE, tuple(TASKS)),
        model_id=_take(values, "model_id", _TRACE, str),
        settings=config.from_dict(DecodeSettings, _take(values, "settings", _TRACE, Mapping)),
        steering=Steering.from_dict(_take(values, "steering", _TRACE, Mapping)),
        parts=parts,
        heads=heads,
        prompt=prompt,
        max_length=_take(values, "max_length", _TRACE, int),
        nodes=table,
        beams=beams,
        survivors=survivors,
        hypotheses=hypotheses,
        encode_ms=_number(_take(values, "encode_ms", _TRACE, int, float), "encode_ms"),
        decode_ms=_number(_take(values, "decode_ms", _TRACE, int, float), "decode_ms"),
        network=_network(values.get("network")),
    )


def _network(values: object) -> Network | None:
    if values is None:
        return None
    if not isinstance(values, Mapping):
        raise InputError(f"network is {str(values)[:40]!r}; it must be an object.")
    known = {field.name for field in fields(Network)}
    return config.from_dict(Network, {name: value for name, value in values.items() if name in known})


def _check_references(
    table: NodeTable, beams: Sequence[Sequence[int]], survivors: Sequence[float], hypotheses: Sequence[Hypothesis]
) -> None:
    steps = int(table.step.max()) + 1
    if not hypotheses or len(beams) != steps or len(survivors) != steps:
        raise InputError(
            f"The trace has {steps} steps, {len(beams)} beams, {len(survivors)} survivors and {len(hypotheses)} hypotheses; "
            "it needs a beam and a survivor for each step, and a hypothesis."
        )
    for node in [*(i for ids in beams for i in ids), *(one.node for one in hypotheses)]:
        if not 0 <= node < len(table):
            raise InputError(f"The trace names the node {node}; it has the nodes 0 to {len(table) - 1}.")
    for one in hypotheses:
        length = len(table.path(one.node))
        if not one.length == len(one.groups) == length or len(one.words) != len(set(one.groups)):
            raise InputError(
                f"The hypothesis that ends in node {one.node} does not fit its path of {length} tokens; export the trace again."
            )


def _take(values: Mapping[str, Any], name: str, where: str, *kinds: type) -> Any:
    """A value of one of these types, or the sentence that says what is wrong; bool is not a number."""
    value = values.get(name, _ABSENT)
    if value is _ABSENT:
        raise InputError(f"{name!r} is missing in {where}; export the trace again.")
    if not isinstance(value, kinds) or (isinstance(value, bool) and bool not in kinds):
        raise InputError(f"{name} is {str(value)[:40]!r} in {where}; it must be {' or '.join(_KINDS[kind] for kind in kinds)}.")
    return value


def _number(value: object, where: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise InputError(f"{where} is {str(value)[:40]!r}; it must be a number.")
    return float(value)


def _whole_numbers(values: object, where: str, count: int | None = None) -> tuple[int, ...]:
    right = isinstance(values, list) and all(isinstance(i, int) and not isinstance(i, bool) for i in values)
    if not isinstance(values, list) or not right or (count is not None and len(values) != count):
        raise InputError(f"{where} is {str(values)[:40]!r}; it must be a list of {'' if count is None else f'{count} '}whole numbers.")
    return tuple(values)


def _texts(values: list[Any], where: str) -> tuple[str, ...]:
    if not all(isinstance(value, str) for value in values):
        raise InputError(f"{where} must be a list of texts.")
    return tuple(values)


def _one_of(values: Mapping[str, Any], name: str, where: str, allowed: Sequence[str]) -> Any:
    value = _take(values, name, where, str)
    if value not in allowed:
        raise InputError(f"{name} is {value!r} in {where}; it must be one of {', '.join(filter(None, allowed))}.")
    return value


def _part(values: object, place: int) -> Part:
    where = f"parts[{place}]"
    if not isinstance(values, Mapping):
        raise InputError(f"{where} must be an object.")
    labels = _texts(_take(values, "labels", where, list), f"labels of {where}")
    spans = [_whole_numbers(span, f"a span of {where}", 2) for span in _take(values, "spans", where, list)]
    ids = _whole_numbers(_take(values, "ids", where, list), f"ids of {where}")
    grid = _two(values, "grid", where)
    if len(spans) != len(ids) or len(ids) != (0 if grid else len(labels)) or (grid and grid[0] * grid[1] != len(labels)):
        raise InputError(f"A text must have one span and one id per label, and a picture one label per cell; {where} has not.")
    return Part(
        name=_take(values, "name", where, str),
        labels=labels,
        groups=_whole_numbers(_take(values, "groups", where, list), f"groups of {where}", len(labels)),
        text=_take(values, "text", where, str),
        spans=tuple((start, end) for start, end in spans),
        ids=ids,
        grid=grid,
        size=_two(values, "size", where),
        asset=_take(values, "asset", where, str),
    )


def _two(values: Mapping[str, Any], name: str, where: str) -> tuple[int, int] | None:
    pair = _take(values, name, where, list, type(None))
    if pair is None:
        return None
    first, second = _whole_numbers(pair, f"{name} of {where}", 2)
    if first < 1 or second < 1:
        raise InputError(f"{name} of {where} is {pair}; both numbers must be 1 or more.")
    return first, second


def _head(values: object, place: int, parts: int) -> Head:
    where = f"heads[{place}]"
    if not isinstance(values, Mapping):
        raise InputError(f"{where} must be an object.")
    part = _take(values, "part", where, int)
    if not 0 <= part < parts:
        raise InputError(f"part is {part} in {where}; the trace has {parts} parts, counted from 0.")
    return Head(_take(values, "name", where, str), part, _take(values, "layer", where, int))


def _check_heads(heads: Sequence[Head], parts: Sequence[Part], table: NodeTable) -> None:
    if len(heads) != table.attention.shape[1]:
        raise InputError(f"The trace has {len(heads)} heads, and {table.attention.shape[1]} attention maps; export it again.")
    of_position = np.repeat(np.arange(len(parts)), [part.positions for part in parts])
    for place, head in enumerate(heads):
        if len(parts) > 1 and table.attention[:, place, of_position != head.part].any():
            raise InputError(f"heads[{place}] looks at parts[{head.part}], but its map has weight on another; export the trace again.")


def _hypothesis(values: object, place: int) -> Hypothesis:
    where = f"hypotheses[{place}]"
    if not isinstance(values, Mapping):
        raise InputError(f"{where} must be an object.")
    return Hypothesis(
        node=_take(values, "node", where, int),
        text=_take(values, "text", where, str),
        answer=_take(values, "answer", where, str),
        total=_number(_take(values, "total", where, int, float), f"total of {where}"),
        score=_number(_take(values, "score", where, int, float), f"score of {where}"),
        length=_take(values, "length", where, int),
        groups=_whole_numbers(_take(values, "groups", where, list), f"groups of {where}"),
        words=_texts(_take(values, "words", where, list), f"words of {where}"),
    )


def _table(nodes: list[Any], positions: int) -> NodeTable:
    if not nodes:
        raise InputError("The trace has no nodes; export it again.")
    reader = _NodeReader()
    for place, node in enumerate(nodes):
        if not isinstance(node, Mapping):
            raise InputError(f"nodes[{place}] must be an object.")
        reader.add(node, f"nodes[{place}]", place)
    return reader.table(positions)


class _NodeReader:
    """Collects nodes into columns."""

    def __init__(self) -> None:
        self.integers: dict[str, list[int]] = {name: [] for name in ("parent", "step", "token_id", "rank")}
        self.doubles: dict[str, list[float]] = {name: [] for name in ("logprob", "total", "score")}
        self.codes: dict[str, list[int]] = {name: [] for name in ("state", "why")}
        self.forced: list[bool] = []
        self.words: dict[int, str] = {}
        self.carriers: dict[int, Mapping[str, Any] | None] = {}  # by parent: the node that carries the distribution

    def add(self, node: Mapping[str, Any], where: str, place: int) -> None:
        parent = self._place(node, where, place)
        self.integers["token_id"].append(_word(node, where, self.words))
        self._numbers(node, where, parent)
        self.codes["state"].append(STATES.index(_one_of(node, "state", where, STATES)))
        self.codes["why"].append(REASONS.index(_one_of(node, "why", where, REASONS)))
        self.forced.append(_take(node, "forced", where, bool))
        self.carriers.setdefault(parent, None)
        if _take(node, "candidates", where, list, type(None)) is not None and self.carriers[parent] is None:
            self.carriers[parent] = node

    def _place(self, node: Mapping[str, Any], where: str, place: int) -> int:
        if _take(node, "id", where, int) != place:
            raise InputError(f"id is {node['id']} in {where}; nodes are numbered from 0 in order.")
        parent = _take(node, "parent", where, int, type(None))
        step = 0 if parent is None else self.integers["step"][parent] + 1 if 0 <= parent < place else -1
        if _take(node, "step", where, int) != step:
            raise InputError(f"step is {node['step']} and parent {parent} in {where}; a parent comes before its child, one step earlier.")
        self.integers["parent"].append(-1 if parent is None else parent)
        self.integers["step"].append(step)
        return self.integers["parent"][-1]

    def _numbers(self, node: Mapping[str, Any], where: str, parent: int) -> None:
        self.integers["rank"].append(_take(node, "rank", where, int))
        for name, column in self.doubles.items():
            column.append(_number(_take(node, name, where, int, float), f"{name} of {where}"))
        logprob = self.doubles["logprob"][-1] = float(np.float32(self.doubles["logprob"][-1]))
        total = logprob + (self.doubles["total"][parent] if parent >= 0 else 0.0)
        if abs(total - self.doubles["total"][-1]) > 1e-4 * max(1.0, abs(total)):
            raise InputError(f"total is {node['total']} in {where}; its parent's total and its log-probability give {total:.4f}.")

    def table(self, positions: int) -> NodeTable:
        rows = {parent: row for row, parent in enumerate(self.carriers)}
        columns: dict[str, Any] = {name: np.array(column, dtype=np.int64) for name, column in self.integers.items()}
        columns |= {name: np.array(column, dtype=np.float64) for name, column in self.doubles.items()}
        columns |= {name: np.array(column, dtype=np.int8) for name, column in self.codes.items()}
        columns |= {"forced": np.array(self.forced), "row": np.array([rows[parent] for parent in self.integers["parent"]])}
        return NodeTable(**columns, **_rows(self.carriers, positions, self.words), words=self.words)


def _word(values: Mapping[str, Any], where: str, words: dict[int, str]) -> int:
    token_id, token = _take(values, "token_id", where, int), _take(values, "token", where, str)
    if token_id < 0 or words.setdefault(token_id, token) != token:
        raise InputError(f"token {token_id} is {token!r} in {where}; it must be {words.get(token_id)!r}, as elsewhere in the trace.")
    return int(token_id)


def _rows(carriers: Mapping[int, Mapping[str, Any] | None], positions: int, words: dict[int, str]) -> dict[str, Any]:
    """The distributions, in the order of their first node."""
    maps: list[Floats] = []
    found: list[list[tuple[int, float]]] = []
    marks: list[dict[str, Mark]] = []
    for parent, node in carriers.items():
        where = f"the continuations of node {parent}" if parent >= 0 else "the first nodes"
        if node is None:
            raise InputError(f"'candidates' are missing for {where}; export the trace again.")
        maps.append(_attention(_take(node, "attention", where, list, type(None)), positions, where))
        row = []
        for one in node["candidates"]:
            if not isinstance(one, Mapping):
                raise InputError(f"A candidate of {where} must be an object.")
            row.append((_word(one, where, words), _number(_take(one, "logprob", where, int, float), f"logprob of a candidate of {where}")))
        found.append(row)
        marks.append({name: _mark(value, name, where) for name, value in _take(node, "marks", where, Mapping).items()})
    if len({weights.shape for weights in maps}) > 1 or any(one.keys() != marks[0].keys() for one in marks):
        raise InputError("The attention rows of the trace differ in their shape; export it again.")
    width = max(map(len, found))
    ids, logprobs = np.full((len(found), width), -1, dtype=np.int64), np.zeros((len(found), width), dtype=np.float32)
    for place, row in enumerate(found):
        ids[place, : len(row)] = [token_id for token_id, _ in row]
        logprobs[place, : len(row)] = [logprob for _, logprob in row]
    return {
        "attention": np.stack(maps),
        "candidate_ids": ids,
        "candidate_logprobs": logprobs,
        "marks": {name: _column([one[name] for one in marks]) for name in marks[0]},
    }


def _mark(value: object, name: str, where: str) -> Mark:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise InputError(f"The mark {name!r} of {where} is {str(value)[:40]!r}; it must be a number.")
    return value


def _column(values: Sequence[Mark]) -> NDArray[Any]:
    """Whole numbers are positions, others values."""
    return np.array(values, dtype=np.int64 if all(isinstance(value, int) for value in values) else np.float32)


def _attention(values: list[Any] | None, positions: int, where: str) -> Floats:
    """[K, S]; K = 0 when there is no map."""
    if values is None:
        return np.zeros((0, positions), dtype=np.float32)
    heads = values if values and isinstance(values[0], list) else [values]
    for head in heads:
        if not isinstance(head, list) or len(head) != positions:
            raise InputError(f"An attention row of {where} must be a list of {positions} numbers, one per source position.")
        for weight in head:
            _number(weight, f"a weight of {where}")
    return np.array(heads, dtype=np.float32)
