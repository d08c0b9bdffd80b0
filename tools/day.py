"""A day of eight classes in fast motion: answers, photos and trainings as fast as they come, and the memory of the server after each hour.

    python tools/day.py --answers 10000 --photos 300 --trainings 40

It speaks the app's own protocol to a server of its own, on this computer alone, and ends with 1 when the last hour holds more than 150 MB
above the first.
"""

from __future__ import annotations

import argparse
import asyncio
import io
import itertools
import os
import random
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from urllib.parse import urlencode

import numpy as np
from load import HOST, Figures, Visitor, connect, family, free_port, memory_mb, processor_seconds, quantile, sentences, start, stop
from PIL import Image
from streamlit.proto.Alert_pb2 import Alert
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

HOURS, VISITORS, PHOTOS_OF_A_VISITOR = 8, 12, 5
MORE_MB = 150.0
TRAINING_SECONDS = 10.0  # then it is stopped
PATIENCE_SECONDS, REST_SECONDS = 90.0, 25.0  # for a page; until the server has tidied up
PRESETS = ("copy", "reverse", "sort", "dates", "numbers", "shapes")
SIDES = ((640, 480), (1280, 960), (3000, 2000), (4000, 3000))  # pixels of photos


@dataclass(slots=True)
class Page:
    """What a run of a page has shown, by label."""

    buttons: dict[str, str] = field(default_factory=dict)
    uploader: str = ""
    said: list[str] = field(default_factory=list)  # errors alone
    text: str = ""  # of all components


class Tab:
    """A tab of a browser on any page."""

    def __init__(self, port: int, page: str, **query: str) -> None:
        self.port, self.page, self.query, self.hash = port, page, urlencode(query), ""

    async def open(self) -> Page:
        self.cookie = await Visitor(self.port, "", Figures(), iter(()))._cookie()
        url = f"ws://{HOST}:{self.port}/_stcore/stream"
        headers = {"Cookie": self.cookie} if self.cookie else {}
        self.socket = await connect(url, additional_headers=headers, max_size=None, compression=None, subprotocols=["streamlit"])
        return await self.run()

    async def run(self, pressed: str = "", files: tuple[str, ForwardMsg] | None = None) -> Page:
        message = BackMsg()
        run = message.rerun_script
        run.query_string, run.page_name, run.page_script_hash = self.query, self.page, self.hash
        if pressed:
            run.widget_states.widgets.add(id=pressed, trigger_value=True)
        if files:
            state = run.widget_states.widgets.add(id=files[0]).file_uploader_state_value
            for urls in files[1].file_urls_response.file_urls:
                state.uploaded_file_info.add(name="photo.jpg", size=1, file_id=urls.file_id).file_urls.CopyFrom(urls)
        await self.socket.send(message.SerializeToString())
        return await asyncio.wait_for(self._whole(), PATIENCE_SECONDS)

    async def _whole(self) -> Page:
        shown = Page()
        while True:
            message = ForwardMsg.FromString(await self.socket.recv())
            kind = message.WhichOneof("type")
            if kind == "navigation":
                self.hash = message.navigation.page_script_hash
            elif kind == "script_finished" and message.script_finished != ForwardMsg.FINISHED_EARLY_FOR_RERUN:
                return shown
            elif kind == "delta" and message.delta.WhichOneof("type") == "new_element":
                element = message.delta.new_element
                if element.WhichOneof("type") == "button":
                    shown.buttons[element.button.label] = element.button.id
                elif element.WhichOneof("type") == "file_uploader":
                    shown.uploader = shown.uploader or element.file_uploader.id
                elif element.WhichOneof("type") == "alert" and element.alert.format == Alert.ERROR:
                    shown.said.append(element.alert.body)
                elif element.WhichOneof("type") == "bidi_component":
                    shown.text += element.bidi_component.json

    async def upload(self, uploader: str, data: bytes) -> Page:
        """As the browser does: ask where to, send it there, say that it is there."""
        message = BackMsg()
        message.file_urls_request.request_id, message.file_urls_request.session_id = "1", ""
        message.file_urls_request.file_names.append("photo.jpg")
        await self.socket.send(message.SerializeToString())
        answer = ForwardMsg()
        while answer.WhichOneof("type") != "file_urls_response":
            answer = ForwardMsg.FromString(await asyncio.wait_for(self.socket.recv(), PATIENCE_SECONDS))
        status = await self._put(answer.file_urls_response.file_urls[0].upload_url, data)
        if status != 204:
            raise RuntimeError(f"the upload was answered with {status}")
        return await self.run(files=(uploader, answer))

    async def _put(self, path: str, data: bytes) -> int:
        head, _ = await self._http(f"GET /_stcore/health HTTP/1.1\r\nHost: {HOST}:{self.port}\r\nConnection: close\r\n\r\n".encode())
        token = next((line.split("=", 1)[1].split(";")[0] for line in head.splitlines() if "_streamlit_xsrf=" in line), "")
        body = (
            b'--b\r\nContent-Disposition: form-data; name="f"; filename="photo.jpg"\r\nContent-Type: image/jpeg\r\n\r\n'
            + data
            + b"\r\n--b--\r\n"
        )
        request = (
            f"PUT {path} HTTP/1.1\r\nHost: {HOST}:{self.port}\r\nCookie: _streamlit_xsrf={token}; {self.cookie}\r\nX-Xsrftoken: {token}\r\n"
            f"Content-Type: multipart/form-data; boundary=b\r\nContent-Length: {len(body)}\r\nConnection: close\r\n\r\n"
        )
        return (await self._http(request.encode() + body))[1]

    async def _http(self, request: bytes) -> tuple[str, int]:
        reader, writer = await asyncio.open_connection(HOST, self.port)
        writer.write(request)
        head = (await asyncio.wait_for(reader.read(), PATIENCE_SECONDS)).partition(b"\r\n\r\n")[0].decode("latin1")
        writer.close()
        return head, int(head.split()[1])


# -- what a class does -----------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Day:
    """What has been counted."""

    figures: Figures = field(default_factory=Figures)
    photos: int = 0
    trainings: int = 0
    wrong: list[str] = field(default_factory=list)


async def asks(port: int, day: Day, texts: Iterator[str], count: int) -> None:
    """One visitor, who asks again as soon as there is an answer."""
    tab = Visitor(port, "", day.figures, texts)
    await tab.open()
    for _ in range(count):
        await tab.ask()
    await tab.socket.close()


def photo(rng: random.Random) -> bytes:
    """Noise over broad patches, of a size that a phone makes."""
    width, height = rng.choice(SIDES)
    patches = np.random.default_rng(rng.randrange(2**31)).integers(0, 256, (height // 100, width // 100, 3), np.uint8)
    file = io.BytesIO()
    Image.fromarray(patches).resize((width, height)).save(file, "JPEG", quality=85)
    return file.getvalue()


async def captions(port: int, day: Day, rng: random.Random, count: int) -> None:
    """Visitors who each choose a few photos of their own."""
    while count > 0:
        tab = Tab(port, "caption")
        shown = await tab.open()
        for _ in range(min(count, PHOTOS_OF_A_VISITOR)):
            shown = await tab.upload(shown.uploader, await asyncio.to_thread(photo, rng))
            if shown.said or '"player"' not in shown.text:
                day.wrong.append(f"photo: {shown.said[:1]}")
            day.photos += 1
            count -= 1
        await tab.socket.close()


async def trains(port: int, day: Day, presets: Iterator[str], count: int) -> None:
    """One training after the other, each until it has learnt its task or is stopped."""
    for _ in range(count):
        tab = Tab(port, "train", preset=next(presets))
        shown = await tab.open()
        shown = await tab.run(pressed=shown.buttons["Start"])
        if shown.said or "Stop" not in shown.buttons:
            day.wrong.append(f"training: {shown.said[:1]}")
        until = time.monotonic() + TRAINING_SECONDS
        while "Stop" in shown.buttons and time.monotonic() < until:
            await asyncio.sleep(1)
            shown = await tab.run()
        if "Stop" in shown.buttons:
            await tab.run(pressed=shown.buttons["Stop"])
        day.trainings += 1
        await tab.socket.close()


async def hour(port: int, day: Day, texts: Iterator[str], presets: Iterator[str], rng: random.Random, share: list[int]) -> None:
    answers, photos, trainings = share
    each = [answers // VISITORS + (visitor < answers % VISITORS) for visitor in range(VISITORS)]
    await asyncio.gather(
        *(asks(port, day, texts, count) for count in each if count),
        captions(port, day, rng, photos),
        *(trains(port, day, presets, trainings // 2 + (place < trainings % 2)) for place in range(2)),
    )


def shares(total: int) -> list[int]:
    return [total // HOURS + (number < total % HOURS) for number in range(HOURS)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--answers", type=int, default=10_000)
    parser.add_argument("--photos", type=int, default=300)
    parser.add_argument("--trainings", type=int, default=40)
    args = parser.parse_args()
    if args.answers > 38_000 or args.photos > 1000 or args.trainings > 200:
        parser.error("at most 38,000 answers, 1,000 photos and 200 trainings")
    port, day, held = free_port(), Day(), list[float]()
    server = start(port, 1)
    texts, presets, rng = sentences(os.getpid()), itertools.cycle(PRESETS), random.Random(1)
    try:
        for number, share in enumerate(zip(*map(shares, (args.answers, args.photos, args.trainings)), strict=True), 1):
            began = time.monotonic()
            asyncio.run(hour(port, day, texts, presets, rng, list(share)))
            took, busy = time.monotonic() - began, memory_mb(family(server.pid))
            time.sleep(REST_SECONDS)
            asyncio.run(asks(port, day, texts, 1))  # whoever comes next tidies up
            held.append(memory_mb(family(server.pid)))
            print(
                f"hour {number}: {len(day.figures.waits)} answers, {day.photos} photos, {day.trainings} trainings after {took:.0f} s  "
                f"memory {busy:.0f} MB at its end, {held[-1]:.0f} MB at rest  p95 {quantile(day.figures.waits, 0.95):.2f} s  "
                f"processor {processor_seconds([server.pid]):.0f} s  load {os.getloadavg()[0]:.1f}",
                flush=True,
            )
    finally:
        stop(server)
    lost, wrong = day.figures.lost + len(day.figures.refused), [*day.figures.wrong, *day.wrong]
    print(f"lost or refused {lost}  wrong {len(wrong)}  {wrong[:3]}  more than in the first hour: {held[-1] - held[0]:.0f} MB")
    sys.exit(held[-1] - held[0] > MORE_MB)


if __name__ == "__main__":
    main()
