"""Sentences and words to begin with, written for this tool, and stored traces of some, so that a first picture needs no model."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from seq2seq_core.errors import InputError
from seq2seq_core.trace.trace import DecodeTrace

if TYPE_CHECKING:
    from demo.query import Query

FOLDER = Path(__file__).parent / "traces"


@dataclass(frozen=True, slots=True)
class Example:
    """Something to type, and what it shows."""

    text: str
    shows: str
    drawn: bool = False  # another output each time it is taken
    gloss: str = ""  # its words in English, one by one
    given: str = ""  # what is read beside it, where the text is a hypothesis or a question
    facts: tuple[int, ...] = ()  # the sentences of what is read that tell the answer, counted from 1


START = Example(
    "Morgen wird es regnen.",
    "Played on the start page: the first word of one language is the last of the other.",
    gloss="tomorrow will it rain",
)
GERMAN = (
    Example("Das gefällt mir.", "Who likes what changes places: “that pleases me” becomes “I like that”.", gloss="that pleases me"),
    Example("Ich habe ein Buch gelesen.", "The German verb comes last; the English one cannot wait for it.", gloss="I have a book read"),
    Example(
        "Ein Hund läuft über die Wiese.",
        "A picture description, nearly word for word; “läuft” becomes two words.",
        gloss="a dog runs across the meadow",
    ),
    Example("Eine Frau in einem roten Mantel liest im Park eine Zeitung.", "A longer sentence: the place stands elsewhere in English."),
)
LONG = Example(
    "Zwei kleine Kinder spielen im Garten Ball, während ihre Mutter in der Küche kocht.",
    "Fourteen words: more than one vector holds, and attention finds each of them when it is needed.",
    gloss="two small children play in the garden ball, while their mother in the kitchen cooks",
)

HINDI = (
    Example("main ghar ja raha hoon", "The lecture's own sentence: its verb stands at the end, and “going” needs two words of it."),
    Example("mai ghar ja rahi hu", "The same said by a woman, and spelt otherwise: everybody spells Hindi in their own way."),
    Example("mujhe yah kitab pasand hai", "Who likes what changes places: “to me this book pleasing is”."),
    Example("kya aap mere saath chalenge?", "“kya” makes a question of it, and is no word of the answer."),
    Example("main kal nahin aa sakta", "“kal” is tomorrow, or yesterday: the rest of the sentence tells."),
)
ENGLISH_TO_HINDI = (
    Example("I am going home.", "“am” is the last word of the Hindi sentence."),
    Example(
        "She is reading a book.",
        "“is reading” goes to the end, and there says who reads: raha is a man, rahi a woman. The model says raha.",
    ),
    Example("I like this book.", "“I” becomes “to me”, and the book is what pleases."),
    Example("What is your name?", "The question word moves next to the verb."),
    Example("I can't come tomorrow.", "“kal” is tomorrow and yesterday; “can't” is three words, two of them at the end."),
)

LATIN = {
    "Hindi": (
        Example("namaste", "The s has lost its vowel: it joins the t in one sign."),
        Example("dosti", "Two letters for one: “o” and the last “i” become signs on their consonants."),
        Example("kitab", "Latin letters do not say which vowel is long: compare the five outputs."),
        Example("vidyarthi", "Three consonants in a row become one joined sign."),
        Example("dilli", "The first i is short: its sign is drawn before the consonant it follows."),
    ),
    "Tamil": (Example("vanakkam", "A doubled consonant."), Example("nandri", "Three ways to write n; only one is right here.")),
    "Telugu": (Example("namaskaram", "A long word with joined consonants."), Example("pustakam", "A joined st.")),
    "Bengali": (Example("dhonnobad", "The Latin o is a vowel that Bengali does not write."), Example("bangla", "A nasal before g.")),
    "English sounds": (
        Example("photographer", "Two letters for one sound, twice; the two o sound differently."),
        Example("psychology", "The p is silent, and ch is a k."),
        Example("enough", "Four letters for the last two sounds."),
        Example("knight", "Silent letters at the beginning and in the middle."),
        Example("colonel", "People say an r where an l is written: the model says what is written."),
    ),
}

MATCH = "Two boys in blue shirts are playing football on the grass."
GUITAR, YELLOW = "A man is playing a guitar.", "A man is waiting behind the yellow line."
PREMISES = (
    Example("The boys are playing outside.", "No word says “outside”: it follows from the grass.", given=MATCH),
    Example("Two boys are asleep.", "Who plays does not sleep.", given=MATCH),
    Example("A man is waiting for his wife.", "Nothing is said of whom he waits for: it may be so or not.", given=YELLOW),
    Example("A man is playing an instrument.", "A guitar is one: it follows.", given=GUITAR),
    Example("Nobody is playing a guitar.", "One word turns all of it around.", given=GUITAR),
    Example("A man is waiting behind the red line.", "One word is another, so it cannot be. The model does not say so.", given=YELLOW),
)
NEWS = (
    Example(
        "Belvaro Foods Inc said it agreed to buy the Norwegian fish producer Hestvik AS for 140 mln dlrs in cash.",
        "Neither name was ever seen in training: both are copied, piece by piece. News agencies of 1987 wrote mln dlrs.",
    ),
    Example(
        "Tamberlin Airlines said it will cut 400 jobs after a sharp fall in ticket sales this winter.",
        "A number and a name that is new to it; why it happened is left out.",
    ),
    Example(
        "Quillamore Mining Ltd said it found gold near Lake Tambora in northern Ontario.",
        "A place is copied word for word; the verb comes from the vocabulary.",
    ),
    Example(
        "Korvelli SpA said it raised its stake in the Dutch shipping group Van Oosterloo NV to 12.5 pct.",
        "“Raised” becomes “raises”: headlines speak in the present.",
    ),
    Example(
        "The goalkeeper Mirela Dovan has signed a new contract that keeps her at Ashcombe until 2009.",
        "Sport, of which it has read little: it copies words, and no sentence comes of them.",
    ),
)

CONVERSATIONS = (  # turns with a sign between them; the last one is to be answered
    Example("Would you like a cup of tea?", "An offer: yes or no, and thank you."),
    Example(
        "I start my new job tomorrow. | Congratulations! Are you nervous? | A little. I don't know anybody there.",
        "Three turns are read: what would you say to somebody who is nervous?",
    ),
    Example(
        "Can I help you? | Yes, I'm looking for a pair of shoes. | What size do you take?",
        "In a shop: the answer is a number, and any will do.",
    ),
    Example("My train was two hours late again.", "Something went wrong, and nothing is asked: there are many replies."),
    Example("What do you think of the new restaurant?", "An opinion is asked of a model that has none."),
)

KITCHEN = (
    "Mary took the milk there. John went to the garden. Mary went to the kitchen. John picked up the apple. "
    "Mary left the milk. Mary went to the hallway. John journeyed to the office."
)
ZOO = "Lily is a swan. Brian is a lion. Lily is white. Greg is a swan. Brian is yellow. Julius is a lion."
STORIES = (
    Example("Where is the milk?", "Two sentences tell it: who had it last, and where that was.", given=KITCHEN, facts=(3, 5)),
    Example("Where is John?", "Of two places the later one: what a story says comes in an order.", given=KITCHEN, facts=(7,)),
    Example("What is John carrying?", "He picked something up, and nothing says that he put it down.", given=KITCHEN, facts=(4,)),
    Example(
        "How many objects is Daniel carrying?",
        "Counting: two. Add that Daniel passed the apple to Sandra, and it says none: it has looked, and not counted.",
        given="Daniel got the apple there. Sandra moved to the office. Daniel grabbed the milk there.",
        facts=(1, 3),
    ),
    Example(
        "Is Fred in the school?",
        "Either here or there: nobody can know, and maybe is an answer.",
        given="Julie went back to the park. Fred is either in the school or the cinema. Bill moved to the bedroom.",
        facts=(2,),
    ),
    Example("What color is Greg?", "No sentence says it: another swan is white, so he will be.", given=ZOO, facts=(4, 1, 3)),
    Example(
        "How do you go from the kitchen to the garden?",
        "A way of two steps, north and then east: n,e would be right. Of such questions it answers a third.",
        given="The office is north of the kitchen. The bathroom is west of the hallway. The garden is east of the office.",
        facts=(1, 3),
    ),
)

QUESTIONS = (
    Example("What animal is this?", "A name, if there is an animal; if not, a name all the same."),
    Example("What color is it?", "Which part of the photo is meant, the question does not say."),
    Example("How many people are there?", "Counting is what it does worst."),
    Example("Is it sunny?", "Of two answers one is more usual, and that helps without any photo."),
)
BEGINNINGS = (
    Example("", "From nothing: a sentence of the model's own, another each time.", drawn=True),
    Example("I am going to", "A beginning with many ways on: a place, or something to do."),
    Example("I am going to the", "One word more, and what comes next is a place."),
    Example("If it rains tomorrow,", "A condition: what comes next has to answer it."),
    Example("She opened the door and", "Most of what follows is decided by very few words."),
)
MARKUP = (
    Example("", "From nothing: a page of the model's own with its heading, links and end, another each time.", drawn=True),
    Example("== The Captain ==", "A heading: the page below it is made up, letter by letter.", drawn=True),
    Example("She said, {{quote|", "A quotation is open: how long until it is closed again?", drawn=True),
    Example("They went to [[", "A link is open: what stands in it, and does it end?", drawn=True),
)
ENGLISH = (
    Example("I am going to the beach.", "An everyday sentence: every word is more or less expected."),
    Example("I am going beach to the.", "The same words in an order that nobody uses."),
    Example("I are potato.", "Two words that do not fit: each costs where it stands, and the others cost what they always do."),
    Example(
        "India, officially the Republic of India, is a country in South Asia.",
        "A sentence of an encyclopedia, to models that learnt other kinds of text.",
    ),
    Example("She reads a book.", "To compare with the next one."),
    Example("She reads a cloud.", "One word does not fit, and it alone costs most."),
)


def stored(query: Query) -> DecodeTrace | None:
    """The stored trace of a query, if there is one and it came from the weights that are installed."""
    path = FOLDER / f"{name_of(query)}.json"
    if not path.is_file():
        return None
    content = _content(path, path.stat().st_mtime_ns)
    return read(path) if content["weights"] == _weights(query.model_id) else None


def read(path: Path) -> DecodeTrace:
    """A stored trace, read once as long as its file does not change."""
    return _trace(path, path.stat().st_mtime_ns)


def store(query: Query, trace: DecodeTrace) -> Path:
    """Keep a trace with the name of the weights it came from."""
    FOLDER.mkdir(exist_ok=True)
    path = FOLDER / f"{name_of(query)}.json"
    content = {"weights": _weights(query.model_id), "trace": trace.to_dict()}
    path.write_text(json.dumps(content, ensure_ascii=False, allow_nan=False, separators=(",", ":")) + "\n", encoding="utf8")
    return path


def name_of(query: Query) -> str:
    """Equal queries have equal names, today and in the next version."""
    content = json.dumps(asdict(query), sort_keys=True)
    return f"{query.model_id.replace('/', '-')}-{hashlib.sha256(content.encode()).hexdigest()[:10]}"


def clear(keep: Iterable[Path] = ()) -> None:
    """Remove what an earlier run stored."""
    for path in set(FOLDER.glob("*.json")) - set(keep):
        path.unlink()


def _weights(model_id: str) -> str | None:
    """The hash of the installed weights; None when the model is not installed."""
    from seq2seq_core.store import zoo
    from seq2seq_core.store.card import read_card

    try:
        return str(read_card(zoo.find(model_id)).get("sha256"))
    except InputError:
        return None


@lru_cache(maxsize=32)
def _content(path: Path, changed: int) -> Mapping[str, object]:  # noqa: ARG001  the time of the last change is part of the key
    content: dict[str, object] = json.loads(path.read_text(encoding="utf8"))
    return content


@lru_cache(maxsize=32)
def _trace(path: Path, changed: int) -> DecodeTrace:
    trace = _content(path, changed)["trace"]
    assert isinstance(trace, dict)
    return DecodeTrace.from_dict(trace)
