"""The custom components: their scripts and styles are files of this folder, put together here."""

from __future__ import annotations

import json
from pathlib import Path

from demo.scale import color_scale

HERE = Path(__file__).parent


def script(*names: str) -> str:
    """Files of this folder as one script: a component cannot import another's file. All have the elements."""
    return "\n".join((HERE / f"{name}.js").read_text(encoding="utf8") for name in ("elements", *names))


def style(name: str) -> str:
    return (HERE / name / f"{name}.css").read_text(encoding="utf8")


def scales() -> str:
    """The colour scale of attention, for a script that paints weights."""
    return f"const SCALES = {json.dumps({theme: color_scale(theme) for theme in ('light', 'dark')})};\n"
