"""Cards that lead to pages: groups of links, each with a picture. The whole card is the link."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from demo.components.events import one_of, reported, unheard
from demo.components.served import component

Form = Literal["grid", "list"]
_component = component("cards", "cards/mount.js")


@dataclass(frozen=True, slots=True)
class Card:
    name: str  # of the page, and its address
    title: str
    about: str
    group: str
    picture: Sequence[dict[str, Any]] = ()  # as demo.blocks.drawing has its shapes
    still: bool = False  # it leads nowhere

    def to_dict(self) -> dict[str, Any]:
        return {"name": self.name, "title": self.title, "about": self.about, "picture": list(self.picture), "still": self.still}


def cards(shown: Sequence[Card], *, size: tuple[int, int], key: str = "cards", form: Form = "grid") -> str | None:
    """Place the cards; the name of the one that was clicked, in the run that the click caused. `form`: beside or under each other."""
    groups: dict[str, list[dict[str, Any]]] = {}
    for card in shown:
        groups.setdefault(card.group, []).append(card.to_dict())
    data = {"size": list(size), "form": form, "groups": [{"title": title, "cards": each} for title, each in groups.items()]}
    _component(key=key, data=data, on_open_change=unheard)
    return one_of(reported(key, "open"), {card.name for card in shown})
