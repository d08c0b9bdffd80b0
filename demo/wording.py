"""How a text, a token, a number and a list are written, the same on every page."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

CELLS = {"photo": "cell", "recording": "stretch", "clip": "frame"}  # a position of what is read, by its name; of a text it is a word
END = "</s>"  # the token at which an output stops
SPECIAL = re.compile(r"([!-/:-@\[-`{-~])")
MARKS = {"\n": "↵", "\t": "⇥"}
WIRINGS = {  # where a context goes, as a model's configuration calls it
    "output": "into the output",
    "straight": "straight into the output",
    "input": "into the cell",
    "state": "as the new state",
}
SUPERSCRIPT = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


# -- texts of people and models -----------------------------------------------------------------------------------------------


def plain(text: str) -> str:
    """As Markdown that shows exactly this: every sign that could be taken for markup is escaped; a line stays one line."""
    shown = "".join(MARKS.get(sign, sign) for sign in text.replace("\r\n", "\n"))
    return SPECIAL.sub(r"\\\1", shown)


def quote(text: str) -> str:
    """In quotation marks, where text is text."""
    return f"“{text.strip() or text}”"


def quoted(text: str) -> str:
    """In quotation marks, as Markdown."""
    return f"“{plain(text.strip() or text)}”"


def closed(sentence: str) -> str:
    """With its full stop, unless what it quotes last has one."""
    return sentence if sentence.endswith((".”", "?”", "!”")) else f"{sentence}."


def shortened(text: str, longest: int = 30) -> str:
    """Whole words of the beginning."""
    return text if len(text) <= longest else text[: longest - 2].rsplit(" ", 1)[0] + " …"


def plural(noun: str) -> str:
    return f"{noun}es" if noun.endswith("ch") else f"{noun}s"


def counted(count: int, noun: str) -> str:
    return f"{count} {noun if count == 1 else plural(noun)}"


def listed(items: Sequence[str]) -> str:
    """As a sentence lists things."""
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} and {items[-1]}"


# -- tokens -------------------------------------------------------------------------------------------------------------------


def visible(text: str) -> str:
    """A space can be seen."""
    return text.strip() or "␣"


def token(text: str) -> str:
    """A token by itself, in a table or a tree."""
    return "end" if text == END else visible(text)


def piece(text: str) -> str:
    """The same; one that goes on inside a word shows that it does."""
    return f"·{token(text)}" if text != END and text[:1].isalpha() else token(text)


def called(text: str, end: str = "the end") -> str:
    """A token in a sentence."""
    return end if text == END else quote(text)


# -- numbers ------------------------------------------------------------------------------------------------------------------


def minus(number: str) -> str:
    """With a true minus sign."""
    return number.replace("-", "−")


def signed(number: float, digits: int = 2) -> str:
    """So many decimals; nothing below 0 rounds to a bare 0 with a sign."""
    written = f"{number:.{digits}f}"
    return minus(written if float(written) else written.lstrip("-"))


def score_rule(penalty: float, *, listed: bool = False) -> str:
    """What outputs are ranked by. `listed`: where a list of words has a say too."""
    what = "log-probability and the list’s say" if listed else "log-probability"
    if not penalty:
        return f"the {what}"
    return f"({what}) / length ^ {penalty:g}" if listed else f"{what} / length ^ {penalty:g}"


def change(number: float, digits: int = 1) -> str:
    """A difference: with its sign, whichever it is; what rounds to 0 has none."""
    written = f"{number:+.{digits}f}"
    return minus(written if float(written) else written.lstrip("+-"))


def chance(p: float) -> str:
    """A probability in at most two figures that count: 0.23, 0.0045, 3·10⁻⁷."""
    if p >= 0.0995:
        return f"{p:.2f}"
    if p >= 0.000095:
        return f"{p:.{1 - math.floor(math.log10(p * 1.0501))}f}"
    if p <= 0:
        return "0"
    power = math.floor(math.log10(p * 1.0501))
    return f"{p / 10**power:.0f}·10⁻{str(-power).translate(SUPERSCRIPT)}"


def told_apart(values: Sequence[float], texts: Sequence[str]) -> list[str]:
    """Probabilities in a list, best first, as `texts` tells them; near ties with as many digits, up to four, as tell neighbours apart."""
    told = list(texts)
    for digits in (3, 4):
        tied = {
            place
            for i in range(len(told) - 1)
            if told[i] == told[i + 1] and abs(values[i] - values[i + 1]) >= 5e-5
            for place in (i, i + 1)
            if values[place] >= 0.005
        }
        told = [f"{value:.{digits}f}" if i in tied else text for i, (value, text) in enumerate(zip(values, told, strict=True))]
    return told
