"""A trace as plain JSON values, exactly; trace_reader has the way back.

Schema 2: the fields of `DecodeTrace` by name. `nodes` is a list in id order. A node that lived on or finished carries its
`attention` (a list, or one list per head; null without a map), `candidates` and `marks`. A pruned node has null for them
when a sibling carries them: siblings were chosen from one distribution. Without such a sibling the first pruned one carries them.
`network` is what flows where in the model, or null; traces written before it came do not have it.
Schema 1 knew one `source` and of the marks the `glimpse`; its heads had no names, and nothing was given as a prompt.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from seq2seq_core import config
from seq2seq_core.inputs.part import Part
from seq2seq_core.trace.nodes import PRUNED, REASONS, STATES, Floats, NodeTable
from seq2seq_core.trace.trace import DecodeTrace, Hypothesis


def to_dict(trace: DecodeTrace) -> dict[str, Any]:
    return {
        "schema": trace.schema,
        "task": trace.task,
        "model_id": trace.model_id,
        "settings": config.to_dict(trace.settings),
        "steering": trace.steering.to_dict(),
        "parts": [_part(part) for part in trace.parts],
        "heads": [{"name": head.name, "part": head.part, "layer": head.layer} for head in trace.heads],
        "prompt": trace.prompt,
        "max_length": trace.max_length,
        "nodes": _nodes(trace.nodes),
        "beams": [list(ids) for ids in trace.beams],
        "survivors": list(trace.survivors),
        "hypotheses": [_hypothesis(one) for one in trace.hypotheses],
        "encode_ms": trace.encode_ms,
        "decode_ms": trace.decode_ms,
        "network": config.to_dict(trace.network) if trace.network else None,
    }


def _part(part: Part) -> dict[str, Any]:
    return {
        "name": part.name,
        "labels": list(part.labels),
        "groups": list(part.groups),
        "text": part.text,
        "spans": [list(span) for span in part.spans],
        "ids": list(part.ids),
        "grid": list(part.grid) if part.grid else None,
        "size": list(part.size) if part.size else None,
        "asset": part.asset,
    }


def _hypothesis(one: Hypothesis) -> dict[str, Any]:
    return {
        "node": one.node,
        "text": one.text,
        "answer": one.answer,
        "total": one.total,
        "score": one.score,
        "length": one.length,
        "groups": list(one.groups),
        "words": list(one.words),
    }


def shortest(values: Floats) -> Any:
    """float32 values as the shortest decimals that read back as the same float32."""
    return values.astype(str).astype(np.float64).tolist() if values.size else values.tolist()


def _carriers(table: NodeTable) -> set[int]:
    """The nodes that carry their distribution: all that were kept, and one pruned node where no sibling was."""
    carriers: dict[int, int] = {}
    pruned = (table.state == PRUNED).tolist()
    for i, row in enumerate(table.row.tolist()):
        if row not in carriers or (pruned[carriers[row]] and not pruned[i]):
            carriers[row] = i
    return {i for i, skip in enumerate(pruned) if not skip} | set(carriers.values())


def _nodes(table: NodeTable) -> list[dict[str, Any]]:
    carriers, words = _carriers(table), table.words
    attention, logprobs, ids = shortest(table.attention), shortest(table.candidate_logprobs), table.candidate_ids.tolist()

    def carried(row: int) -> dict[str, Any]:
        heads = attention[row]
        pairs = zip(ids[row], logprobs[row], strict=True)
        return {
            "attention": None if not heads else heads[0] if len(heads) == 1 else heads,
            "candidates": [{"token_id": c, "token": words[c], "logprob": logprob} for c, logprob in pairs if c >= 0],
            "marks": table.row_marks(row),
        }

    nothing = {"attention": None, "candidates": None, "marks": None}
    columns = {
        "parent": [None if parent < 0 else parent for parent in table.parent.tolist()],
        "step": table.step.tolist(),
        "token_id": table.token_id.tolist(),
        "token": [words[token] for token in table.token_id.tolist()],
        "logprob": shortest(table.logprob.astype(np.float32)),
        "total": table.total.tolist(),
        "score": table.score.tolist(),
        "rank": table.rank.tolist(),
        "state": [STATES[state] for state in table.state.tolist()],
        "why": [REASONS[why] for why in table.why.tolist()],
        "forced": table.forced.tolist(),
    }
    rows = table.row.tolist()
    return [
        {"id": i, **dict(zip(columns, values, strict=True)), **(carried(rows[i]) if i in carriers else nothing)}
        for i, values in enumerate(zip(*columns.values(), strict=True))
    ]
