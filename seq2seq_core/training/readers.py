"""Readers for sentence pairs, lexicons, captions and plain lines, and the batches that training and evaluation take."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import unescape
from pathlib import Path

import torch
from torch import Tensor

from seq2seq_core.errors import InputError
from seq2seq_core.inputs.tokenizer import BOS, EOS, PAD
from seq2seq_core.tasks import Task
from seq2seq_core.training.careless import together

_ABBREVIATION = "(?<!Mr.)(?<!Dr.)(?<!St.)(?<!Mrs.)"
_SENTENCE_END = re.compile(rf"""(?:(?<=[.!?]){_ABBREVIATION}|(?<=[.!?]["'”’]))\s+(?=["'“‘A-Z])""")
Prompted = tuple[str, str, str]  # source, output, and what the decoder is given before it says that
Pair = tuple[str, str] | Prompted
CAPTION_HEADER = ["split", "image", "idx", "caption"]
QUESTION_HEADER = ["image", "question", "answer", "kind", "answers"]
FILE_HEADERS = {"sound": "file\ttext", "clip": "clip\tclass"}  # that a table of such files may have
NO_FACT = -1


@dataclass(frozen=True, slots=True)
class Example:
    """One training pair as ids, without BOS and EOS; the source is empty for images and language models."""

    source: tuple[int, ...]
    target: tuple[int, ...]
    given: int = 0  # so many of the first target ids are a prompt
    facts: tuple[int, ...] = ()  # the sentences of the source that tell the answer, from 0, as one leads to the next
    size: int = 0  # positions of a source that is no text
    open: bool = False  # what follows the target is not known: no end sign is asked for


@dataclass(frozen=True, slots=True)
class Batch:
    """Padded tensors. Text: source [B, S] ids; images: source [B, S, C] grid features; no source: [B, 0] ids.

    There may be several targets to a source: then those of the first source come first, and there are as many to each.
    """

    source: Tensor
    lengths: Tensor  # [B] real source positions
    target_in: Tensor  # [B, T] begins with BOS
    target_out: Tensor  # [B, T] ends with EOS
    given: Tensor | None = None  # [B] how many of the first targets were given as a prompt; None: no prompts
    facts: Tensor | None = None  # [B, F] the sentences of a story that tell the answer, then NO_FACT; None: they are not known


def read_lines(path: str | Path) -> list[str]:
    """The lines of a UTF-8 text file, blank ones included, without their line ends; a byte-order mark is dropped."""
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise InputError(f"{path} cannot be read ({error.strerror}); check the path.") from error
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        found = f"byte 0x{data[error.start]:02X}"
        raise InputError(f"{path}, line {line}: {found} is not UTF-8; save the file as UTF-8.") from error
    # Only "\n" ends a line: str.splitlines would also split at signs that occur inside sentences.
    lines = [line.removesuffix("\r") for line in text.split("\n")]
    return lines[:-1] if lines[-1] == "" else lines


def _fields(path: str | Path, names: Sequence[str], skip: int = 0, more: bool = False) -> Iterator[tuple[int, list[str]]]:
    """Line number and fields of every line that is not blank; a missing or empty field is an error, and an extra one without `more`."""
    for number, line in enumerate(read_lines(path)[skip:], skip + 1):
        if not line.strip():
            continue
        values = [value.strip() for value in line.split("\t")]
        if len(values) < len(names) or (len(values) > len(names) and not more):
            layout = " TAB ".join(names)
            wanted = f", at least {len(names)} are needed: {layout}." if more else f" instead of {len(names)}; a line must be {layout}."
            raise InputError(f"{path}, line {number}: found {len(values)} field(s){wanted}")
        for name, value in zip(names, values, strict=False):
            if not value:
                raise InputError(f"{path}, line {number}: the {name} is empty; fill it in or delete the line.")
        yield number, values


def _whole(path: str | Path, number: int, name: str, value: str, smallest: int) -> int:
    if not (value.isascii() and value.isdigit() and len(value) <= 18 and int(value) >= smallest):
        raise InputError(f"{path}, line {number}: the {name} is {value!r}; it must be a whole number from {smallest}.")
    return int(value)


def read_pairs(path: str | Path) -> list[tuple[str, str]]:
    """Pairs from lines `source TAB target`."""
    return [(source, target) for _, (source, target) in _fields(path, ["source", "target"])]


def read_prose(path: str | Path, longest: int = 60) -> list[str]:
    """The sentences of a book: paragraphs, cut after . ! ? and closing quotes; one of over `longest` words is left out."""
    paragraphs = " ".join(line.strip() or "\n" for line in read_lines(path)).split("\n")
    cut = (sentence.strip() for paragraph in paragraphs for sentence in _SENTENCE_END.split(" ".join(paragraph.split())))
    return [sentence for sentence in cut if 1 < len(sentence.split()) <= longest]


def held_out(text: str) -> bool:
    """Whether a sentence or name is in the tenth that is not trained on: its hash decides, so it is the same everywhere."""
    return hashlib.sha256(text.encode()).digest()[0] % 10 == 0


def read_parallel(source_path: str | Path, target_path: str | Path) -> list[tuple[str, str]]:
    """Pairs from two files of which line n translates line n. Signs that were written as on a web page, "&amp;", are themselves again."""
    sources, targets = read_lines(source_path), read_lines(target_path)
    if len(sources) != len(targets):
        counts = f"{source_path} has {len(sources)} lines and {target_path} has {len(targets)}"
        raise InputError(f"{counts}; line n of one must translate line n of the other.")
    pairs = []
    for number, (source, target) in enumerate(zip(sources, targets, strict=True), 1):
        source, target = unescape(source).strip(), unescape(target).strip()
        if not source or not target:
            path = target_path if source else source_path
            raise InputError(f"{path}, line {number}: the line is empty; fill it in or delete it from both files.")
        pairs.append((source, target))
    return pairs


def read_lexicon(path: str | Path) -> list[tuple[str, str, int]]:
    """(romanisation, native word, annotators) from lines `native TAB romanisation TAB annotators`."""
    rows = []
    for number, (native, roman, count) in _fields(path, ["native word", "romanisation", "number of annotators"]):
        rows.append((roman, native, _whole(path, number, "number of annotators", count, 1)))
    return rows


def read_captions(path: str | Path, split: str | None = None) -> dict[str, list[str]]:
    """Captions of each image, in the order of `idx`; `split` None takes all splits."""
    header = read_lines(path)[:1]
    if not header or header[0].split("\t") != CAPTION_HEADER:
        raise InputError(f"{path}, line 1: the header must be {' TAB '.join(CAPTION_HEADER)}.")
    found: dict[str, list[tuple[int, str]]] = {}
    splits: set[str] = set()
    for number, (name, image, index, caption) in _fields(path, CAPTION_HEADER, skip=1):
        place = _whole(path, number, "idx", index, 0)
        splits.add(name)
        if split in (None, name):
            found.setdefault(image, []).append((place, caption))
    if not found:
        raise InputError(f"{path} has no captions for the split {split!r}; it has {', '.join(sorted(splits)) or 'none'}.")
    return {image: [caption for _, caption in sorted(rows)] for image, rows in found.items()}


@dataclass(frozen=True, slots=True)
class Row:
    """A line of data: what is given, what the decoder is given first, and all outputs that are right."""

    given: tuple[str, ...]
    prompt: str
    right: tuple[str, ...]
    kind: str = ""  # scores are told by kind too, where there are kinds
    facts: tuple[int, ...] = ()  # the sentences of what is given that tell the output, from 0


def read_rows(path: str | Path, task: Task) -> list[Row]:
    """The lines of a file as the task has them: what is read, the prompt if there is one, then the right outputs, with tabs between.

    A task with one right output takes the first and leaves what follows to others. What people say is right is a table with a header;
    one of recordings or clips may have one.
    """
    if task.metric == "opinions":
        return read_questions(path)
    slots = [slot.name for slot in task.reads] + ([task.prompt.name] if task.prompt and task.reads else [])
    rows, count = [], len(task.reads)
    header = next((FILE_HEADERS[slot.kind] for slot in task.reads if slot.kind in FILE_HEADERS), None)
    for number, values in _fields(path, [*slots, "output"], int(read_lines(path)[:1] == [header]), more=True):
        right = values[len(slots) :] if task.several else values[len(slots) : len(slots) + 1]
        notes = dict(zip(task.notes, values[len(slots) + 1 :], strict=False))
        facts = tuple(_whole(path, number, "number of a sentence", one, 1) - 1 for one in notes.get("facts", "").split())
        rows.append(
            Row(tuple(values[:count]), "".join(values[count : len(slots)]), tuple(filter(None, right)), notes.get("kind", ""), facts)
        )
    return _together(rows) if task.several else rows


def read_prompted(path: str | Path) -> list[Prompted]:
    """(source, output, prompt) from lines `source TAB prompt TAB output`; what follows is left to others."""
    rows = _fields(path, ["source", "prompt", "output"], more=True)
    return [(source, output, prompt) for _, (source, prompt, output, *_) in rows]


def read_reasons(path: str | Path, why: str) -> list[Prompted]:
    """The same from lines that go on with reasons for their output: once for each reason, which follows it after the sign `why`."""
    rows = _fields(path, ["source", "prompt", "output", "reason"], more=True)
    return [
        (source, f"{output}{why} {together(each)}", prompt)
        for _, (source, prompt, output, *reasons) in rows
        for each in filter(None, reasons)
    ]


def read_questions(path: str | Path) -> list[Row]:
    """Questions about photos. What is right is what each person said: an answer of seven stands there seven times, most said first."""
    header = read_lines(path)[:1]
    if not header or header[0].split("\t") != QUESTION_HEADER:
        raise InputError(f"{path}, line 1: the header must be {' TAB '.join(QUESTION_HEADER)}.")
    rows = []
    for number, (photo, question, _, kind, answers) in _fields(path, QUESTION_HEADER, skip=1):
        said = [answer.rpartition("=") for answer in answers.split("|")]
        votes = {answer: _whole(path, number, "number of people", people, 1) for answer, _, people in said}
        if "" in votes:
            raise InputError(f"{path}, line {number}: the answers are {answers!r}; they must be answer=people|answer=people...")
        ranked = sorted(votes, key=lambda answer: -votes[answer])
        rows.append(Row((photo,), question, tuple(answer for answer in ranked for _ in range(votes[answer])), kind))
    return rows


def rows_of(pairs: Sequence[Pair], task: Task) -> list[Row]:
    """What a recipe reads as rows of a task."""
    rows = [Row((source,) if task.reads else (), "".join(prompt), (target,)) for source, target, *prompt in pairs]
    return _together(rows) if task.several else rows


def _together(rows: Sequence[Row]) -> list[Row]:
    """One row for each source, with all its right outputs."""
    found: dict[tuple[tuple[str, ...], str], list[str]] = {}
    for row in rows:
        found.setdefault((row.given, row.prompt), []).extend(row.right)
    return [Row(given, prompt, tuple(right)) for (given, prompt), right in found.items()]


def pad_ids(rows: Sequence[Sequence[int]]) -> Tensor:
    width = max(map(len, rows), default=0)
    return torch.tensor([[*row, *[PAD] * (width - len(row))] for row in rows], dtype=torch.long).reshape(len(rows), width)


def collate(examples: Sequence[Example]) -> Batch:
    """Pad a list of text examples; with empty sources (a language model) the source is [B, 0]."""
    return Batch(
        source=pad_ids([example.source for example in examples]),
        lengths=torch.tensor([len(example.source) for example in examples], dtype=torch.long),
        target_in=pad_ids([(BOS, *example.target) for example in examples]),
        target_out=pad_ids([(*example.target, PAD if example.open else EOS) for example in examples]),
        given=torch.tensor([example.given for example in examples]) if any(example.given for example in examples) else None,
        facts=_facts(examples) if any(example.facts for example in examples) else None,
    )


def _facts(examples: Sequence[Example]) -> Tensor:
    """[B, F] the sentences that tell each answer, in their order, and NO_FACT after them."""
    most = max(len(example.facts) for example in examples)
    return torch.tensor([[*example.facts, *[NO_FACT] * (most - len(example.facts))] for example in examples])


class TextBatches:
    """Mix-in for data sets whose examples are ids on both sides."""

    @staticmethod
    def batch(examples: list[Example]) -> Batch:
        return collate(examples)


def collate_grids(grids: Tensor, targets: Sequence[Sequence[int]], given: Sequence[int] = ()) -> Batch:
    """Grid features [P, S, C], all of one size, with as many target ids for each; `given`: how many of each are a prompt."""
    if grids.dim() != 3 or len(targets) % grids.shape[0]:
        raise InputError(f"The image grids have the shape {list(grids.shape)}; it must be [{len(targets)}, positions, channels].")
    return Batch(
        source=grids.float(),
        lengths=torch.full((grids.shape[0],), grids.shape[1], dtype=torch.long),
        target_in=pad_ids([(BOS, *target) for target in targets]),
        target_out=pad_ids([(*target, EOS) for target in targets]),
        given=torch.tensor(given) if any(given) else None,
    )


def bucketed_batches(examples: Sequence[Example], batch_size: int, generator: torch.Generator, pool: int = 0) -> list[list[int]]:
    """Indices in batches of like lengths, each index once, the batches shuffled; the generator's state decides everything.

    `pool`: like lengths are sought among so many batches drawn at random, so that examples of one kind, which are of one length, do not
    fill a batch; 0: among all.
    """
    order = torch.randperm(len(examples), generator=generator)
    # Stable sorts after a shuffle: examples of the same lengths meet others in every epoch.
    for lengths in ([len(example.target) for example in examples], [example.size or len(example.source) for example in examples]):
        keys = torch.tensor(lengths, dtype=torch.long)[order]
        drawn = torch.arange(len(order)) // (pool * batch_size or len(order) or 1)  # the pool of each place
        sorted_by_length = torch.argsort(keys, stable=True)
        order = order[sorted_by_length[torch.argsort(drawn[sorted_by_length], stable=True)]]
    batches = [order[start : start + batch_size].tolist() for start in range(0, len(examples), batch_size)]
    return [batches[place] for place in torch.randperm(len(batches), generator=generator).tolist()]
