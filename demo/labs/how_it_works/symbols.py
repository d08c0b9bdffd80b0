"""Where each letter of the equations lives in the drawing, and which vectors are printed: for whoever points at them."""

from __future__ import annotations

import base64
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from demo.labs.how_it_works.notation import Section
from demo.letters import GREEK, MATH, SYMBOL, About, reletter

Role = Literal["read", "summary", "state", "carry", "context", "looks", "asks", "input", "source", "output"]
MOST = 8192  # numbers of a vector that is sent whole
ACCENT = re.compile(r"\\(overrightarrow|overleftarrow|tilde|hat|bar)\{(\\?[A-Za-z]+)\}")
ARROWS = {"overrightarrow": "\u2192", "overleftarrow": "\u2190"}  # before a letter: few fonts can set them above it
ACCENTS = {"tilde": "\u0303", "hat": "\u0302", "bar": "\u0304"}
SIGNS: Mapping[str, str] = {**GREEK, r"\beta": "β", r"\rho": "ρ", r"\delta": "δ"}
NUMBER = re.compile(r"-?\d+\.\d+")
BRACKET = re.compile(r"\[([^\[\]]*)\]")


@dataclass(frozen=True, slots=True)
class Moment:
    """What the letters are about: a step of the decoder, counted from 0, or a word that the encoder reads."""

    step: int
    position: int  # of the source: j
    reading: bool = False


@dataclass(frozen=True, slots=True)
class Lives:
    """A place in the drawing. `at`: a position or a step, counted in tokens; None: wherever there is one."""

    role: Role
    at: int | None = None


# -- where ----------------------------------------------------------------------------------------------------------------

OF_THE_SCORE: Mapping[str, Role] = {"U": "asks", "W": "read", "v": "looks", "q": "asks", "Q": "asks", "k": "read", "K": "read"}


def lives(name: str, low: str, about: About, moment: Moment) -> Lives | None:
    """The place of a letter of the lab, without its accent; None: nowhere in the drawing."""
    if moment.reading:
        return _while_reading(name, low, moment)
    if about == "output":
        return Lives("source") if name == "x" else Lives("state", _time(low, moment)) if name == "s" else Lives("output")
    if name == "h":
        return Lives("summary") if low == "T" else Lives("read", _place(low, moment))
    if name in ("\\alpha", "e"):
        return Lives("looks", _place(low.split(",")[-1] if "," in low else "j", moment))
    if name == "c":
        return Lives("context")
    if about in ("score", "additive") and name in OF_THE_SCORE:
        role = {"q": "asks", "o": "context"}.get(low, OF_THE_SCORE[name]) if name in "WU" and low else OF_THE_SCORE[name]
        return Lives(role, _place(low.split(",")[0], moment) if name in "kK" else None)  # type: ignore[arg-type]
    if name in ("x", "E", "\\delta") and about in ("token", "state", "cell"):
        return Lives("input")
    if name == "W" and low == "s":
        return Lives("summary")
    if about == "cell" and name in "WU":
        return Lives("input" if name == "W" else "carry")
    if name == "s" or about == "cell":
        return Lives("state", _time(low, moment))
    return None


def _while_reading(name: str, low: str, moment: Moment) -> Lives | None:
    if name in ("x", "E", "\\delta"):
        return Lives("source", moment.position)
    if name == "h" and low == "T":
        return Lives("summary")
    if name in ("s", "m") and low == "0":
        return Lives("state", -1)
    return Lives("read", _place(low, moment))


def _place(low: str, moment: Moment) -> int | None:
    """A position from its index, which counts from 1; None: of all."""
    near = {"j": 0, "j-1": -1, "j+1": 1}
    if low in near or (moment.reading and not low.isdigit()):
        return moment.position + near.get(low, 0)
    return int(low) - 1 if low.isdigit() else None


def _time(low: str, moment: Moment) -> int:
    return int(low) - 1 if low.isdigit() else moment.step - (low == "t-1")


# -- how it is called -------------------------------------------------------------------------------------------------------


def said(latex: str) -> str:
    """A short formula as text, its indices as `formula` in the browser takes them: s_{t-1}."""
    text = ACCENT.sub(lambda found: ARROWS.get(found[1], "") + found[2] + ACCENTS.get(found[1], ""), latex)
    return re.sub(r"\\[,;! ]|(?<=_)\{(\w)\}", lambda found: found[1] or "", _signs(text))


def keys(latex: str) -> list[str]:
    """What the browser reads where a letter stands: its sign and all its indices, as they come; one of each letter in it."""
    found, end = list[str](), 0
    for match in SYMBOL.finditer(latex):
        if not match["name"] or match.start() < end:
            continue
        name = ACCENT.sub(r"\2", match["name"])
        low = (match["low"] or "").strip("{}")
        raised = (match["raised"] or match["late"] or "").strip("^{}")
        behind = BRACKET.match(latex, match.end())
        inside = behind[0] if behind and not (low or raised) else ""
        end = match.end() + len(inside)
        found.append("".join(_signs(part) for part in (name, low, raised, inside)).replace(" ", ""))
    return found


def _signs(latex: str) -> str:
    return re.sub(r"\\[A-Za-z]+", lambda found: SIGNS.get(found[0], found[0]), latex)


@dataclass(frozen=True, slots=True)
class Letter:
    """A letter as it is written, and where it lives."""

    text: str
    lives: Lives


def letters_of(section: Section, lettering: str, cell: str, moment: Moment) -> tuple[dict[str, Lives], list[Letter]]:
    """Of a section in the lab's letters: what the browser may find in its equations, and the letters in order, each once."""
    table: dict[str, Lives] = {}
    listed: dict[str, Letter] = {}
    for latex in (*section.latex, *MATH.findall(section.says)):
        for found in SYMBOL.finditer(latex):
            if not found["name"]:
                continue
            name, low = ACCENT.sub(r"\2", found["name"]), (found["low"] or "").strip("{}")
            where = lives(name, low, section.about, moment)
            if where is None:
                continue
            own = reletter(found.group(), lettering, section.about, cell)
            for key in keys(own):
                table.setdefault(key, where)
            if name not in ("W", "U", "b", "d", "E", "v", "w") and not own.startswith("\\exp"):
                listed.setdefault(said(own), Letter(said(own), where))
    return table, list(listed.values())


# -- vectors ----------------------------------------------------------------------------------------------------------------


def vectors_of(section: Section, lettering: str, cell: str, whole: Mapping[str, np.ndarray]) -> list[dict[str, Any]]:
    """The vectors that are printed in a section, under the names that its equations give them, with all their numbers."""
    found = []
    for line in section.latex:
        name, *values = line.split(" = ")
        for value in values:
            if value in whole and len(whole[value]) <= MOST:
                key = f"{','.join(NUMBER.findall(value))}|{len(whole[value])}"
                found.append({"name": said(reletter(name, lettering, section.about, cell)), "key": key} | packed(whole[value]))
    return found


def packed(values: np.ndarray) -> dict[str, Any]:
    """Thousandths, for no more is ever printed: whole numbers of two bytes each, or of four where one is beyond 32."""
    thousandths = np.rint(np.asarray(values, np.float64) * 1000)
    bits = 16 if np.abs(thousandths).max(initial=0) < 2**15 else 32
    return {"bits": bits, "values": base64.b64encode(thousandths.astype(f"<i{bits // 8}").tobytes()).decode()}


def offered(listed: Sequence[Letter], vectors: Collection[str], moment: Moment) -> list[Letter]:
    """Those worth a button: vectors, and of the others each sign at each place once, with its index, at the chosen position alone."""
    found: dict[tuple[str, Lives], Letter] = {}
    for letter in sorted(listed, key=lambda each: each.text not in vectors):
        sign, _, index = letter.text.partition("_")
        chosen = letter.lives.role not in ("read", "looks") or letter.lives.at == moment.position
        if letter.text in vectors or (chosen and (index or "[" in sign or sign in ("p", "x"))):
            found.setdefault((sign.split("[")[0], letter.lives), letter)
    return [letter for letter in listed if letter in found.values()]


def shown(sections: Sequence[Section], lettering: str, cell: str, moment: Moment, whole: Mapping[str, np.ndarray]) -> dict[str, Any]:
    """Everything the browser is given."""
    tables, listed, vectors = [], dict[str, Letter](), list[dict[str, Any]]()
    for section in sections:
        table, found = letters_of(section, lettering, cell, moment)
        tables.append({key: [where.role, where.at] for key, where in table.items()})
        listed |= {each.text: each for each in found if each.text not in listed}
        vectors += vectors_of(section, lettering, cell, whole)
    place = {each["name"]: i for i, each in reversed(list(enumerate(vectors)))}
    letters = [
        {"text": each.text, "lives": [each.lives.role, each.lives.at], "vector": place.get(each.text)}
        for each in offered(tuple(listed.values()), set(place), moment)
    ]
    return {"tables": tables, "letters": letters, "vectors": vectors}
