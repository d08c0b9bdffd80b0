"""What would have been right for the examples, so that there is a pair to learn from; all of it written here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from demo import lab, resources
from demo.own import models
from demo.own.time_machine import answer

if TYPE_CHECKING:
    from demo.query import Query

CAPTIONS = {  # the first is what a model learns on the page
    "dog": ("a dog is standing in the grass", "a German shepherd on a dry meadow", "a large brown and black dog with its tongue out"),
    "band": ("four men are playing music on a stage", "a band on a dark stage", "four musicians sit in a row with their instruments"),
    "mountains": ("a path leads up to the mountains", "a trail over a green slope", "grey mountains, blue sky and one white cloud"),
    "bear": ("a white bear is walking through the snow", "a polar bear among bushes", "a large white animal on its way to the right"),
    "cat": ("a cat is looking at something", "the face of a ginger cat", "a cat with yellow eyes, very near"),
    "astronaut": ("a woman in an orange suit is smiling", "an astronaut in front of a flag", "a portrait with a helmet and a model rocket"),
    "coffee": ("a cup of coffee on a wooden table", "a red cup on a red saucer", "coffee with a spoon beside it"),
}
RIGHT = {
    "translation": {
        "Das gefällt mir.": "I like that.",
        "Ich habe ein Buch gelesen.": "I have read a book.",
        "Ein Hund läuft über die Wiese.": "A dog is running across the meadow.",
        "Eine Frau in einem roten Mantel liest im Park eine Zeitung.": "A woman in a red coat is reading a newspaper in the park.",
        "Morgen wird es regnen.": "It will rain tomorrow.",
    },
    "Hindi": {"namaste": "नमस्ते", "dosti": "दोस्ती", "kitab": "किताब", "vidyarthi": "विद्यार्थी", "dilli": "दिल्ली"},
    "Tamil": {"vanakkam": "வணக்கம்", "nandri": "நன்றி"},
    "Telugu": {"namaskaram": "నమస్కారం", "pustakam": "పుస్తకం"},
    "Bengali": {"dhonnobad": "ধন্যবাদ", "bangla": "বাংলা"},
    "English sounds": {
        "psychology": "S AY K AA L AH JH IY",
        "enough": "IH N AH F",
        "knight": "N AY T",
        "photographer": "F AH T AA G R AH F ER",
        "colonel": "K ER N AH L",
    },
    "captioning": {photo: said[0] for photo, said in CAPTIONS.items()},
}


def right_answer(query: Query) -> str:
    """What is known to be right, else what the model says itself."""
    own = next((each for each in models.of_text().values() if each.id == query.model_id), None)
    if own is not None:
        return answer(own.toy, query.text) or resources.answer(query).text()
    info = lab.info_of(query.model_id)
    task = lab.task_of(query.model_id)
    known = RIGHT.get(info.language if info else "", {}) | RIGHT.get(task, {})
    given = query.asset.name if query.asset is not None else query.text
    return known.get(given) or resources.answer(query).text()
