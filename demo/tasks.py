"""How the app shows each task, one row a task: the fields that hold what is given, what it offers to begin with, and its words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from demo import examples
from demo.examples import Example
from demo.fields import Field, NameField, TextField
from seq2seq_core.tasks import TASKS as CORE
from seq2seq_core.tasks import Slot, Task

LANGUAGES = {
    "Hindi": "hi",
    "Tamil": "ta",
    "Telugu": "te",
    "Bengali": "bn",
    "English sounds": "en",
}  # of outputs, where models of one task differ: their codes


SENTENCE = TextField("sentence", "German", "Das gefällt mir.")
WORD = TextField("word", "Word in Latin letters", "namaste")
BEGINNING = TextField("beginning", "Beginning", "I am going to")
PREMISE = TextField("premise", "Premise", examples.PREMISES[0].given)
CLAIM = TextField("claim", "Hypothesis", examples.PREMISES[0].text)
STORY = TextField("story", "Story", examples.STORIES[0].given, tall=True)
STORY_QUESTION = TextField("story_question", "Question", examples.STORIES[0].text)
NEWS = TextField("news", "First sentence of a news story", examples.NEWS[0].text)
PHOTO = NameField("photo", "Photo", "")
ASKED = TextField("asked", "Question", "What animal is this?")
TRANSLATION_MODEL = NameField("model", "Model", "additive")  # the second half of a model's id
TRANSLITERATION_MODEL = NameField("word_model", "Model", "additive")
RECORDING = NameField("recording", "Recording", "")
CLIP = NameField("clip", "Clip", "")
FILM = NameField("film", "Film", "")
CAPTION_MODEL = NameField("photo_model", "Model", "soft")
ENTAILMENT_MODEL = NameField("entailment_model", "Model", "additive")
HINDI = TextField("hindi", "Hindi in Latin letters", "main ghar ja raha hoon")
ENGLISH = TextField("english", "English", "I am going home.")
HINDI_MODEL = NameField("hindi_model", "Model", "hindi-english")
ENGLISH_MODEL = NameField("english_model", "Model", "english-hindi")
SPEECH_MODEL = NameField("speech_model", "Model", "additive")
CLIP_MODEL = NameField("clip_model", "Model", "additive")
GESTURE_MODEL = NameField("gesture_model", "Model", "additive")
QUESTION_MODEL = NameField("question_model", "Model", "soft")
LANGUAGE_MODEL = NameField("language_model", "Model", "gru")
STORY_MODEL = NameField("story_model", "Model", "additive")
SUMMARY_MODEL = NameField("news_model", "Model", "copy")
CONTEXT = TextField("context", "Conversation", examples.CONVERSATIONS[0].text)
REPLY_MODEL = NameField("reply_model", "Model", "additive")


@dataclass(frozen=True, slots=True)
class TaskRow:
    """A row of the table. A sentence, a word or a photo goes along from page to page, and so does the choice of a model."""

    name: str  # in the core's table
    model: NameField
    fields: tuple[Field[str], ...] = ()  # one for each thing that is read, in the order of the core's row
    prompt: TextField | None = None  # what the decoder is given first; beside something that is read it may not be empty
    offered: Mapping[str, tuple[Example, ...]] = field(default_factory=dict)  # by the language of the output; "": whichever
    placeholder: str = ""  # of the empty text field: what to do first
    source: str = ""  # the source in a word
    own: str = "Your own output"  # the output as a person would give it
    unit: str = "words"  # that a source's length is counted in
    takes_own: bool = False  # whether the models that a visitor trained, and that read what it reads, stand in its menu
    title: str = ""  # in menus, where its name alone says too little
    about: str = ""  # what is wanted, as the first of the six parts of a system; Markdown

    @property
    def core(self) -> Task:
        return CORE[self.name]

    @property
    def reads_text(self) -> bool:
        """Nothing but texts, and at least one."""
        return bool(self.core.reads) and all(slot.kind == "text" for slot in self.core.reads)

    @property
    def own_source(self) -> str:
        """What a visitor's model reads that belongs here."""
        return "text" if self.reads_text else "image" if self.fields else "none"

    def slots(self) -> tuple[tuple[Slot, Field[str]], ...]:
        """Everything that is read, with its field."""
        return tuple(zip(self.core.reads, self.fields, strict=True))

    @property
    def asks(self) -> bool:
        """Whether the decoder is given something beside what is read: a hypothesis, a question."""
        return bool(self.fields and self.prompt)

    def texts(self) -> tuple[TextField, ...]:
        """The fields that are typed."""
        return tuple(each for each in (*self.fields, self.prompt) if isinstance(each, TextField))

    def examples(self, language: str = "") -> tuple[Example, ...]:
        return self.offered.get(language) or next(iter(self.offered.values()), ())

    def all_fields(self) -> tuple[Field[str], ...]:
        return (*self.fields, *([self.prompt] if self.prompt else []), self.model)


TASKS: dict[str, TaskRow] = {
    row.name: row
    for row in (
        TaskRow(
            "translation",
            TRANSLATION_MODEL,
            (SENTENCE,),
            offered={"": examples.GERMAN},
            placeholder="Type a German sentence",
            source="German",
            own="Your own translation",
            takes_own=True,
            title="German to English",
            about="Given a sentence $x$, find its translation $y$: the most probable token sequence $y_1 \\dots y_m$ given $x$.",
        ),
        TaskRow(
            "hindi-english",
            HINDI_MODEL,
            (HINDI,),
            offered={"": examples.HINDI},
            placeholder="Type Hindi in Latin letters",
            source="Hindi",
            own="Your own translation",
            title="Hindi to English",
            about="Given a Hindi sentence $x$ in Latin letters, find its translation $y$: the most probable token sequence given $x$.",
        ),
        TaskRow(
            "english-hindi",
            ENGLISH_MODEL,
            (ENGLISH,),
            offered={"": examples.ENGLISH_TO_HINDI},
            placeholder="Type an English sentence",
            source="English",
            own="Your own translation",
            title="English to Hindi",
            about="Given an English sentence $x$, find its translation $y$: the most probable Hindi token sequence, in Latin letters.",
        ),
        TaskRow(
            "transliteration",
            TRANSLITERATION_MODEL,
            (WORD,),
            offered=examples.LATIN,
            placeholder="Type a word in Latin letters",
            source="Latin",
            own="Your own word",
            unit="letters",
            about="Given a word $x$ in Latin letters, find the word $y$ in its own script that sounds like it, or its sounds.",
        ),
        TaskRow(
            "captioning",
            CAPTION_MODEL,
            (PHOTO,),
            source="photo",
            own="Your own caption",
            about="Given a photo $x$, find a sentence $y$ that describes it.",
        ),
        TaskRow(
            "entailment",
            ENTAILMENT_MODEL,
            (PREMISE,),
            CLAIM,
            offered={"": examples.PREMISES},
            placeholder="Type a premise and a hypothesis",
            source="premise",
            own="Your own answer",
            about="Given a premise $x$ and a hypothesis, say whether the hypothesis follows, may be so, or cannot be.",
        ),
        TaskRow(
            "speech",
            SPEECH_MODEL,
            (RECORDING,),
            source="recording",
            own="Your own number",
            unit="digits",
            about="Given the recording $x$ of a number, find the digits $y$ that were said.",
        ),
        TaskRow(
            "clip",
            CLIP_MODEL,
            (CLIP,),
            source="clip",
            own="Your own sentence",
            about="Given the frames $x$ of a clip, say which kind of event it shows, and in a sentence $y$ what happens.",
        ),
        TaskRow(
            "gesture",
            GESTURE_MODEL,
            (FILM,),
            source="clip",
            own="Your own gesture",
            about="Given the frames $x$ of a film, say which of five gestures $y$ of a hand it shows.",
        ),
        TaskRow(
            "summary",
            SUMMARY_MODEL,
            (NEWS,),
            offered={"": examples.NEWS},
            placeholder="Type the first sentence of a news story",
            source="news",
            own="Your own headline",
            about="Given the first sentence $x$ of a news story, find its headline $y$: few words, some of them words of $x$.",
        ),
        TaskRow(
            "story",
            STORY_MODEL,
            (STORY,),
            STORY_QUESTION,
            offered={"": examples.STORIES},
            placeholder="Type a story and a question",
            source="story",
            own="Your own answer",
            unit="sentences",
            about="Given a story $x$ and a question about it, find the answer $y$, which some of its sentences tell.",
        ),
        TaskRow(
            "question",
            QUESTION_MODEL,
            (PHOTO,),
            ASKED,
            offered={"": examples.QUESTIONS},
            placeholder="Type a question about the photo",
            source="photo",
            own="Your own answer",
            about="Given a photo $x$ and a question about it, find the answer $y$ that most people would give.",
        ),
        TaskRow(
            "reply",
            REPLY_MODEL,
            (CONTEXT,),
            offered={"": examples.CONVERSATIONS},
            placeholder="Type up to three turns with | between them",
            source="conversation",
            own="Your own reply",
            about="Given the last turns $x$ of a conversation, find a reply $y$: one of many that people would give.",
        ),
        TaskRow(
            "language",
            LANGUAGE_MODEL,
            prompt=BEGINNING,
            offered={"": examples.BEGINNINGS, "English with markup": examples.MARKUP},
            placeholder="Empty: the model begins by itself",
            source="beginning",
            takes_own=True,
            about="Given the beginning of a text, find what comes next: the most probable next token.",
        ),
    )
}


def reading() -> tuple[str, ...]:
    """The tasks that have a source."""
    return tuple(name for name, row in TASKS.items() if row.fields)


def compared() -> tuple[str, ...]:
    """Those of which models are held against each other: all with a source, but a pair of languages beside another has one model."""
    return tuple(name for name in reading() if not TASKS[name].core.beside)


def of_text() -> tuple[str, ...]:
    """Those whose source is text alone, and all that the decoder is given, and that have models to be held against each other."""
    return tuple(name for name, row in TASKS.items() if row.reads_text and not row.asks and not row.core.beside)


def of_outputs() -> tuple[str, ...]:
    """Those whose decoder says all of its text itself, or is given nothing but a beginning, and whose way back can be drawn."""
    drawn = ("text", "photo")
    return tuple(
        name for name, row in TASKS.items()
        if not row.asks and not row.core.beside and all(slot.kind in drawn for slot in row.core.reads)
    )  # fmt: skip
