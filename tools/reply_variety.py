"""Counts how varied the replies of each search are: python tools/reply_variety.py, after reply/additive and reply/prior were shipped.

Writes demo/labs/reply/variety.json from what the model says to demo/labs/reply/conversations.txt: distinct-2 (Li et al. 2016), the mean
length, and what it says most often.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from demo.labs.reply import VARIETY, capitalised  # noqa: E402
from seq2seq_core.config import DecodeSettings  # noqa: E402
from seq2seq_core.pipeline import Pipeline  # noqa: E402
from seq2seq_core.store.zoo import load  # noqa: E402
from seq2seq_core.trace.reranking import less_expected  # noqa: E402
from seq2seq_core.trace.trace import DecodeTrace  # noqa: E402
from seq2seq_core.training.metrics import caption_words, distinct  # noqa: E402
from seq2seq_core.training.readers import read_lines  # noqa: E402

MODEL, PRIOR = "reply/additive", "reply/prior"
CONVERSATIONS = ROOT / "demo" / "labs" / "reply" / "conversations.txt"
BEAM = 10
WEIGHTS = (0.5, 0.8)  # λ
WAYS = {"greedy": DecodeSettings(search="greedy"), "sampling": DecodeSettings(search="sample", seed=1)}


def ranked_anew(prior: Pipeline, traces: Sequence[DecodeTrace], weight: float) -> list[str]:
    """The first of each beam when what is likely anyway counts less."""
    best = []
    for trace in traces:
        texts = [found.answer for found in trace.hypotheses]
        expected = [one.hypotheses[0].total for one in prior.score_batch([()] * len(texts), texts)]
        best.append(texts[less_expected(trace, expected, weight)[0][0]])
    return best


def row(way: str, replies: Sequence[str], contexts: Sequence[str]) -> dict[str, object]:
    (most, times), *_ = Counter(replies).most_common(1)
    words = sum(len(caption_words(reply)) for reply in replies) / len(replies)
    said = capitalised(most, contexts[replies.index(most)])
    return {"way": way, "distinct2": round(distinct(replies), 3), "words": round(words, 1), "most": said, "times": times}


def main() -> None:
    contexts, model, prior = read_lines(CONVERSATIONS), load(MODEL), load(PRIOR)
    said = {way: [trace.hypotheses[0].answer for trace in model.decode_batch(contexts, settings)] for way, settings in WAYS.items()}
    beams = model.decode_batch(contexts, DecodeSettings(beam_size=BEAM, hypotheses=BEAM))
    said[f"beam {BEAM}"] = [trace.hypotheses[0].answer for trace in beams]
    said |= {f"beam {BEAM}, λ = {weight}": ranked_anew(prior, beams, weight) for weight in WEIGHTS}
    order = ["greedy", f"beam {BEAM}", *(way for way in said if "λ" in way), "sampling"]
    found = {"model": MODEL, "contexts": len(contexts), "rows": [row(way, said[way], contexts) for way in order]}
    VARIETY.write_text(json.dumps(found, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    for each in order:
        print(row(each, said[each], contexts))


if __name__ == "__main__":
    main()
