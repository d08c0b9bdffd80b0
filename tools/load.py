"""Visitors who each ask for a translation every few seconds, as a browser would ask, and what that costs the server.

They speak the app's own protocol, to this computer alone, for a bounded time. Without --port a server is started, and stopped at the end.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import json
import os
import random
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlencode

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.asyncio.client import ClientConnection, connect

ROOT = Path(__file__).resolve().parents[1]
HOST = "127.0.0.1"
PATIENCE_SECONDS = 60.0  # for one answer: longer is lost
WHO = (
    "Der Mann",
    "Die Frau",
    "Mein Bruder",
    "Deine Schwester",
    "Das Kind",
    "Unser Lehrer",
    "Die alte Dame",
    "Ein Junge",
    "Der Arzt",
    "Tom",
)
DOES = ("liest", "sucht", "kauft", "verkauft", "sieht", "trägt", "braucht", "malt", "findet", "vergisst")
WHAT = ("ein Buch", "den roten Ball", "eine neue Jacke", "das kleine Haus", "einen Hund", "viele Blumen", "den Schlüssel", "ein Bild")
WHERE = ("im Park", "am Strand", "in der Stadt", "zu Hause", "auf dem Markt", "vor der Schule", "im Garten", "am Bahnhof")
WHEN = ("", " heute", " morgen", " jeden Tag", " am Abend", " nach der Arbeit")


def sentences(seed: int) -> Iterator[str]:
    """38,400 different ones, in an order of its own for each seed."""
    every = [f"{who} {does} {what} {where}{when}." for who, does, what, where, when in itertools.product(WHO, DOES, WHAT, WHERE, WHEN)]
    random.Random(seed).shuffle(every)
    return iter(every)


# -- one visitor -----------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Figures:
    """What all visitors have met with."""

    waits: list[float] = field(default_factory=list)  # seconds from asking to the whole page
    words: list[float] = field(default_factory=list)  # seconds to the first word: the answer, or that one is in line for it
    opened: list[float] = field(default_factory=list)
    refused: list[float] = field(default_factory=list)  # told that it is too busy
    wrong: list[str] = field(default_factory=list)  # an answer that is no answer
    lost: int = 0  # no word within the patience, or the connection gone
    bytes: int = 0


class Visitor:
    """A tab of a browser: a cookie, a websocket, and the text field of the page."""

    def __init__(self, port: int, base: str, figures: Figures, texts: Iterator[str]) -> None:
        self.port, self.base, self.figures, self.texts = port, base, figures, texts
        self.field = ""  # the id of the text field
        self.page = ""  # the hash of the page's script
        self.socket: ClientConnection

    async def open(self) -> None:
        """Load the page and wait until it has drawn its first answer."""
        cookie = await self._cookie()
        headers = {"Cookie": cookie} if cookie else {}
        url = f"ws://{HOST}:{self.port}{self.base}/_stcore/stream"
        self.socket = await connect(url, additional_headers=headers, max_size=None, compression=None, subprotocols=["streamlit"])
        await self._run(next(self.texts), self.figures.opened)

    async def ask(self) -> None:
        """Type a sentence nobody has asked before."""
        await self._run(next(self.texts), self.figures.waits)

    async def _cookie(self) -> str:
        """A browser asks for the page first; what it is given to keep goes with the websocket."""
        reader, writer = await asyncio.open_connection(HOST, self.port)
        writer.write(f"GET {self.base}/translate HTTP/1.1\r\nHost: {HOST}:{self.port}\r\nConnection: close\r\n\r\n".encode())
        answer = (await asyncio.wait_for(reader.read(), PATIENCE_SECONDS)).partition(b"\r\n\r\n")[0].decode("latin1")
        writer.close()
        return "; ".join(re.findall(r"(?im)^set-cookie: ([^;\r]+)", answer))

    async def _run(self, sentence: str, times: list[float]) -> None:
        message = BackMsg()
        state = message.rerun_script
        state.query_string, state.page_name, state.page_script_hash = urlencode({"sentence": sentence}), "translate", self.page
        if self.field:
            state.widget_states.widgets.add(id=self.field, string_value=sentence)
        began = time.perf_counter()
        try:
            await self.socket.send(message.SerializeToString())
            said, answered, word = await asyncio.wait_for(self._page(sentence), PATIENCE_SECONDS)
        except (TimeoutError, OSError, EOFError):
            self.figures.lost += 1
            return
        took = time.perf_counter() - began
        self.figures.words.append(min(took, word - began))
        if answered:
            times.append(took)
        elif any("moment" in text for text in said):
            self.figures.refused.append(took)
        else:
            self.figures.wrong.append(f"{sentence!r}: {said[:2]}")

    async def _page(self, sentence: str) -> tuple[list[str], bool, float]:
        """Read until the page is whole: the errors on it, whether it shows an answer to the sentence, and when something was said first."""
        said: list[str] = []
        answered, word = False, float("inf")
        while True:
            data = await self.socket.recv()
            self.figures.bytes += len(data)
            message = ForwardMsg.FromString(data)
            kind = message.WhichOneof("type")
            if kind == "navigation":
                self.page = message.navigation.page_script_hash
            elif kind == "script_finished" and message.script_finished != ForwardMsg.FINISHED_EARLY_FOR_RERUN:
                return said, answered, word
            elif kind == "delta" and message.delta.WhichOneof("type") == "new_element":
                element = message.delta.new_element
                shown = element.WhichOneof("type")
                if shown == "text_input":
                    self.field = element.text_input.id
                elif shown == "toast":
                    word = min(word, time.perf_counter())
                elif shown == "alert":
                    said.append(element.alert.body)
                elif shown == "exception":
                    said.append(element.exception.message)
                elif shown == "bidi_component":
                    answered = answered or json.dumps(sentence)[1:-1] in element.bidi_component.json


async def visit(visitor: Visitor, every: float, until: float, delay: float) -> None:
    await asyncio.sleep(delay)
    while (now := time.perf_counter()) < until:
        await visitor.ask()
        await asyncio.sleep(max(0.0, now + every - time.perf_counter()))


async def load(
    port: int, base: str, visitors: int, texts: Iterator[str], every: float, seconds: float, together: bool, pids: list[int]
) -> None:  # fmt: skip
    figures, rng = Figures(), random.Random(1)
    tabs = [Visitor(port, base, figures, texts) for _ in range(visitors)]
    for begin in range(0, visitors, 4):
        await asyncio.gather(*(tab.open() for tab in tabs[begin : begin + 4]))
    figures.words.clear()  # the first page waits for the models too
    before, began, opened = processor_seconds(pids), time.perf_counter(), memory_mb(pids)
    until = began + seconds
    await asyncio.gather(*(visit(tab, every, until, 0.0 if together else rng.uniform(0, every)) for tab in tabs))
    took, used = time.perf_counter() - began, processor_seconds(pids) - before
    print(report(figures, visitors, took, used, opened, memory_mb(pids)), flush=True)
    await asyncio.gather(*(tab.socket.close() for tab in tabs), return_exceptions=True)


def report(figures: Figures, visitors: int, took: float, used: float, before_mb: float, after_mb: float) -> str:
    answers = len(figures.waits)
    lines = [
        f"visitors {visitors}  answers {answers}  a second {answers / took:.1f}  p50 {quantile(figures.waits, 0.5):.2f} s  "
        f"p95 {quantile(figures.waits, 0.95):.2f} s  longest {max(figures.waits, default=0):.2f} s",
        f"processor {1000 * used / max(1, answers):.0f} ms an answer, {used / took:.2f} cores  "
        f"memory {before_mb:.0f} -> {after_mb:.0f} MB  "
        f"sent {figures.bytes / max(1, answers + len(figures.opened)) / 1000:.0f} kB an answer",
        f"first word p95 {quantile(figures.words, 0.95):.2f} s, latest {max(figures.words, default=0):.2f} s, "
        f"without one for 2 s {sum(word > 2 for word in figures.words)}",
        f"refused {len(figures.refused)} (the last after {quantile(figures.refused, 1):.2f} s)  lost {figures.lost}  "
        f"wrong {len(figures.wrong)}  page opened p50 {quantile(figures.opened, 0.5):.2f} s",
    ]
    return "\n".join([*lines, *figures.wrong[:3]])


def quantile(values: list[float], share: float) -> float:
    return sorted(values)[min(len(values) - 1, int(share * len(values)))] if values else 0.0


# -- the server ------------------------------------------------------------------------------------------------------------


def family(pid: int) -> list[int]:
    """A process and all below it."""
    children: dict[int, list[int]] = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            children.setdefault(int((folder / "stat").read_text().rpartition(")")[2].split()[1]), []).append(int(folder.name))
        except OSError:
            continue
    found = [pid]
    for each in found:
        found += children.get(each, [])
    return found


def processor_seconds(pids: list[int]) -> float:
    ticks = 0
    for pid in pids:
        try:
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def memory_mb(pids: list[int]) -> float:
    """Proportional: what processes share is counted once."""
    total = 0
    for pid in pids:
        try:
            total += int(re.search(r"(?m)^Pss:\s+(\d+)", Path(f"/proc/{pid}/smaps_rollup").read_text())[1])
        except (OSError, TypeError):
            continue
    return total / 1000


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        return int(probe.getsockname()[1])


def start(port: int, processes: int) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "streamlit", "run", "streamlit_app.py", f"--server.address={HOST}", "--server.headless=true"]
    if processes > 1:
        command = [sys.executable, "tools/serve.py", f"--processes={processes}"]
    server = subprocess.Popen([*command, *(["--port", str(port)] if processes > 1 else [f"--server.port={port}"])], cwd=ROOT)
    for _ in range(900):
        if all(is_ready(port, number) for number in range(processes)):
            return server
        if server.poll() is not None:
            raise SystemExit("The server did not start.")
        time.sleep(0.2)
    stop(server)
    raise SystemExit("The server did not start within three minutes.")


def is_ready(port: int, number: int) -> bool:
    """Whether a process answers; another that answers in its place sends its own cookie."""
    connection = HTTPConnection(HOST, port, timeout=20)
    try:
        connection.request("GET", "/_stcore/health", headers={"Cookie": f"lab_process={number}"})
        answer = connection.getresponse()
        return answer.status == 200 and "lab_process" not in (answer.getheader("set-cookie") or "")
    except OSError:
        return False
    finally:
        connection.close()


def stop(server: subprocess.Popen[bytes]) -> None:
    pids = family(server.pid)
    server.send_signal(signal.SIGTERM)
    try:
        server.wait(20)
    except subprocess.TimeoutExpired:
        for pid in pids:
            os.kill(pid, signal.SIGKILL)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--visitors", type=int, nargs="+", default=[40], help="one after another on the same server")
    parser.add_argument("--every", type=float, default=3.0, help="seconds between two sentences of a visitor")
    parser.add_argument("--seconds", type=float, default=30.0, help="for each number of visitors")
    parser.add_argument("--together", action="store_true", help="all ask at the same moment, instead of spread over the seconds")
    parser.add_argument("--processes", type=int, default=1, help="how many serve, as make class starts them")
    parser.add_argument("--port", type=int, help="of a server that runs already on this computer")
    parser.add_argument("--pid", type=int, help="of that server, for its processor time and memory")
    parser.add_argument("--base", default="", help="the path that the app has there, such as /lab")
    args = parser.parse_args()
    if max(args.visitors) > 500 or args.seconds > 600:
        parser.error("at most 500 visitors and 600 seconds")
    port, server = args.port or free_port(), None
    if not args.port:
        server = start(port, args.processes)
    texts = sentences(os.getpid())
    try:
        pid = server.pid if server else args.pid
        for visitors in (2 * args.processes if args.processes > 1 else 1, *args.visitors):  # the first ones wait for the models too
            pids = family(pid) if pid else []
            asyncio.run(load(port, args.base, visitors, texts, args.every, args.seconds, args.together, pids))
    finally:
        if server:
            stop(server)


if __name__ == "__main__":
    main()
