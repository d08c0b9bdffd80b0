"""A class on one computer: a server process for each core behind one address, visitors kept with theirs, and whatever fails started again.

Python holds one lock a process, so one process uses about one core however many there are. This passes bytes on and looks at nothing
but the head of the first request of a connection, where the visitor's cookie says which process is theirs.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import math
import os
import re
import secrets
import signal
import socket
import sys
from asyncio import StreamReader, StreamWriter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
HOST = "127.0.0.1"  # where the processes listen: only the front can be reached from outside
COOKIE = "lab_process"
EACH = 50  # visitors a process, unless LAB_VISITORS says how many in all
HEAD_BYTES, CHUNK_BYTES = 65_536, 65_536
HEAD_SECONDS, HEALTH_SECONDS, HEALTH_PATIENCE, MISSES = 30.0, 3.0, 15.0, 3
START_SECONDS = 120.0
AWAY = (
    b"HTTP/1.1 503 Service Unavailable\r\nContent-Type: text/plain; charset=utf-8\r\nRetry-After: 3\r\nRefresh: 3\r\n"
    b"Connection: close\r\n\r\n"
)
STARTING = "The lab is starting. This page opens by itself in a moment.\n"


class Server:
    """One process of the app, kept alive."""

    def __init__(self, number: int, port: int, arguments: list[str], visitors: int) -> None:
        self.number, self.port = number, port
        self.connections, self.well = 0, False
        options = [f"--server.port={port}", f"--server.address={HOST}", "--server.headless=true", "--logger.hideWelcomeMessage=true"]
        self.command = [sys.executable, "-m", "streamlit", "run", str(ROOT / "streamlit_app.py"), *options, *arguments]
        self.environment = {**os.environ, "LAB_CORES": "1", "LAB_VISITORS": str(visitors)}

    async def keep(self) -> None:
        """Start it, ask after its health, and start it again when it ends or no longer answers."""
        while True:
            process = await asyncio.create_subprocess_exec(*self.command, cwd=ROOT, env=self.environment, start_new_session=True)
            try:
                reason = await self._watch(process)
                say(f"process {self.number} {reason}; starting it again")
            finally:
                self.well = False
                await end(process)
            await asyncio.sleep(1)

    async def _watch(self, process: asyncio.subprocess.Process) -> str:
        missed, ended, loop = 0, asyncio.ensure_future(process.wait()), asyncio.get_running_loop()
        began = loop.time()
        while not ended.done():
            if await self._healthy():
                if not self.well:
                    say(f"process {self.number} is ready")
                missed, self.well = 0, True
            elif self.well or loop.time() - began > START_SECONDS:
                missed += 1
                if missed == MISSES:
                    ended.cancel()
                    return "no longer answered"
            await asyncio.wait([ended], timeout=HEALTH_SECONDS if self.well else 0.3)
        return f"ended with {ended.result()}"

    async def _healthy(self) -> bool:
        try:
            async with asyncio.timeout(HEALTH_PATIENCE):
                reader, writer = await asyncio.open_connection(HOST, self.port)
                try:
                    writer.write(f"GET {self.base}/_stcore/health HTTP/1.1\r\nHost: {HOST}\r\nConnection: close\r\n\r\n".encode())
                    return b" 200 " in await reader.readline()
                finally:
                    writer.close()
        except (OSError, TimeoutError):
            return False

    @property
    def base(self) -> str:
        """The path under which the app is served, as Streamlit is told it."""
        given = [each.partition("=")[2] for each in self.command if each.startswith("--server.baseUrlPath=")]
        path = (given or [os.environ.get("STREAMLIT_SERVER_BASE_URL_PATH", "")])[-1].strip("/")
        return f"/{path}" if path else ""


class Front:
    """The one address."""

    def __init__(self, servers: list[Server]) -> None:
        self.servers = servers

    async def meet(self, reader: StreamReader, writer: StreamWriter) -> None:
        """One connection of a browser: it stays with one process until it ends."""
        with contextlib.suppress(OSError, TimeoutError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            async with asyncio.timeout(HEAD_SECONDS):
                head = await reader.readuntil(b"\r\n\r\n")
            if re.match(rb"GET \S*/metrics[ ?]", head):
                await self._metrics(head, writer)
            else:
                await self._pass_on(head, reader, writer)
        writer.close()

    async def _pass_on(self, head: bytes, reader: StreamReader, writer: StreamWriter) -> None:
        found = re.search(rb"(?im)^cookie:[^\r]*\b%s=(\d+)" % COOKIE.encode(), head)
        wanted = int(found[1]) if found else None
        for server in self._order(wanted):
            try:
                back, forth = await asyncio.open_connection(HOST, server.port)
            except OSError:
                continue
            server.connections += 1
            try:
                forth.write(head)
                if server.number != wanted:
                    await self._mark(server, back, writer)
                await both(pump(reader, forth), pump(back, writer))
            finally:
                server.connections -= 1
                forth.close()
            return
        writer.write(AWAY + STARTING.encode())
        await writer.drain()

    def _order(self, wanted: int | None) -> list[Server]:
        """The visitor's own first, then those with the fewest connections."""
        there = sorted((server for server in self.servers if server.well), key=lambda server: server.connections)
        return sorted(there, key=lambda server: server.number != wanted)

    async def _mark(self, server: Server, back: StreamReader, writer: StreamWriter) -> None:
        """Put the cookie into the first response."""
        status = await back.readline()
        writer.write(status + f"Set-Cookie: {COOKIE}={server.number}; Path=/; HttpOnly; SameSite=Lax\r\n".encode() if status else b"")

    async def _metrics(self, head: bytes, writer: StreamWriter) -> None:
        """The figures of every process, one after the other, each line with its number."""
        path, lines = head.split(b" ", 2)[1], []
        for server in self.servers:
            with contextlib.suppress(OSError, TimeoutError):
                async with asyncio.timeout(HEALTH_PATIENCE):
                    back, forth = await asyncio.open_connection(HOST, server.port)
                    forth.write(b"GET %s HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n" % (path, HOST.encode()))
                    answer, _, body = (await back.read()).partition(b"\r\n\r\n")
                    forth.close()
                if answer.startswith(b"HTTP/1.1 200") and b"text/plain" in answer:
                    lines += [labelled(line, server.number) for line in body.decode().splitlines()]
        status = "200 OK" if lines else "404 Not Found"
        writer.write(f"HTTP/1.1 {status}\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n".encode())
        writer.write("".join(f"{line}\n" for line in lines).encode())
        await writer.drain()


def labelled(line: str, number: int) -> str:
    name, _, value = line.rpartition(" ")
    return f'{name[:-1]},process="{number}"}} {value}' if name.endswith("}") else f'{name}{{process="{number}"}} {value}'


async def pump(reader: StreamReader, writer: StreamWriter) -> None:
    with contextlib.suppress(OSError):
        while data := await reader.read(CHUNK_BYTES):
            writer.write(data)
            await writer.drain()


async def both(*works: object) -> None:
    """Until either side has closed."""
    tasks = [asyncio.ensure_future(work) for work in works]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def end(process: asyncio.subprocess.Process) -> None:
    """With its trainings, which are in its group."""
    if process.returncode is None:
        process.terminate()
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(process.wait(), 10)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)


def free_ports(count: int) -> list[int]:
    with contextlib.ExitStack() as stack:
        probes = [stack.enter_context(socket.socket()) for _ in range(count)]
        for probe in probes:
            probe.bind((HOST, 0))
        return [probe.getsockname()[1] for probe in probes]


def say(text: str) -> None:
    print(text, flush=True)


async def serve(address: str, port: int, processes: int, arguments: list[str]) -> None:
    most = int(os.environ.get("LAB_VISITORS") or EACH * processes)
    os.environ["STREAMLIT_SERVER_COOKIE_SECRET"] = secrets.token_hex(32)  # so that a visitor may move to another process
    servers = [Server(number, port, arguments, math.ceil(most / processes)) for number, port in enumerate(free_ports(processes))]
    front = await asyncio.start_server(Front(servers).meet, address, port, limit=HEAD_BYTES)
    say(f"Serving at most {most} visitors with {processes} processes on http://{address}:{port}{servers[0].base}")
    keepers = [asyncio.ensure_future(server.keep()) for server in servers]
    stopped, loop = asyncio.Event(), asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stopped.set)
    await stopped.wait()
    front.close()
    for keeper in keepers:
        keeper.cancel()
    await asyncio.gather(*keepers, return_exceptions=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, epilog="Anything else is passed on to Streamlit, as --server.baseUrlPath=lab.")
    parser.add_argument("--address", default=HOST, help="where to listen; 0.0.0.0: for everybody who can reach this computer")
    parser.add_argument("--port", type=int, default=8501)
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1, help="one for each core")
    args, arguments = parser.parse_known_args()
    asyncio.run(serve(args.address, args.port, max(1, args.processes), arguments))


if __name__ == "__main__":
    main()
