"""Traces for the browser tests of the player, by name: texts, photos and several parts, each kind of network, and hostile words."""

from __future__ import annotations

import base64
import io
from typing import Any

import numpy as np
from PIL import Image, ImageDraw

from seq2seq_core.config import Network
from seq2seq_core.trace.trace import DecodeTrace
from tests.demo import traces

LIKES = ["Das", " gef", "ällt", " mir", "."]
BOOK = ["الكتاب", " على", " الطاولة", "."]
GERMAN = ["Ein", " Hund", " läuft", " am", " Strand", " ent", "lang", "."]
ENGLISH = [" A", " dog", " is", " run", "ning", " along", " the", " beach", ".", "</s>"]
CAPTION = [" a", " brown", " dog", " runs", " on", " the", " beach", ".", "</s>"]
LOOKS = [(5, 9, 2.5), (5, 9, 1.3), (6, 9, 1.6), (5, 11, 1.2), (6, 12, 2), (7, 12, 3), (10, 11, 2.6), (7, 7, 4), (7, 7, 5)]
WORDS = ["the", "old", "man", "walked", "slowly", "through", "garden", "while", "children", "were", "playing", "near", "river"]
HOSTILE = [" <script>", " 😀", " <img src=x onerror=alert(1)>", " 👩‍👩‍👧", ".", "</s>"]


def long_trace(length: int) -> DecodeTrace:
    target = [" " + WORDS[i % 13] for i in range(length - 1)] + ["</s>"]
    return traces.make_trace(target, traces.text_source([(" " if i else "") + WORDS[i * 4 % 13] for i in range(length)]))


def image_trace(**changes: Any) -> DecodeTrace:
    y, x = np.mgrid[0:14, 0:14]
    weights = np.stack([np.exp(-((y - b) ** 2 + (x - a) ** 2) / (2 * s * s)).ravel()[None] + 0.01 for a, b, s in LOOKS])
    weights /= weights.sum(-1, keepdims=True)
    values: dict[str, Any] = {"attention": weights.astype(np.float32), "task": "captioning", "model_id": "captioning/soft"}
    return traces.make_trace(CAPTION, traces.image_source(14, 14, (640, 440)), **(values | changes))


def photo() -> str:
    """A dog on a beach, drawn."""
    image = Image.new("RGB", (640, 440), (140, 190, 230))
    draw = ImageDraw.Draw(image)
    draw.rectangle((0, 240, 640, 285), fill=(60, 120, 170))
    draw.rectangle((0, 280, 640, 440), fill=(214, 190, 140))
    draw.ellipse((180, 260, 330, 350), fill=(120, 80, 50))
    draw.ellipse((300, 230, 360, 290), fill=(120, 80, 50))
    for x in (200, 230, 290, 310):
        draw.rectangle((x, 330, x + 12, 390), fill=(110, 70, 45))
    draw.ellipse((500, 60, 560, 120), fill=(255, 240, 150))
    file = io.BytesIO()
    image.save(file, "JPEG", quality=85)
    return "data:image/jpeg;base64," + base64.b64encode(file.getvalue()).decode()


def trace_for(case: str) -> DecodeTrace:
    name, _, size = case.partition("-")
    made = {
        "dog": traces.dog_trace,
        "heads": lambda: traces.make_trace([" I", " like", " it", ".", "</s>"], traces.text_source(LIKES), heads=4),
        "none": lambda: traces.make_trace(ENGLISH, traces.text_source(GERMAN), heads=0, model_id="translation/none"),
        "every": lambda: traces.make_trace(ENGLISH, traces.text_source(GERMAN), heads=0, model_id="translation/every-step"),
        "language": lambda: traces.make_trace([" I", " am", " going", " to", " the", " sta", "tion", ".", "</s>"], task="language"),
        "long": lambda: long_trace(int(size)),
        "hindi": lambda: traces.make_trace(
            ["न", "म", "स", "्", "त", "े", "</s>"], traces.text_source(list("namaste"), graphemes=True), task="transliteration"
        ),
        "arabic": lambda: traces.make_trace([" The", " book", " is", " here", "</s>"], traces.text_source(BOOK)),
        "hostile": lambda: traces.make_trace(HOSTILE, traces.text_source(["<script>", " alert(1)", " 😀", " </s>", " a&b"])),
        "image": image_trace,
        "hard": lambda: image_trace(glimpses=[y * 14 + x for x, y, _ in LOOKS], model_id="captioning/hard"),
        "state": lambda: traces.dog_trace(network=Network("additive", "state", bidirectional=True)),
        "input": lambda: traces.dog_trace(network=Network("additive", "input", cell="rnn", bidirectional=True, encoder_layers=2)),
        "transformer": lambda: traces.make_trace(
            [" I", " like", " it", ".", "</s>"], traces.text_source(LIKES), heads=4, network=Network("multi-head", body="transformer")
        ),
        "premise": traces.premise_trace,
        "question": traces.question_trace,
        "begun": lambda: traces.parts_trace(
            [" I", " am", " going", " to", " the", " sta", "tion", ".", "</s>"], prompt=3, forced=(4,), task="language"
        ),
        "imagenone": lambda: image_trace(attention=None, heads=0, model_id="captioning/none"),
    }
    return made[name]()
