"""python -m tests.fuzz: seeded cases of every area, and a table of what came of them. Exit code 1 when one is no answer and no sentence.

One case again: python -m tests.fuzz --area photos --case 123
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
import traceback
import warnings
from dataclasses import dataclass, field

from seq2seq_core.errors import LONGEST, InputError
from tests.fuzz.areas import AREAS

CASES = 10_000


@dataclass
class Outcome:
    answers: int = 0
    sentences: int = 0
    slowest: tuple[float, int] = (0.0, 0)  # processor seconds, case
    bad: list[tuple[int, str]] = field(default_factory=list)  # case, what happened


def wrong_with(sentence: str) -> str:
    """Why this is no sentence for a person; empty when it is one."""
    if not sentence or len(sentence) > LONGEST or not sentence.isprintable():
        return "not one line"
    if sentence[-1] not in ".?!":
        return "does not end like a sentence"
    return "shows a path of the server" if tempfile.gettempdir() + "/" in sentence else ""


def run_case(area: str, number: int, seed: int, outcome: Outcome) -> None:
    draw, began = random.Random(f"{seed} {area} {number}"), time.process_time()
    try:
        AREAS[area][0](draw)
        outcome.answers += 1
    except InputError as error:
        wrong = wrong_with(str(error))
        outcome.sentences += not wrong
        if wrong:
            outcome.bad.append((number, f"{wrong}: {error}"))
    except Exception:  # noqa: BLE001  whatever it is, it is a fault
        outcome.bad.append((number, traceback.format_exc(limit=-2)))
    outcome.slowest = max(outcome.slowest, (time.process_time() - began, number))


def run_area(area: str, cases: int, seed: int) -> Outcome:
    outcome = Outcome()
    for number in range(cases):
        run_case(area, number, seed, outcome)
    return outcome


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz")
    parser.add_argument("--cases", type=int, default=CASES)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--area", choices=AREAS, help="this one alone")
    parser.add_argument("--case", type=int, help="of the area, this one alone, with its traceback")
    given = parser.parse_args()
    warnings.simplefilter("ignore")  # Pillow remarks on the damage
    if given.area and given.case is not None:
        AREAS[given.area][0](random.Random(f"{given.seed} {given.area} {given.case}"))
        return 0
    say(f"{'area':10} {'cases':>6} {'answers':>8} {'sentences':>10} {'bad':>4} {'slowest':>9} {'of all':>8}   (processor seconds)")
    faults = 0
    for area, (_, share) in AREAS.items():
        if given.area in (None, area):
            began = time.process_time()
            outcome = run_area(area, max(1, round(share * given.cases / CASES)), given.seed)
            report(area, outcome, time.process_time() - began)
            faults += len(outcome.bad)
    say("Every case was answered, or refused with a sentence." if not faults else f"{faults} cases are neither.")
    return min(faults, 1)


def report(area: str, outcome: Outcome, seconds: float) -> None:
    count = outcome.answers + outcome.sentences + len(outcome.bad)
    times = f"{outcome.slowest[0]:9.2f} {seconds:8.1f}   case {outcome.slowest[1]}"
    say(f"{area:10} {count:6,} {outcome.answers:8,} {outcome.sentences:10,} {len(outcome.bad):4} {times}")
    for number, what in outcome.bad:
        say(f"\n{area}, case {number}: {what}")


def say(line: str) -> None:
    sys.stdout.write(line.encode("ascii", "backslashreplace").decode() + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
