"""Every session key and URL parameter, in one place: the same name is both, and a link holds all that differs from the defaults."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeVar, get_args
from urllib.parse import parse_qs, urlencode

import streamlit as st

from demo import letters, tasks
from demo.colours import VARIANTS
from demo.components.player.data import SPEEDS, Paint, PlayerOptions, View
from demo.fields import ChoiceField, Field, FlagField, ManyField, NameField, NumberField, RowField, TextField, WholeField
from demo.wording import WIRINGS
from seq2seq_core.config import MAX_STEPS, Cell, DecodeSettings, Glimpse, Search

T = TypeVar("T")

LEVEL = ChoiceField("level", "Show", "full", choices=("simple", "full"), help="Simple: words and pictures. Full: all controls and numbers.")

# What is decoded, and by which model: the fields of the tasks, for the pages that are about one of them.
SENTENCE, WORD, BEGINNING, PHOTO = tasks.SENTENCE, tasks.WORD, tasks.BEGINNING, tasks.PHOTO
PREMISE, CLAIM, ASKED = tasks.PREMISE, tasks.CLAIM, tasks.ASKED
TRANSLATION_MODEL, TRANSLITERATION_MODEL = tasks.TRANSLATION_MODEL, tasks.TRANSLITERATION_MODEL
CAPTION_MODEL, ENTAILMENT_MODEL, LANGUAGE_MODEL = tasks.CAPTION_MODEL, tasks.ENTAILMENT_MODEL, tasks.LANGUAGE_MODEL
RECORDING, SPEECH_MODEL = tasks.RECORDING, tasks.SPEECH_MODEL
CLIP, CLIP_MODEL = tasks.CLIP, tasks.CLIP_MODEL
FILM, GESTURE_MODEL = tasks.FILM, tasks.GESTURE_MODEL
QUESTION_MODEL = tasks.QUESTION_MODEL
NEWS, SUMMARY_MODEL = tasks.NEWS, tasks.SUMMARY_MODEL
STORY, STORY_QUESTION, STORY_MODEL = tasks.STORY, tasks.STORY_QUESTION, tasks.STORY_MODEL
CONTEXT, REPLY_MODEL = tasks.CONTEXT, tasks.REPLY_MODEL
HINDI, HINDI_MODEL = tasks.HINDI, tasks.HINDI_MODEL
ENGLISH, ENGLISH_MODEL = tasks.ENGLISH, tasks.ENGLISH_MODEL
TARGET = TextField("target", "Your own translation", "", help="Scored, or forced on every model.")
LANGUAGE = ChoiceField("language", "Language", "Hindi", choices=tuple(tasks.LANGUAGES))
WORD_LIST = FlagField(
    "word_list", "Word list", default=True, help="Of what the search finds, common words come first. Off: the model’s letters alone."
)
NTH = WholeField("nth", "Word shown", 0, low=0, high=50, help="Of several words, the one that is played; 0: the last.")
TASK = RowField("task", "Task", "translation", names=lambda: tuple(tasks.TASKS))

# How it is searched for.
SEARCH = ChoiceField("search", "Search", "beam", choices=("greedy", "beam", "sample"))
BEAM = WholeField("beam", "Beam size", 5, low=1, high=10, help="How many unfinished outputs are kept at each step.")
LENGTH = NumberField(
    "length", "Length normalisation", 0.7, low=0.0, high=2.0, help="score = log-probability / length ^ this; 0 favours short outputs."
)
TEMPERATURE = NumberField("temperature", "Temperature", 1.0, low=0.1, high=2.0, help="Below 1 the likely tokens become likelier still.")
TOP_K = WholeField("top_k", "Top k", 0, low=0, high=100, help="Draw from the k likeliest tokens only; 0: from all.")
TOP_P = NumberField("top_p", "Top p", 1.0, low=0.05, high=1.0, step=0.05, help="Draw from the likeliest tokens that together reach p.")
SEED = WholeField("seed", "Seed", 0, low=0, high=9999, help="The same seed draws the same output.")
MAX_LENGTH = WholeField(
    "max_length",
    "Longest output",
    0,
    low=0,
    high=MAX_STEPS,
    help="In tokens; 0: by the task, of a translation twice the source and ten more.",
)
GLIMPSE = ChoiceField("glimpse", "Glimpse", "argmax", choices=get_args(Glimpse), help="Hard attention: where it looks.")

SEARCHING: tuple[Field[Any], ...] = (SEARCH, BEAM, LENGTH, TEMPERATURE, TOP_K, TOP_P, SEED, MAX_LENGTH, GLIMPSE)

# What is shown of it: the player's own options. It works in the browser, and reports them back when a person changes them.
STEP = WholeField("step", "Step", -1, low=-1, high=400, help="How many output tokens are shown; -1: all.")
READ = WholeField("read", "Read", -1, low=-1, high=400, help="With step 0: how many source tokens are read; -1: all.")
PLAYS = FlagField("plays", "Plays by itself", default=False, help="Opened with this, and with no step, a link plays once.")
HYPOTHESIS = WholeField("hypothesis", "Hypothesis", 1, low=1, high=20)
LETTERS = ChoiceField("lettering", "Letters", letters.LAB, choices=letters.NAMES, help="Of the equations: the lab's, or a lecture's.")
VIEW = ChoiceField("view", "View", "map", choices=get_args(View))
WORDS = FlagField("words", "By word", default=True)
NUMBERS = FlagField("numbers", "Numbers in cells", default=False)
RELATIVE = FlagField("relative", "Colours by row", default=False)
HEAD = WholeField("head", "Head", 0, low=0, high=16, help="0: the average of all heads.")
SPEED = NumberField("speed", "Speed", 1.0, low=min(SPEEDS), high=max(SPEEDS), step=0.25)
FIT = FlagField("fit", "Fit to the width", default=False)
PAINT = ChoiceField("paint", "Overlay", "heat", choices=get_args(Paint))
STRENGTH = NumberField("strength", "Strength", 0.8, low=0.0, high=1.0, step=0.05)
GRID = FlagField("grid", "Grid", default=False)
SECTION = ChoiceField(
    "section", "Equation", "",
    choices=("", "Encoder", "Token", "What goes in", "New state", "Score", "Attention", "Context", "Readout", "Output", "library",
             "six parts"),
    help="Of How it works: what it opens at.",
)  # fmt: skip
POSITION = WholeField("position", "Source position", 0, low=0, high=2000, help="0: the one that is looked at most.")
PLAYER: tuple[Field[Any], ...] = (STEP, READ, VIEW, WORDS, NUMBERS, RELATIVE, HEAD, SPEED, FIT, PAINT, STRENGTH, GRID)

# Caption.
PHOTO_TOOL = ChoiceField(
    "tool", "Go on with", "point its eyes", choices=("point its eyes", "never looked at", "compare variants", "glimpses")
)
PHOTO_MODELS = ManyField("photo_models", "Variants", ("none", "soft", "hard"), most=5)

# Reply.
LAMBDA = NumberField(
    "lambda", "λ: how much less counts what is likely anyway", 0.0, low=0.0, high=1.0, step=0.05,
    help="score = (log p(reply | conversation) − λ log p(reply)) / length ^ the search’s. Ranks anew, without a new search.",
)  # fmt: skip
TURN = WholeField("turn", "Turn that is opened", 0, low=0, high=100, help="Counted from 1; 0: the reply to the last one.")

# Language model.
LANGUAGE_PART = ChoiceField("do", "Do", "generate", choices=("generate", "score", "searches", "models", "condition"))
SCORED = TextField("scored", "Sentence", "I am going to the beach.")
AT = WholeField("at", "Character", -1, low=-1, high=2000, help="The word at this character is looked into; -1: the least probable.")
AFTER = TextField("after", "After the same words", "", help="All three go on from these words; empty: from the start.")

# Compare, Steer, Bottleneck.
COMPARE = ChoiceField("compare", "Compare", "attention", choices=("attention", "cells", "wiring", "searches"))
COMPARED = ManyField("variants", "Variants", ("none", "additive"), most=len(VARIANTS) + 1)
COMPARED_CELLS = ManyField("cells", "Cells", ("rnn", "gru", "lstm"), most=3)
COMPARED_WIRINGS = ManyField("wirings", "Where the context goes", tuple(WIRINGS.values()), most=len(WIRINGS))
COMPARED_SEARCHES = ManyField("searches", "Searches", ("greedy", "beam 5"), most=4)
SAME_TARGET = FlagField("same_target", "Same target for all", default=False, help="Every variant is made to say the same words.")
FOLLOWED = NameField("followed", "Whose words", "additive")
EDITS = TextField("edits", "Edits", "", help="As demo.edits writes them.")
KEPT = WholeField("kept", "Beams kept", 10, low=1, high=10, help="Fewer of the stored beams, without a new search; at most all of them.")
RANK_LENGTH = NumberField(
    "rank_length",
    "Length normalisation",
    0.7,
    low=0.0,
    high=2.0,
    help="score = log-probability / length ^ this. Ranks anew, without a new search.",
)
NODE = WholeField("node", "Node", -1, low=-1, high=1_000_000, help="The node of the tree that is played; -1: the best output.")
PART = ChoiceField(
    "part",
    "Do",
    "play",
    choices=("play", "force a word", "move attention", "oracle", "shuffle", "explanation", "beam sizes", "whose error"),
)
ORACLE_STEP = WholeField("oracle_step", "Step of the oracle", 0, low=0, high=400, help="For a photo: the word whose cells are painted.")
SHUFFLE = WholeField("shuffle", "Order", 1, low=1, high=99, help="Which of the other orders.")
EVERY_WORD = FlagField("every_word", "Choose every word", default=False, help="You decide word by word; the model only offers.")

# Bottleneck.
BOTTLENECK_PART = ChoiceField(
    "look_at", "Look at", "quality and length", choices=("quality and length", "sentence vectors", "aligned words")
)
SHOWN = ManyField("shown", "Variants", ("none", "additive"), most=len(VARIANTS) + 1)
SAMPLE = ChoiceField("sample", "Sentences", "dev set", choices=("dev set", "our own", "yours"))
DEV_SET = NameField("set", "Dev set", "Tatoeba dev")
BASE = NameField("base", "Gap from", "none")
OTHER = NameField("other", "to", "additive")
PAIRS = TextField("pairs", "Your pairs, one a line: German | English", "")
BAR = NameField("bar", "Outputs of", "none")
BUCKET = WholeField("bucket", "Length", 0, low=0, high=8, help="The bar whose outputs are shown; 0: none.")
FAILED = WholeField("failed", "Failed sentence", 1, low=1, high=100)
VECTORS = ChoiceField("vectors", "Show", "sentences", choices=("sentences", "decoder states"))
VECTOR_MODEL = NameField("vector_model", "Model", "none")
POINT = WholeField("point", "Sentence", 1, low=1, high=60)
SENTENCES = TextField("sentences", "Your own German sentences, one a line", "")
PAIR = WholeField("pair", "Pair", 1, low=1, high=200)
MAP_OF = NameField("map_of", "Map of", "additive")
AGAINST = NameField("against", "less", "gold")

# Train.
PRESET = ChoiceField(
    "preset", "Task", "reverse", choices=("copy", "reverse", "sort", "dates", "numbers", "shapes", "own pairs", "own text")
)
WIRING = ChoiceField(
    "wiring", "The context goes", "as the task has it", choices=("as the task has it", *WIRINGS.values()),
    help="Into the output: with the state through a layer; straight: with no layer between. Into the cell: it makes the next state. As "
    "the new state: it takes the state’s place.",
)  # fmt: skip
TEXT_UNIT = ChoiceField("unit", "Learn", "characters", choices=("characters", "words"), help="One by one, or in pieces of words.")
CELL = ChoiceField("cell", "Cell", "gru", choices=get_args(Cell))
ATTENTION = ChoiceField("attention", "Attention", "additive", choices=VARIANTS)
SECOND_ATTENTION = ChoiceField("second", "Beside it", "none", choices=("off", *VARIANTS))
HIDDEN = WholeField("hidden", "State size", 64, low=8, high=256)
LEARNING_RATE = NumberField("learning_rate", "Learning rate", 0.01, low=0.0001, high=0.1, step=0.0001)
TEACHER_FORCING = NumberField("teacher_forcing", "Teacher forcing", 1.0, low=0.0, high=1.0, step=0.05)
TRAIN_SEED = WholeField("train_seed", "Seed", 1, low=0, high=9999)
WATCHED = TextField("watched", "Watched example", "")
RECURRENT = NumberField(
    "recurrent", "Scale of the recurrent weights", 0.8, low=0.4, high=1.6, step=0.05, help="1: an orthogonal matrix, which keeps a length."
)
GATE_BIAS = NumberField(
    "gate_bias", "Bias of the keeping gate", 2.0, low=0.0, high=4.0, step=0.25,
    help="GRU: update gate; LSTM: forget gate. Above 0 they keep more of the old state.",
)  # fmt: skip
LOSS_STEP = WholeField("loss_step", "Loss of time step", 0, low=0, high=40, help="0: the last token.")
RUNS = ManyField("runs", "Trainings", (), most=6)  # so that a page that is loaded again finds them: see demo/own/runs.py
MOMENT = WholeField("moment", "Moment", 0, low=0, high=10_000)
TRAIN_PART = ChoiceField("tab", "Tab", "Models", choices=("Models", "One step in slow motion"))
TRANSLATION_MOMENT = WholeField("after_step", "The model after so many steps", -1, low=-1, high=10_000_000, help="-1: as it is now.")

# Training step.
RIGHT = TextField("right", "What is right", "", help="Empty: what is known, else what the model says itself.")
LOSS_OF = WholeField("loss_of", "Loss of step", 0, low=0, high=60, help="Whose loss goes back; 0: all steps, summed.")
UPDATE_RATE = NumberField("update_rate", "Learning rate of the update", 0.01, low=0.0001, high=1.0, step=0.0001)

# Lessons.
LESSON = NameField("lesson", "Lesson", "")
QUESTION = WholeField("question", "Question", 0, low=0, high=50)
DONE = TextField("done", "What was answered", "", help="The marks of each lesson's questions, as demo.labs.lessons.answers writes them.")

# Lectures: the one that is given, on whatever page its idea is shown.
LECTURE = NameField("lecture", "Lecture", "")
IDEA = WholeField("idea", "Idea", 0, low=0, high=300, help="Counted from 1; 0: the outline.")
PRINT = FlagField("print", "Print view", default=False)

FIELDS: tuple[Field[Any], ...] = tuple(value for value in globals().values() if isinstance(value, Field))


def fields() -> dict[str, Field[Any]]:
    """By their keys; those of a task that has come to the table since are among them."""
    return {each.key: each for each in (*FIELDS, *(each for row in tasks.TASKS.values() for each in row.all_fields()))}


# In the session alone: objects that no link can hold.
ANSWERS = "lesson_answers"
EDIT_HISTORY = "edit_history"
TRAINING_RUNS = "training_runs"  # the ids of this visitor's trainings, the newest last
OWN_PHOTO = "own_photo"  # the name of an upload: see demo/given/assets.py
PHOTOS = "own_photos"  # what is kept of the last few, by name
OWN_SOUND = "own_sound"  # the name of a recording: see demo/given/recordings.py
SOUNDS = "own_sounds"  # what is kept of the last few, by name
OWN_CLIP = "own_clip"  # the name of an animation: see demo/given/clips.py
OWN_FILM = "own_film"  # the name of one of a gesture
CLIPS = "own_clips"  # what is kept of the last few, by name
GIVING = "giving"  # the idea of the lecture that was shown last: see demo/lectures/giving.py
SHOWING = "showing"  # what the page showed last: see demo/blocks/player.py


def values_of(query: str | Mapping[str, Sequence[str]]) -> dict[str, Any]:
    """Every field's value as a link gives it; what the link does not say, or says wrongly, is the default."""
    written = parse_qs(query, keep_blank_values=True) if isinstance(query, str) else query
    return {key: each.read(list(written.get(key, ()))) for key, each in fields().items()}


def query_of(values: Mapping[str, Any]) -> str:
    """The part of a link after the question mark: all that differs from the defaults, in a fixed order."""
    pairs: list[tuple[str, str]] = []
    for key, each in fields().items():
        value = each.clean(values.get(key, each.default))
        if value != each.default:
            pairs += [(key, written) for written in each.write(value)]
    return urlencode(pairs)


def settings_of(values: Mapping[str, Any]) -> DecodeSettings:
    """The search settings among a page's values. What a search does not use keeps its default, so that equal answers have equal keys."""
    search: Search = values[SEARCH.key]
    kept = {"max_length": values[MAX_LENGTH.key] or None, "glimpse": values[GLIMPSE.key]}
    if search == "beam":
        kept |= {"beam_size": values[BEAM.key], "length_penalty": values[LENGTH.key]}
    if search == "sample":
        kept |= {"temperature": values[TEMPERATURE.key], "top_k": values[TOP_K.key], "top_p": values[TOP_P.key]}
    if "sample" in (search, values[GLIMPSE.key]):
        kept["seed"] = values[SEED.key]
    return DecodeSettings(search=search, **kept)


def current(setting: Field[T]) -> T:
    """The value now: what its widget holds, else what the URL says, else the default."""
    if setting.key in st.session_state:
        return setting.clean(st.session_state[setting.key])
    return setting.read(st.query_params.get_all(setting.key))


def remember(setting: Field[T], value: T) -> None:
    """Set a field that no widget shows. It lives in the URL alone, so that it ends with the page it belongs to."""
    value = setting.clean(value)
    if value != setting.default:
        st.query_params[setting.key] = setting.write(value)
    elif setting.key in st.query_params:
        del st.query_params[setting.key]


def assign(setting: Field[T], value: T) -> None:
    """Set a field that a widget shows: for callbacks, which run before the widgets are drawn. The widget writes the URL."""
    st.session_state[setting.key] = setting.clean(value)


def simple() -> bool:
    """Whether a visitor wants words and pictures alone."""
    return current(LEVEL) == "simple"


def offered(field: ChoiceField, plainly: Sequence[str]) -> list[str]:
    """All choices, or in simple those that need no term; what a link opens is always there."""
    return [each for each in field.choices if not simple() or each in (*plainly, current(field))]


def current_values(settings: Iterable[Field[Any]] | None = None) -> dict[str, Any]:
    """Of these fields, or of all. To say what it holds at all the session reads everything, so for a few it is asked one by one."""
    asked = list(fields().values() if settings is None else settings)
    session = set(st.session_state) if settings is None else {each.key for each in asked if each.key in st.session_state}
    held = session | set(st.query_params)
    return {each.key: current(each) if each.key in held else each.default for each in asked}


def current_settings() -> DecodeSettings:
    return settings_of(current_values(SEARCHING))


def player_options(first_view: View = "map") -> PlayerOptions:
    """How the player is to show a trace: what the link or the person said last. `first_view`: of a page that opens with another one."""
    values: dict[str, Any] = current_values(PLAYER)
    if VIEW.key not in st.query_params:
        values["view"] = first_view
    values["head"] = values["head"] - 1 if values["head"] else None
    for name in ("step", "read"):
        values[name] = None if values[name] < 0 else values[name]
    return PlayerOptions.from_dict(values)


def remember_player(options: PlayerOptions, first_view: View = "map") -> None:
    """Put what the player reports into the URL."""
    values = options.to_dict()
    values["head"] = 0 if options.head is None else options.head + 1
    for name, value in (("step", options.step), ("read", options.read)):
        values[name] = -1 if value is None else value
    for each in PLAYER:
        if values[each.key] != current(each):
            remember(each, values[each.key])
    if first_view != VIEW.default and options.view == VIEW.default:
        st.query_params[VIEW.key] = VIEW.write(options.view)  # here it has to be said


def link(page: str, values: Mapping[str, Any]) -> str:
    """A link to a page of this app in a given state, relative to the app's address."""
    query = query_of(values)
    return f"{page}?{query}" if query else page
