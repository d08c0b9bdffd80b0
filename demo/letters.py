"""The letters of the equations, as the lab writes them and as four lectures do: one table, and what rewrites LaTeX by it.

A lettering renames and moves indices; it changes no equation. Where a lecture's equation is another one, the table's note says so.
"""

# ruff: noqa: E501
from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

LAB = "lab"
AMRITA, MOPURI, EE5179, BEREYHI = "Amrita, Khurana", "Mopuri", "EE5179", "Bereyhi"
NAMES = (LAB, AMRITA, MOPURI, EE5179, BEREYHI)

About = Literal[
    "", "token", "state", "cell", "score", "additive", "output"
]  # what a section is about: a letter may mean another thing elsewhere
Index = Literal["t", "j", "either", "tj", "name"]  # a step of the decoder, a position of the source, one of them, both; or part of a name

INDICES: Mapping[str, Mapping[str, str]] = {  # how a lecture calls the lab's t, j and the number i of a head
    MOPURI: {"j": "i", "i": "n"},
    BEREYHI: {"t": r"\ell", "j": "t"},
}


@dataclass(frozen=True, slots=True)
class Row:
    """One thing, and how it is called. In a name <t> and <j> stand for indices, <s> for a raised layer or head, <n> for the rest of a name.

    `names` holds those of the lectures that call it otherwise.
    """

    means: str
    letter: str = ""  # the lab's; empty: a row that is a note alone
    index: Index = "t"
    names: Mapping[str, str] = field(default_factory=dict)
    note: str = ""  # Markdown
    about: tuple[About, ...] = ()  # empty: wherever it stands
    cell: str = ""  # empty: any
    last: str = ""  # an index that the row is for alone


ARROWS = (r"\overrightarrow{h}", r"\overleftarrow{h}")
WHOLE = ("b_y", "W_y")  # whose index is a part of the name
TABLE: tuple[Row, ...] = (
    Row(
        "attention weight", r"\alpha", "tj",
        {AMRITA: r"\alpha<s>_{<j>,<t>}", MOPURI: "a<s>_{<t>,<j>}", EE5179: r"\alpha<s>_{<j>,<t>}", BEREYHI: r"\alpha<s>_{<j>}[<t>]"},
        "Which index comes first differs; Bereyhi's $t$ is the source's, his $\\ell$ the output's.",
    ),
    Row(
        "score", "e", "tj",
        {AMRITA: "e<s>_{<j>,<t>}", EE5179: "e<s>_{<j>,<t>}", MOPURI: "e<s>_{<t>,<j>}", BEREYHI: r"\xi<s>_{<j>}[<t>]"},
    ),
    Row("which state asks", note="The lectures score with the state before the word, $s_{t-1}$; the lab's models with $s_t$, but for those with the context in the cell."),
    Row("where the context goes", note="Into the cell, $s_t = \\mathrm{RNN}(s_{t-1}, [x_t; c_t])$, for Amrita, Mopuri and EE5179; beside the state into the output, as in most models here, for Bereyhi, who names two other ways: straight into the output layer, and as the new state."),
    Row("weights of a cell: of what comes in", "W", "name", {AMRITA: "U<n>"}, "W and U change places.", about=("cell",)),
    Row("weights of a cell: of the old state", "U", "name", {AMRITA: "W<n>"}, about=("cell",)),
    Row("weights of the score: of the decoder's state", "U", "name", {AMRITA: r"U_{\mathrm{att}}", EE5179: r"U_{\mathrm{att}}", MOPURI: "W_{1,s}"}, "Mopuri writes one matrix $W_1$ for both: $W_1 [h; s]$.", about=("additive",)),
    Row("weights of the score: of the encoder's state", "W", "name", {AMRITA: r"W_{\mathrm{att}}", EE5179: r"W_{\mathrm{att}}", MOPURI: "W_{1,h}"}, about=("additive",)),
    Row("weights of the score: of their sum", "v", "name", {AMRITA: r"V_{\mathrm{att}}", EE5179: r"V_{\mathrm{att}}", MOPURI: "w_2"}, about=("additive",)),
    Row("GRU: what is kept", "z", "either", {AMRITA: "i<s>_{<t>}"}, "The lectures' GRU resets before the product, $W(o_t \\odot s_{t-1})$, this one after it.", cell="gru"),
    Row("GRU: what is reset", "r", "either", {AMRITA: "o<s>_{<t>}"}, cell="gru"),
    Row("GRU: candidate", "n", "either", {AMRITA: r"\tilde{s}<s>_{<t>}"}, cell="gru"),
    Row("LSTM: candidate", "g", "either", {AMRITA: r"\tilde{s}<s>_{<t>}"}, "The lectures write $\\sigma$ for every function in a cell; candidate and output have $\\tanh$.", cell="lstm"),
    Row("LSTM: cell vector", "m", "either", {AMRITA: "s<s>_{<t>}", BEREYHI: "m<s>[<t>]"}, cell="lstm"),
    Row("LSTM: output", "s", "t", {AMRITA: "h<s>_{<t>}", EE5179: "h<s>_{<t>}", BEREYHI: "s<s>[<t>]"}, cell="lstm"),
    Row("state of the decoder", "s", "t", {EE5179: "h<s>_{<t>}", BEREYHI: "s<s>[<t>]"}, "Where $h$ decodes and $s$ or $c$ encodes (EE5179, and Mopuri after Voita) the letters are exchanged. $s_0 = h_T$ in the lectures; here a dense layer stands between."),
    Row("the whole source in one vector", "h", "j", {MOPURI: "C", BEREYHI: "h[T]"}, last="T"),
    Row("state of the encoder", "h", "j", {MOPURI: "h<s>_{<j>}", EE5179: "c<s>_{<j>}", BEREYHI: "h<s>[<j>]"}),
    Row("context", "c", "t", {BEREYHI: "a<s>[<t>]"}, "Bereyhi's attention feature; Mopuri's capital $C$ is $h_T$; EE5179's $c$ is a state of the encoder with a source's index, the context with an output's."),
    Row("what comes in: the embedding of the last word", "x", "t", {AMRITA: r"e(\hat{y}_{<t-1>})", MOPURI: "y_{<t-1>}", EE5179: r"e(\hat{y}_{<t-1>})", BEREYHI: "y[<t-1>]"}, "In a language model the lectures write $x_t$ for the one-hot vector of the word.", about=("token", "state", "cell")),
    Row("keys", "k", "j", {BEREYHI: "k<s>[<j>]"}, "Bereyhi's score is $k^\\top q$, not divided by $\\sqrt{d}$; his $\\sigma$ is $\\tanh$ here.", about=("score",)),
    Row("queries", "q", "t", {BEREYHI: "q<s>[<t>]"}, about=("score",)),
    Row("weights of the output", "E", "name", {AMRITA: "V", EE5179: "V", BEREYHI: r"W_{\mathrm{out}}"}, "The matrix $V$ is not the vocabulary $V$. Between state and output the lab has a readout $\\rho_t$; Bereyhi adds $W_{\\mathrm{att}} a$ instead.", about=("output",)),
    Row("weights of the output, where they are its own", "W_y", "name", {AMRITA: "V", EE5179: "V", BEREYHI: r"W_{\mathrm{out}}"}, about=("output",)),
    Row("bias of the output", "b_y", "name", {AMRITA: "c"}, about=("output",)),
    Row("logits", r"\ell", "t", {BEREYHI: "o<s>[<t>]"}, about=("output",)),
    Row("Option 1 and Option 2", note="none and every-step: the one vector at the beginning, or at every step."),
    Row("signs", note="Start and end: `<s>` and `</s>`; `<GO>` and `<stop>` (Amrita, Khurana), `<sos>` and `<eos>` (Mopuri), `<START>` and `<EOS>` (Bereyhi)."),
    Row("size of the vocabulary", note="$D$ words and 2 signs, so one-hot vectors of $D + 2$ (Bereyhi); here 4 signs."),
    Row("loss", note="The lectures add up over the steps, $\\sum_t$; the lab takes their mean, $\\frac{1}{m} \\sum_t$. Bereyhi writes $\\hat{R}$, for $L$ is his length."),
    Row("score of an output", note="$\\frac{1}{L} \\sum \\log p$ (Bereyhi); here divided by length to the power that is set, 1 for the same."),
    Row("six parts", note="The lectures' six jars."),
)  # fmt: skip
SIGNS: Mapping[str, tuple[str, str]] = {AMRITA: ("<GO>", "<stop>"), MOPURI: ("<sos>", "<eos>"), BEREYHI: ("<START>", "<EOS>")}
SLIPS: Mapping[str, str] = {
    AMRITA: "A slip in the slides: $U_{\\mathrm{att}}$ and $W_{\\mathrm{att}}$ change places between the definition of the score and the model.",
    EE5179: (
        "Two slips in the slides: $U_{\\mathrm{att}}$ and $W_{\\mathrm{att}}$ change places between definition and model, and the model scores "
        "with $s_t$, which needs $c_t$ to be computed, which needs the scores."
    ),
    BEREYHI: "A slip in the slides: the gradient of the encoder prints $\\nabla_{h[t-1]} q[t]$ where the key $k[t]$ is meant.",
}
GATES: Mapping[str, str] = {"z": "i", "r": "o", "n": "", "g": ""}  # Amrita's names of a cell's gates, below W, U and b

PICTURED: Mapping[str, tuple[str, About]] = {
    "h": ("h_j", ""), "s": ("s_t", ""), "c": ("c_t", ""), "k": ("k_j", "score"), "q": ("q_t", "score"), "x": ("x_j", ""),
    "e": ("e_{tj}", ""), "\u03b1": (r"\alpha_{tj}", ""), "\u2113": (r"\ell_t", "output"),
}  # fmt: skip
GREEK: Mapping[str, str] = {r"\alpha": "\u03b1", r"\xi": "\u03be", r"\ell": "\u2113"}

NAME = r"\\(?:overrightarrow|overleftarrow|tilde|hat|bar)\{(?:\\?[A-Za-z]+)\}|\\(?:alpha|beta|rho|ell|delta)(?![A-Za-z])|[A-Za-z]"
COMMAND = r"\\(?!(?:overrightarrow|overleftarrow|tilde|hat|bar)\{|(?:alpha|beta|rho|ell|delta)(?![A-Za-z]))[A-Za-z]+"
SYMBOL = re.compile(
    r"(?P<sum>\\sum_)(?P<of>[a-z])|(?P<skip>\\(?:mathrm|mathbb|text)\{[^{}]*\}|" + COMMAND + ")"
    rf"|(?P<name>{NAME})(?P<raised>\^\{{\([^()]*\)\}})?(?:_(?P<low>\{{[^{{}}]*\}}|[A-Za-z0-9]))?(?P<late>\^\{{\([^()]*\)\}})?"
)
MATH = re.compile(r"(?<!\\)\$((?:\\.|[^$\\])+)\$")  # what a person typed has its signs escaped
ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")
TIMES = re.compile(r"<?t|t-1|\d+|T")
PLACES = re.compile(r"j|j-1|j\+1|k|\d+|T")
EITHER = re.compile(f"{TIMES.pattern}|{PLACES.pattern}")


def reletter(latex: str, lettering: str, about: About = "", cell: str = "") -> str:
    """An equation of the lab, in a lecture's letters. `cell`: of the model whose equation it is."""
    if lettering == LAB:
        return latex

    def renamed(found: re.Match[str]) -> str:
        if found["sum"]:
            return f"{found['sum']}{_index(found['of'], lettering)}"
        return found.group() if found["skip"] else _renamed(found, lettering, about, cell)

    return SYMBOL.sub(renamed, latex)


def reletter_text(markdown: str, lettering: str, about: About = "", cell: str = "") -> str:
    """The same for the formulas in a sentence."""
    return MATH.sub(lambda found: f"${reletter(found[1], lettering, about, cell)}$", markdown)


def pieces(markdown: str) -> list[str]:
    """A sentence's text, as it is read, and its formulas, in turn."""
    return [piece if place % 2 else ESCAPED.sub(r"\1", piece) for place, piece in enumerate(MATH.split(markdown))]


def shown(row: Row, lettering: str) -> str:
    """A row's letter in general, as Markdown; empty for a row that is a note alone."""
    if not row.letter:
        return ""
    low = {"t": "_t", "j": "_j", "either": "_t", "tj": "_{tj}", "name": ""}[row.index] if not row.last else f"_{row.last}"
    letter = row.letter if row.letter in WHOLE else row.letter + low
    return f"${reletter(letter, lettering, row.about[0] if row.about else '', row.cell)}$"


def states(lettering: str) -> tuple[str, ...]:
    """The letters of the encoder's state, the decoder's, and the context, as a drawing writes them before a number."""
    return tuple(signs(lettering)[name] for name in "hsc")


def signs(lettering: str) -> dict[str, str]:
    """The letters that pictures write before a number, by the lab's."""
    return {sign: _sign(reletter(name, lettering, about)) for sign, (name, about) in PICTURED.items()}


def _sign(latex: str) -> str:
    """A letter without its indices, as text."""
    letter = re.split(r"[_\[]", latex)[0]
    return GREEK.get(letter, letter)


def index(name: str, lettering: str) -> str:
    """An index by itself, as a table writes it above a column."""
    latex = _index(name, lettering)
    return GREEK.get(latex, latex)


def start_sign(lettering: str) -> str:
    return SIGNS.get(lettering, ("<s>", "</s>"))[0]


def end_sign(lettering: str) -> str:
    return SIGNS.get(lettering, ("<s>", "</s>"))[1]


def _renamed(found: re.Match[str], lettering: str, about: About, cell: str) -> str:
    letter, low = found["name"], (found["low"] or "").strip("{}")
    raised = found["raised"] or found["late"] or ""
    row = next((row for row in TABLE if row.letter and lettering in row.names and _is(row, letter, low, about, cell)), None)
    indices = _indices(low)
    if row is None and letter in ("t", "j") and not low:  # an index by itself
        return _index(letter, lettering)
    if row is None:
        if letter in ARROWS and lettering in (EE5179, BEREYHI):  # a direction of the encoder's state
            letter = letter.replace("{h}", "{c}") if lettering == EE5179 else letter
        if letter in "WUbd" and about == "cell" and lettering == AMRITA and low in GATES:
            low = GATES[low]
        shown = ",".join(_index(one, lettering) for one in indices) if indices else low
        return letter + _index(raised, lettering, raised=True) + (f"_{{{shown}}}" if shown else "")
    time = indices[0] if row.index in ("t", "tj", "either") else ""
    place = (indices[-1] if indices else "j") if row.index in ("j", "tj") else ""
    name = row.names[lettering].replace("<s>", _index(raised, lettering, raised=True))
    name = name.replace("<t-1>", _index(_before(time), lettering)).replace("<t>", _index(time, lettering))
    if len(indices) > 1 and row.index in ("t", "j"):  # of a head: k_{j,2}
        place = indices[0] if row.index == "j" else ""
        name = name.replace("]", f",{_index(indices[1], lettering)}]")
    name = name.replace("<j>", _index(place, lettering))
    if row.index != "name":
        return name if indices or not low else f"{name}_{{{low}}}"
    if letter in "WU" and about == "cell":
        low = GATES.get(low, low)
    return name.replace("<n>", f"_{{{low}}}" if low else "")


def _is(row: Row, letter: str, low: str, about: About, cell: str) -> bool:
    whole = f"{letter}_{low}" if row.letter in WHOLE else letter
    if whole != row.letter or (row.about and about not in row.about) or (row.cell and cell != row.cell):
        return False
    if row.last:
        return low == row.last
    if row.index == "name":
        return row.letter in WHOLE or about != "additive" or low == ""
    kinds = {"t": (TIMES,), "j": (PLACES,), "either": (EITHER,), "tj": (TIMES, PLACES)}[row.index]
    indices = _indices(low)
    return bool(indices) and all(kind.fullmatch(one) for kind, one in zip(kinds, indices, strict=False)) and len(indices) >= len(kinds)


def _indices(low: str) -> list[str]:
    """The indices below a letter; none where the rest of a name stands there."""
    parts = ["t", "j"] if low == "tj" else low.split(",")
    return parts if low and all(TIMES.fullmatch(one) or PLACES.fullmatch(one) or one in ("i", "y") for one in parts) else []


def _before(time: str) -> str:
    return {"t": "t-1"}.get(time, str(int(time) - 1) if time.isdigit() else time)


def _index(index: str, lettering: str, *, raised: bool = False) -> str:
    """An index, or a raised (i), by the lecture's name."""
    own = INDICES.get(lettering, {})
    if raised:
        return index.replace("(i)", f"({own.get('i', 'i')})")
    below, first, sign, rest = re.fullmatch(r"(<?)([A-Za-z]?)([-+]?)(.*)", index).groups()  # type: ignore[union-attr]
    return below + own.get(first, first) + sign + rest
