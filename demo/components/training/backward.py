"""The gradient's way back as a Streamlit component: three cells, with and without attention."""

from __future__ import annotations

from typing import Any

from demo.components.served import component

_component = component("backward", "training/backward.js")


def backward_picture(data: dict[str, Any], *, key: str) -> None:
    _component(key=key, data=data)
