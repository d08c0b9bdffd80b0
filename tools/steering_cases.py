"""Scan our own sentences for the Steer page: where the beam beats greedy, and one case for each of its examples; and one photo.

Run it again when the models change: SEQ2SEQ_MODELS=models .venv/bin/python tools/steering_cases.py
"""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import torch

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from demo import examples, state  # noqa: E402
from demo.edits import write_edits  # noqa: E402
from demo.given import photos  # noqa: E402
from demo.labs.steer.cases import FILE, PHOTO_MODEL, TEXT_MODEL  # noqa: E402
from demo.labs.steer.edits import force, one_hot, put_row  # noqa: E402
from seq2seq_core import DecodeSettings, DecodeTrace, Pipeline, load  # noqa: E402
from seq2seq_core.study.explanations import adversarial_row  # noqa: E402
from seq2seq_core.trace.reranking import greedy_path  # noqa: E402
from seq2seq_core.trace.steering import Steering  # noqa: E402

WHO = (
    "Ein Mann",
    "Eine Frau",
    "Ein Kind",
    "Zwei Hunde",
    "Eine alte Frau",
    "Drei Freunde",
    "Ein Mädchen mit einem roten Hut",
    "Meine Schwester",
)
DOES = (
    "sitzt auf einer Bank und liest eine Zeitung", "läuft durch den Schnee", "spielt am Strand mit einem Ball", "wartet auf den Bus",
    "kocht in der Küche", "fährt mit dem Fahrrad zur Arbeit", "steht vor einem großen Haus", "schaut aus dem Fenster",
)  # fmt: skip
PLURAL = {
    "sitzt": "sitzen", "läuft": "laufen", "spielt": "spielen", "wartet": "warten", "kocht": "kochen", "fährt": "fahren", "steht": "stehen",
    "schaut": "schauen", "liest": "lesen",
}  # fmt: skip
MORE = (
    "Ich habe gestern keine Zeit gehabt.", "Kannst du mir bitte das Salz geben?", "Morgen fahren wir mit dem Zug nach Hause.",
    "Der Lehrer erklärt den Kindern die Aufgabe.", "Er hat den Schlüssel nicht gefunden.", "Warum hast du mich nicht angerufen?",
    "Das Buch, das du mir gegeben hast, ist gut.", "Die Katze schläft unter dem Tisch.", "Am Abend sitzen die Freunde am Feuer.",
    "Wir müssen noch Brot und Milch kaufen.", "Sie trinkt jeden Morgen eine Tasse Tee.", "Der Hund springt ins Wasser.",
    "Eine Frau in einem roten Kleid liest ein Buch.", "Ein Junge in einem blauen Hemd wirft einen Ball.", "Das Wetter ist heute schön.",
)  # fmt: skip
WANTED = 14
STORY, STORY_MODEL = "Das gefällt mir.", "translation/additive-rnn"
PHOTO = "dog"
BEAM = 5
GREEDY = DecodeSettings(search="greedy")


def sentences() -> Iterator[str]:
    yield from (example.text for example in examples.GERMAN)
    yield from MORE
    for who, does in product(WHO, DOES):
        words = f"{who} {does}.".split(" ")
        if who.split(" ")[0] in ("Zwei", "Drei"):
            words = [PLURAL.get(word, word) for word in words]
        yield " ".join(words)


def query(pipeline: Pipeline, sentence: str, **values: Any) -> str:
    return state.query_of({"sentence": sentence, "model": pipeline.model_id.split("/")[-1], "beam": BEAM} | values)


def better_with_a_beam(pipeline: Pipeline) -> list[dict[str, Any]]:
    """By the gain in log-probability; first those where greedy went wrong at its very first word."""
    found = []
    given = list(dict.fromkeys(sentences()))
    beams = pipeline.decode_batch(given, DecodeSettings(beam_size=BEAM))
    for sentence, beam, greedy in zip(given, beams, pipeline.decode_batch(given, GREEDY), strict=True):
        gain = beam.hypotheses[0].total - greedy.hypotheses[0].total
        if gain > 0.02 and beam.text() != greedy.text():
            path = greedy_path(beam)
            node = path.nodes[path.parts_at] if path.parts_at is not None and path.parts_at < len(path.nodes) else -1
            found.append((path.parts_at or 0, -gain, sentence, greedy.text(), beam.text(), node))
    return [
        {"sentence": sentence, "greedy": greedy, "beam": beam, "gain": round(-less, 3), "query": query(pipeline, sentence, node=node)}
        for _, less, sentence, greedy, beam, node in sorted(found)[:WANTED]
    ]


def five(pipeline: Pipeline, better: list[dict[str, Any]]) -> list[dict[str, str]]:
    given = [example.text for example in examples.GERMAN[1:]] + list(MORE) + list(sentences())[len(MORE) + 4 :: 5]
    traces = [pipeline.decode(sentence, DecodeSettings(beam_size=BEAM)) for sentence in dict.fromkeys(given)]
    cases = []
    if better:
        cases.append(
            ("Beam beats greedy", "Greedy takes the likelier word too early; the beam ends with the likelier sentence.", better[0]["query"])
        )
    makers = (
        ("A pruned path", "A beginning that fell out of the beam, with its gap to the last one kept.", pruned),
        ("A forced word", "One word is put in by hand, and the rest of the sentence follows it.", forced),
        ("Attention moved", "The decoder is made to look at another noun, and says that one.", moved),
        ("Another attention, the same word", "A very different attention row that changes almost nothing.", adversarial),
    )
    for name, shows, make in makers:
        few = traces[:12] if make is adversarial else traces
        ranked = sorted(filter(None, (make(pipeline, trace) for trace in few)), key=lambda one: -one[0])
        if ranked:
            cases.append((name, shows, ranked[0][1]))
    return [{"name": name, "shows": shows, "query": link, "model": TEXT_MODEL} for name, shows, link in cases]


def another_cell(pipeline: Pipeline) -> list[dict[str, str]]:
    """A caption whose last word becomes another when the model is made to look elsewhere for it: the likeliest such word."""
    image = photos.sample_image(PHOTO)
    encoded = pipeline.encode(image)
    trace = pipeline.decode(encoded, DecodeSettings(beam_size=BEAM))
    step, count = len(trace.path()) - 2, trace.positions
    found: list[tuple[float, str, str]] = []
    for cell in range(count):
        edits = put_row(Steering(), trace.token_ids()[:step], one_hot(count, cell))
        node = (after := pipeline.decode(encoded, trace.settings, edits)).path()[step]
        if node.token_id != trace.path()[step].token_id and node.token.startswith(" ") and len(after.path()) == len(trace.path()):
            values = {
                "task": "captioning",
                "photo": PHOTO,
                "beam": BEAM,
                "edits": write_edits(edits),
                "node": node.id,
                "part": "move attention",
            }
            found.append((node.logprob, node.token.strip(), state.query_of(values)))
    said = trace.path()[step].token.strip()
    return [
        {
            "name": "Eyes moved",
            "shows": f"For the last word of a caption the model is made to look at another cell, and “{said}” becomes “{word}”.",
            "query": link,
            "model": PHOTO_MODEL,
        }
        for _, word, link in sorted(found, reverse=True)[:1]
    ]


Scored = tuple[float, str]


def pruned(pipeline: Pipeline, trace: DecodeTrace) -> Scored | None:
    """Late, and by a hair: the longest path that was pruned close behind the last survivor."""
    found = [
        (min(node.step, 6) + 2 * trace.gap(node.id), query(pipeline, trace.given_text, node=node.id))
        for node in trace.nodes
        if node.why == "outside the beam" and node.token != "</s>" and trace.gap(node.id) > -0.1
    ]
    return max(found, default=None)


def forced(pipeline: Pipeline, trace: DecodeTrace) -> Scored | None:
    """A likely other word that changes what follows, in a sentence that stays likely."""
    found: list[Scored] = []
    for step, node in enumerate(trace.path()[:-2]):
        for candidate in node.candidates[:3]:
            if candidate.token_id == node.token_id or not candidate.token.startswith(" ") or candidate.logprob < -4:
                continue
            edits = force(Steering(), trace.token_ids()[:step], (candidate.token_id,))
            other = pipeline.decode(trace.given_text, trace.settings, edits)
            before, after = trace.text().split(), other.text().split()
            later = len(set(after[step + 1 :]) - set(before))
            value = min(later, 3) + other.hypotheses[0].total / other.hypotheses[0].length
            there = other.path()[step].id
            found.append((value, query(pipeline, trace.given_text, edits=write_edits(edits), node=there, part="force a word")))
    return max(found, default=None)


def nouns(trace: DecodeTrace) -> list[int]:
    """German nouns begin with a capital: whole-token ones, not the first word."""
    return [i for i, token in enumerate(trace.parts[0].labels) if i and token[:1].isupper() and len(token) > 2]


def moved(pipeline: Pipeline, trace: DecodeTrace) -> Scored | None:
    """At the step of one noun, all attention on another; the sentence is to name that one there."""
    found: list[Scored] = []
    rows, places = trace.attention(), nouns(trace)
    own = {place: step for place in places for step in [int(rows[:, place].argmax())] if rows[step, place] > 0.7}
    for place, step in own.items():
        for other, there in own.items():
            if other == place:
                continue
            edits = put_row(Steering(), trace.token_ids()[:step], one_hot(len(trace.parts[0].labels), other))
            after = pipeline.decode(trace.given_text, trace.settings, edits)
            node = after.path()[min(step, len(after.path()) - 1)]
            if node.token_id == trace.token_ids()[there] != trace.token_ids()[step]:
                score = node.logprob + after.hypotheses[0].total / after.hypotheses[0].length
                found.append((score, query(pipeline, trace.given_text, edits=write_edits(edits), node=node.id, part="move attention")))
    return max(found, default=None)


def adversarial(pipeline: Pipeline, trace: DecodeTrace) -> Scored | None:
    """The first step that has one: the search is slow."""
    if len(trace.path()) > 14:
        return None
    encoded = pipeline.encode(trace.given_text)
    for step in range(1, min(6, len(trace.path()) - 2)):
        row = adversarial_row(pipeline, encoded, trace.token_ids(), step)
        if row.found:
            edits = put_row(Steering(), trace.token_ids()[:step], [round(weight, 4) for weight in row.weights])
            after = pipeline.decode(trace.given_text, trace.settings, edits)
            if after.text() == trace.text():
                node = after.path()[step].id
                return row.divergence, query(pipeline, trace.given_text, edits=write_edits(edits), node=node, part="move attention")
    return None


def bad_luck(pipeline: Pipeline) -> list[dict[str, str]]:
    """The lectures' own story, where a model tells it: greedy's first word is the likelier one, and its sentence the less likely one.

    Then the same step with all attention on one word, where greedy is right by itself.
    """
    greedy, beam = (pipeline.decode(STORY, settings) for settings in (GREEDY, DecodeSettings(beam_size=BEAM)))
    one, other = greedy.path()[0], beam.path()[0]
    if one.token_id == other.token_id or beam.hypotheses[0].total <= greedy.hypotheses[0].total:
        return []
    times = math.exp(beam.hypotheses[0].total - greedy.hypotheses[0].total)
    says = (
        f"{against(one.token, one.logprob, other.token, other.logprob)}: greedy takes the likelier word and ends with “{greedy.text()}”; "
        f"the beam finds “{beam.text()}”, {times:.1f} times as likely."
    )
    found = [("Greedy’s bad luck", says, query(pipeline, STORY))]
    for place, label in enumerate(greedy.parts[0].labels):
        edits = put_row(Steering(), (), one_hot(len(greedy.parts[0].labels), place))
        looked = pipeline.decode(STORY, GREEDY, edits)
        if looked.text() == beam.text():
            says = f"All of the first look on “{label.strip()}”, and greedy itself says “{looked.text()}”."
            found.append(("Luck mended by looking", says, query(pipeline, STORY, edits=write_edits(edits), part="oracle", beam=1)))
            break
    return [{"name": name, "shows": shows, "query": link, "model": pipeline.model_id} for name, shows, link in found]


def against(one: str, logprob: float, other: str, less: float) -> str:
    return f"“{one.strip()}” {math.exp(logprob):.3f} against “{other.strip()}” {math.exp(less):.3f}"


def near_tie(pipeline: Pipeline) -> list[dict[str, str]]:
    """Of our own sentences the step at which two words are the nearest to each other, both of them likely."""
    found: list[tuple[float, str, str]] = []
    for sentence in dict.fromkeys(sentences()):
        for node in pipeline.decode(sentence, DecodeSettings(beam_size=BEAM)).path():
            one, other = node.candidates[:2]
            gap = math.exp(one.logprob) - math.exp(other.logprob)
            if math.exp(other.logprob) > 0.2 and one.token.startswith(" ") and other.token.startswith(" "):
                says = f"{against(one.token, one.logprob, other.token, other.logprob)} at one step: the search has to take one of them."
                found.append((gap, says, query(pipeline, sentence, node=node.id)))
    return [{"name": "A near tie", "shows": says, "query": link, "model": pipeline.model_id} for _, says, link in sorted(found)[:1]]


def main() -> None:
    torch.set_num_threads(1)
    pipeline, captioner, unlucky = load(TEXT_MODEL), load(PHOTO_MODEL), load(STORY_MODEL)
    better = better_with_a_beam(pipeline)
    story = bad_luck(unlucky)  # its first part is what most come for
    cases = [*story[:1], *five(pipeline, better), *story[1:], *near_tie(pipeline), *another_cell(captioner)]
    weights = {each.model_id: each.card.get("sha256") for each in (pipeline, captioner, unlucky)}
    content = {"weights": weights, "cases": cases, "better": better}
    FILE.write_text(json.dumps(content, ensure_ascii=False, indent=1) + "\n", encoding="utf8")
    print(f"{len(better)} sentences where the beam beats greedy, {len(cases)} of 9 cases -> {FILE.relative_to(ROOT)}")
    for case in cases:
        print(f"  {case['name']}: {case['query'][:150]}")


if __name__ == "__main__":
    main()
