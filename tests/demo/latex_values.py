"""What an equation of the lab comes to: a small reader of its LaTeX, with values for the letters."""

from __future__ import annotations

import re
from collections.abc import Mapping

import numpy as np

Values = dict[str, np.ndarray]
SPACE = re.compile(r"(?:\s|\\[,; ]|\\quad)+")


def evaluate(latex: str, values: Mapping[str, np.ndarray]) -> np.ndarray:
    """Sums of products; a product is a matrix with a vector, two vectors with a dot under transposition, or entry by entry."""
    reader = _Reader(latex, {_bare(name): value for name, value in values.items()})
    found = reader.sum()
    assert reader.at == len(reader.text), f"{latex}: {reader.text[reader.at :]!r} is left"
    return found


def _bare(latex: str) -> str:
    """A name without the braces around single signs, so that s_t is s_{t}."""
    return re.sub(r"_\{([A-Za-z0-9])\}", r"_\1", SPACE.sub("", latex))


class _Reader:
    def __init__(self, latex: str, values: Mapping[str, np.ndarray]) -> None:
        self.text = _bare(latex)
        self.values = dict(sorted(values.items(), key=lambda pair: -len(pair[0])))
        self.at = 0

    def takes(self, *signs: str) -> str:
        found = next((sign for sign in signs if self.text.startswith(sign, self.at)), "")
        self.at += len(found)
        return found

    def sum(self) -> np.ndarray:
        found = self.product()
        while sign := self.takes("+", "-"):
            found = found + self.product() if sign == "+" else found - self.product()
        return found

    def product(self) -> np.ndarray:
        """Juxtaposed factors from the right: W x, v^T tanh(..); and a (.) b."""
        factors = [self.factor()]
        while self.at < len(self.text) and not self.text.startswith(("+", "-", ")", "]", ";", "}"), self.at):
            if self.takes(r"\odot"):
                rest = self.product()
                return _joined(factors) * rest
            factors.append(self.factor())
        return _joined(factors)

    def factor(self) -> np.ndarray:
        if function := self.takes(r"\tanh(", r"\sigma("):
            inside = self.sum()
            assert self.takes(")")
            return np.tanh(inside) if "tanh" in function else 1 / (1 + np.exp(-inside))
        if self.takes(r"\frac{"):
            above = self.sum()
            assert self.takes("}{")
            below = self.root()
            assert self.takes("}")
            return above / below
        if self.takes("("):
            inside = self.sum()
            assert self.takes(")")
            return inside
        name = next((name for name in self.values if self.text.startswith(name, self.at)), None)
        if name is not None:
            self.at += len(name)
            value = self.values[name]
            return (value.T if value.ndim == 2 else value[None]) if self.takes(r"^\top") else value
        if self.takes("["):
            parts = [self.sum()]
            while self.takes(";"):
                parts.append(self.sum())
            assert self.takes("]")
            return np.concatenate(parts)
        number = re.compile(r"\d+(\.\d+)?").match(self.text, self.at)
        assert number, f"{self.text}: nobody is called {self.text[self.at :][:20]!r}; known are {list(self.values)}"
        self.at = number.end()
        return np.array(float(number[0]))

    def root(self) -> float:
        assert self.takes(r"\sqrt{")
        number = re.compile(r"\d+").match(self.text, self.at)
        assert number
        self.at = number.end() + 1
        return float(np.sqrt(float(number[0])))


def _joined(factors: list[np.ndarray]) -> np.ndarray:
    """A product from the right."""
    found = factors[-1]
    for factor in reversed(factors[:-1]):
        found = factor @ found if factor.ndim and found.ndim else factor * found
    return found
