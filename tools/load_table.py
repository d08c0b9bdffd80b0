"""The table of docs/scale.md: classes of several sizes against one process and two, and with --ray with answers from Ray.

    python tools/load_table.py            ten minutes; let the computer do nothing else
    ray start --head && RAY_ADDRESS=auto python tools/load_table.py --ray && ray stop      as many more, with answers from Ray

Each line is one run of tools/load.py, with the load that the computer had before it.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
VISITORS = (1, 12, 40, 80, 150)
HEAD = (
    "| Visitors | Processes | Engine | Answers a second | Wait: median, p95 | First word: p95, latest | Told to come again | ms an answer "
    "| MB | Load |"
)
FIGURES = (
    r"visitors (?P<visitors>\d+)  answers \d+  a second (?P<rate>[\d.]+)  p50 (?P<p50>[\d.]+) s  p95 (?P<p95>[\d.]+) s.*\n"
    r"processor (?P<ms>\d+) ms an answer.*memory \d+ -> (?P<mb>\d+) MB.*\n"
    r"first word p95 (?P<word>[\d.]+) s, latest (?P<latest>[\d.]+) s.*\n"
    r"refused (?P<refused>\d+) .*lost (?P<lost>\d+)  wrong (?P<wrong>\d+)"
)


def measured(processes: int, visitors: tuple[int, ...], seconds: float, ray: bool) -> list[str]:
    """One server, and the classes one after the other."""
    command = [sys.executable, "tools/load.py", "--processes", str(processes), "--seconds", str(seconds), "--visitors", *map(str, visitors)]
    environment = {**os.environ, "LAB_VISITORS": "400", **({"LAB_ENGINE": "ray"} if ray else {})}
    load = os.getloadavg()[0]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    found = [match.groupdict() for match in re.finditer(FIGURES, done.stdout)][1:]  # the first waited for the models
    if len(found) != len(visitors):
        raise SystemExit(done.stdout + done.stderr)
    return [
        f"| {one['visitors']} | {processes} | {'Ray' if ray else 'own'} | {one['rate']} | {one['p50']} s, {one['p95']} s "
        f"| {one['word']} s, {one['latest']} s | {one['refused']} (lost {one['lost']}, wrong {one['wrong']}) | {one['ms']} | {one['mb']} "
        f"| {load:.1f} |"
        for one in found
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--visitors", type=int, nargs="+", default=list(VISITORS))
    parser.add_argument("--processes", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--seconds", type=float, default=20.0, help="for each number of visitors")
    parser.add_argument("--ray", action="store_true", help="with Ray instead")
    args = parser.parse_args()
    if args.ray and not os.environ.get("RAY_ADDRESS"):
        parser.error("--ray needs a cluster: `ray start --head`, and RAY_ADDRESS=auto before this command")
    print(f"{time.strftime('%Y-%m-%d %H:%M')}, {os.cpu_count()} cores", HEAD, "|---" * (HEAD.count("|") - 1) + "|", sep="\n", flush=True)
    for processes in args.processes:
        print(*measured(processes, tuple(args.visitors), args.seconds, args.ray), sep="\n", flush=True)


if __name__ == "__main__":
    main()
