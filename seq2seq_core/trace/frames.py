"""A trace as tidy tables for pandas, which is imported when the first is asked for.

Hypotheses, steps, candidates and source positions count from 1, as on the screen; a token id is the vocabulary's own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from seq2seq_core.errors import InputError

if TYPE_CHECKING:
    import pandas as pd

    from seq2seq_core.trace.trace import DecodeTrace

MARK = "mark_"  # before the name of a mark: whole numbers are source positions, others values


def weights(trace: DecodeTrace, hypothesis: int | None) -> pd.DataFrame:
    """One row for each step, head, and source position of the part it looks at; without a map one for each step."""
    import pandas as pd

    return pd.concat([_weights(trace, each) for each in _asked(trace, hypothesis)], ignore_index=True)


def candidates(trace: DecodeTrace, hypothesis: int | None) -> pd.DataFrame:
    """One row for each step and candidate on record, best first; below them a token that was taken without being one."""
    import pandas as pd

    return pd.concat([_candidates(trace, each) for each in _asked(trace, hypothesis)], ignore_index=True)


def hypotheses(trace: DecodeTrace) -> pd.DataFrame:
    """One row for each output, best first."""
    import pandas as pd

    lines = [(place, one.text, one.score, one.total, one.length) for place, one in enumerate(trace.hypotheses, 1)]
    return pd.DataFrame(lines, columns=["hypothesis", "output", "score", "logprob", "tokens"])


def _asked(trace: DecodeTrace, hypothesis: int | None) -> list[int]:
    places = range(len(trace.hypotheses))
    if hypothesis is None:
        return list(places)
    if not -len(places) <= hypothesis < len(places):
        raise InputError(f"Hypothesis {hypothesis} was asked for; this trace has {len(places)}, counted from 0. None gives all of them.")
    return [places[hypothesis]]


def _weights(trace: DecodeTrace, hypothesis: int) -> pd.DataFrame:
    import pandas as pd

    steps, maps = pd.DataFrame(_steps(trace, hypothesis)), trace.maps(hypothesis)  # [T, K, S]
    seen = [(k, s) for k, head in enumerate(trace.heads) for s in range(*trace.borders[head.part : head.part + 2])]
    if not seen:
        nowhere = pd.array([pd.NA] * len(steps), "Int64")
        return steps.assign(part=None, head=None, source=nowhere, source_token=None, weight=np.float32("nan"))
    labels = [label for part in trace.parts for label in part.labels]
    looks = pd.DataFrame(
        [(trace.parts[trace.heads[k].part].name, trace.heads[k].name, s + 1, labels[s]) for k, s in seen],
        columns=["part", "head", "source", "source_token"],
    ).astype({"source": "Int64"})
    count, each = len(steps), len(seen)
    table = steps.loc[np.repeat(np.arange(count), each)].reset_index(drop=True)
    table = table.join(looks.loc[np.tile(np.arange(each), count)].reset_index(drop=True))
    heads, places = zip(*seen, strict=True)
    return table.assign(weight=maps[:, heads, places].ravel())


def _steps(trace: DecodeTrace, hypothesis: int) -> dict[str, Any]:
    """What there is once for each step."""
    nodes, path = trace.nodes, trace.path(hypothesis)
    ids = [node.id for node in path]
    same = nodes.candidate_ids[nodes.row[ids]] == nodes.token_id[ids][:, None]  # [T, C]; a forced token may be none of them
    columns: dict[str, Any] = {
        "hypothesis": hypothesis + 1,
        "step": np.arange(1, len(path) + 1),
        "token": [node.token for node in path],
        "token_id": nodes.token_id[ids],
        "candidate": _or_missing(same.argmax(1) + 1, same.any(1)),
        "logprob": nodes.logprob[ids],
        "total": nodes.total[ids],
        "origin": ["given" if t < trace.prompt else "forced" if node.forced else "model" for t, node in enumerate(path)],
    }
    for name, column in nodes.marks.items():
        values = column[nodes.row[ids]]
        columns[MARK + name] = values + 1 if np.issubdtype(values.dtype, np.integer) else values
    return columns


def _or_missing(values: Any, there: Any) -> Any:
    """Whole numbers, with nothing where there is none."""
    import pandas as pd

    return pd.Series(values, dtype="Int64").where(pd.Series(there))


def _candidates(trace: DecodeTrace, hypothesis: int) -> pd.DataFrame:
    import pandas as pd

    lines: list[tuple[Any, ...]] = []
    for step, node in enumerate(trace.path(hypothesis), 1):
        lines += [
            (hypothesis + 1, step, place, one.token, one.token_id, one.logprob, one.token_id == node.token_id)
            for place, one in enumerate(node.candidates, 1)
        ]
        if all(one.token_id != node.token_id for one in node.candidates):
            lines.append((hypothesis + 1, step, pd.NA, node.token, node.token_id, node.logprob, True))
    table = pd.DataFrame(lines, columns=["hypothesis", "step", "candidate", "token", "token_id", "logprob", "chosen"])
    return table.astype({"candidate": "Int64"}).assign(probability=np.exp(table["logprob"].to_numpy(np.float64)))
