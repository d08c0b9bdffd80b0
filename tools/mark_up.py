"""Makes pages with markup out of plain novels, for a language model of characters: one page a line.

python tools/mark_up.py NOVELS OUT.txt: headings, bold and linked names, quotations, references and categories, in the manner of a wiki.
The words are those of the books; which name heads a page, what is linked and where it ends is decided here, and is the same every time.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from seq2seq_core.training.readers import read_prose

LONGEST = 260  # characters of a page before its markup: with it, a page fits what a model may say at once
_NAME = re.compile(r"(?<=[a-z,;] )[A-Z][a-z]{2,}(?: (?:of |the )?[A-Z][a-z]{2,})*")
_SPEECH = re.compile(r"[\"“]([^\"“”{}]{3,120})[\"”]")


@dataclass(frozen=True, slots=True)
class Book:
    author: str
    year: str
    sentences: tuple[str, ...]
    names: Counter[str]

    @classmethod
    def read(cls, path: Path) -> Book:
        """The file's name says who and when: Author_Title_Year.txt."""
        author, _, year = path.stem.split("_")
        sentences = tuple(_plain(sentence) for sentence in read_prose(path))
        names = Counter(name for sentence in sentences for name in _NAME.findall(sentence))
        return cls(author, year, sentences, Counter({name: count for name, count in names.items() if count >= 4}))

    def pages(self) -> Iterator[str]:
        """Sentences in their order, as many as fit a page. One without a name is joined to none."""
        page: list[str] = []
        for sentence in (*self.sentences, ""):
            if page and (not sentence or sum(map(len, page)) + len(sentence) > LONGEST):
                marked = self.page(page)
                if marked:
                    yield marked
                page = []
            if len(sentence) <= LONGEST:
                page.append(sentence)

    def page(self, sentences: Sequence[str]) -> str | None:
        text = " ".join(sentences)
        here = [name for name in dict.fromkeys(_NAME.findall(text)) if name in self.names]
        if not here:
            return None
        title = max(here, key=lambda name: (self.names[name], name))
        text = _SPEECH.sub(lambda match: f"{{{{quote|{match[1]}}}}}", text)
        for name in sorted(here, key=len, reverse=True):
            marked = f"'''{name}'''" if name == title else f"[[{self._linked(name)}]]"
            text = re.sub(rf"(?<![\[|'\w]){re.escape(name)}(?![\w\]|'])", lambda _, marked=marked: marked, text, count=1)
        return f"== {title} == {text}<ref>{self.author}, {self.year}</ref> [[Category:{self.author}]]"

    def _linked(self, name: str) -> str:
        """A name that is the end of a longer one of the book is linked to that: [[John Silver|Silver]]."""
        longer = [other for other in self.names if other.endswith(f" {name}")]
        return f"{max(longer, key=lambda other: (self.names[other], other))}|{name}" if longer else name


def _plain(sentence: str) -> str:
    return re.sub(r"[\[\]{}<>|=_*]", "", sentence).replace("“", '"').replace("”", '"').replace("’", "'").replace("‘", "'")


def main(folder: Path, out: Path) -> None:
    pages = [page for path in sorted(folder.glob("*.txt")) for page in Book.read(path).pages()]
    out.write_text("".join(f"{page}\n" for page in pages), encoding="utf-8")
    print(f"{len(pages)} pages, {sum(map(len, pages)) / 1e6:.1f} million characters, the longest {max(map(len, pages))}")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
