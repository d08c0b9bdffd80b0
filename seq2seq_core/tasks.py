"""The one table of tasks: what a model reads, what its decoder is given first, what it says, and how that is scored.

Whatever depends on a task asks its row; a new task is a new row. `ModelConfig.task` names it, and the first half of a model's id, or, where
its models lie beside those of another task, the second.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

Kind = Literal["text", "photo", "sound", "clip"]


@dataclass(frozen=True, slots=True)
class Slot:
    """One thing that a person gives."""

    name: str
    kind: Kind = "text"
    language: str = ""  # its code, where the task has but one
    longest: int = 2_000  # characters of a text
    turns: int = 0  # of a conversation: so many of its last turns are read


@dataclass(frozen=True, slots=True)
class Score:
    """A number that `evaluate` writes into model.json, and how it is called."""

    key: str
    label: str
    unit: str = ""

    @property
    def name(self) -> str:
        return f"{self.label} {self.unit}".rstrip()

    def told(self, value: float, digits: int = 1) -> str:
        """As it is said of a model: 40.9 BLEU, 44.2 % exact."""
        return " ".join(filter(None, (f"{value:.{digits}f}", self.unit, self.label)))


@dataclass(frozen=True, slots=True)
class Metric:
    """How the outputs of a task are scored; `training.evaluation` computes it."""

    scores: tuple[Score, ...]  # those that a card tells
    headline: str  # the key of the one that stands for all
    hypotheses: int | None = None  # how many outputs of each source it looks at; None: the best alone
    falls: bool = False  # less is better

    def score(self, key: str) -> Score:
        return next(score for score in self.scores if score.key == key)


@dataclass(frozen=True, slots=True)
class Task:
    """A row of the table."""

    name: str
    reads: tuple[Slot, ...]
    metric: str  # a key of METRICS
    prompt: Slot | None = None  # what the decoder is given before it says anything: a beginning, a hypothesis, a question
    says: str = ""  # the code of the output's language, where the task has but one
    answers: tuple[str, ...] = ()  # the only outputs there are; empty: free text
    why: str = ""  # the sign between an answer and the reason that some models give for it
    longest: tuple[int, int] = (2, 10)  # how many tokens an output may have: so many a position of the source, and so many more
    beside: str = ""  # another task in whose folder its models lie, each by a name that begins with this task's
    normalised: float = 0.7  # the power of its length that an output's log-probability is divided by; 0 where a question would count too
    pause: str = ""  # what follows the prompt: signs without a meaning, at each of which the decoder looks once more before it answers
    notes: tuple[str, ...] = ()  # what a line of data may hold after its output: the sentences that tell it, the kind of the line
    several: bool = False  # a line of data has any number of right outputs, and lines of the same source belong together

    @property
    def looks(self) -> int:
        """At so many steps between the prompt and the answer nothing is said: the decoder only looks."""
        return len(self.pause.split())

    def answer_in(self, output: str) -> str:
        """What an output answers: where there are only so many answers, the one it begins with, without the reason after it."""
        return output.partition(self.why)[0].strip() if self.why else output


METRICS: Mapping[str, Metric] = {
    "translation": Metric((Score("bleu", "BLEU"), Score("chrf", "chrF"), Score("exact", "exact", "%")), "bleu"),
    "lower-cased": Metric((Score("bleu", "BLEU"), Score("chrf", "chrF"), Score("exact", "exact", "%")), "bleu"),
    "words": Metric((Score("exact", "exact", "%"), Score("top5", "top 5", "%"), Score("cer", "CER", "%")), "exact", hypotheses=5),
    "captions": Metric((Score("bleu4", "BLEU-4"), Score("cider", "CIDEr")), "bleu4"),
    "perplexity": Metric(
        (Score("perplexity", "perplexity per word"), Score("bits_per_character", "bits per character")), "perplexity", falls=True
    ),
    "summary": Metric((Score("rouge1", "ROUGE-1"), Score("rouge2", "ROUGE-2"), Score("rougeL", "ROUGE-L")), "rouge1"),
    "answers": Metric((Score("accuracy", "right", "%"),), "accuracy"),
    "opinions": Metric((Score("score", "agreed", "%"),), "score"),
    "told": Metric((Score("exact", "exact", "%"), Score("accuracy", "right", "%")), "exact"),
    "numbers": Metric((Score("error", "digit error", "%"), Score("exact", "exact", "%")), "error", falls=True),
}

FALLING = frozenset(metric.headline for metric in METRICS.values() if metric.falls)

SCORES: tuple[Score, ...] = tuple({score.key: score for metric in METRICS.values() for score in metric.scores}.values())

TASKS: dict[str, Task] = {
    task.name: task
    for task in (
        Task("translation", (Slot("sentence", language="de"),), "translation", says="en"),
        Task("transliteration", (Slot("word"),), "words", several=True),
        Task("captioning", (Slot("photo", "photo"),), "captions", says="en", longest=(0, 40), several=True),
        Task("summary", (Slot("sentence", language="en"),), "summary", says="en", longest=(0, 40)),
        Task(
            "entailment", (Slot("premise", language="en"),), "answers", Slot("hypothesis", language="en"), says="en", longest=(0, 40),
            answers=("entailment", "neutral", "contradiction"), why=":",
        ),
        Task(
            "story", (Slot("story", language="en", longest=8_000),), "answers", Slot("question", language="en"), says="en", longest=(0, 8),
            normalised=0, pause=" … …", notes=("facts", "kind"),
        ),
        Task("question", (Slot("photo", "photo"),), "opinions", Slot("question", language="en"), says="en", longest=(0, 8)),
        Task("speech", (Slot("recording", "sound"),), "numbers", says="en", longest=(0, 40)),
        Task("hindi-english", (Slot("sentence", language="hi-Latn"),), "lower-cased", says="en", beside="translation"),
        Task("english-hindi", (Slot("sentence", language="en"),), "lower-cased", says="hi-Latn", beside="translation"),
        Task("clip", (Slot("clip", "clip"),), "told", says="en", longest=(0, 40)),
        Task(
            "gesture", (Slot("clip", "clip"),), "answers", says="en", longest=(0, 8),
            answers=("left swipe", "right swipe", "stop", "thumbs down", "thumbs up"),
        ),
        Task("reply", (Slot("context", language="en", turns=3),), "perplexity", says="en", longest=(0, 40), several=True),
        Task("language", (), "perplexity", Slot("beginning", language="en"), says="en", longest=(0, 60)),
    )
}  # fmt: skip


def task_of(model_id: str) -> str:
    """The task of a model, by its id."""
    folder, _, variant = model_id.partition("/")
    return next((task.name for task in TASKS.values() if task.beside == folder and f"{variant}-".startswith(f"{task.name}-")), folder)


def model_id(task: str, variant: str) -> str:
    """The id of a task's model."""
    row = TASKS.get(task)
    return f"{row.beside or task if row else task}/{variant}"


def slots_of(task: str, kinds: Sequence[Kind]) -> tuple[Slot, ...]:
    """What the parts of a source of these kinds are called: as in the task's row, or after their kinds where a model reads others."""
    reads = TASKS[task].reads if task in TASKS else ()
    return reads if [slot.kind for slot in reads] == list(kinds) else tuple(Slot(kind, kind) for kind in kinds)


def headline(task: str, scores: Mapping[str, object]) -> tuple[Score, float] | None:
    """Of what `evaluate` wrote about some held-out data, the number that stands for all of it."""
    metric = METRICS[TASKS[task].metric] if task in TASKS else None
    value = scores.get(metric.headline) if metric else None
    if metric is None or isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return metric.score(metric.headline), float(value)
