"""How long a school would wait: students, cores and measured service times, played through in a second. Nothing is served here.

    python tools/simulate.py --students 40 200 1000 --cores 2 8 16 32

Each student belongs to a process, and a process does one thing after the other, as Python's lock makes it. After "now everybody try" all
ask within a few seconds, and then each a few seconds after the last answer.
"""

from __future__ import annotations

import argparse
import heapq
import random

ANSWER_MS = 31.0  # processor time of one answer, as `make load` prints it
SPREAD = 0.35  # of the logarithm of it: long sentences cost more
BURST_SECONDS, EVERY_SECONDS, MINUTES = 5.0, 3.0, 3.0


def waits(students: int, cores: int, answer_ms: float, seed: int = 1) -> list[float]:
    """Seconds from asking to the answer, of everything that is asked in some minutes."""
    rng = random.Random(seed)
    free = [0.0] * cores  # when each process is done with what it has
    asks = [(rng.uniform(0, BURST_SECONDS), student) for student in range(students)]
    heapq.heapify(asks)
    found = []
    while asks:
        now, student = heapq.heappop(asks)
        process = student % cores
        done = max(now, free[process]) + answer_ms / 1000 * rng.lognormvariate(-(SPREAD**2) / 2, SPREAD)
        free[process] = done
        found.append(done - now)
        if (again := max(done, now + rng.uniform(0.5, 1.5) * EVERY_SECONDS)) < 60 * MINUTES:
            heapq.heappush(asks, (again, student))
    return sorted(found)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--students", type=int, nargs="+", default=[40, 80, 150, 300, 1000])
    parser.add_argument("--cores", type=int, nargs="+", default=[1, 2, 4, 8, 16, 32])
    parser.add_argument("--answer-ms", type=float, default=ANSWER_MS)
    args = parser.parse_args()
    print("p95 in seconds".ljust(16) + "".join(f"{cores:>4} cores" for cores in args.cores))
    for students in args.students:
        cells = []
        for cores in args.cores:
            each = waits(students, cores, args.answer_ms)
            cells.append(f"{each[int(0.95 * len(each))]:>10.2f}")
        print(f"{students:>8} students" + "".join(cells))


if __name__ == "__main__":
    main()
