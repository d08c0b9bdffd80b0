"""Whether what was typed is German at all: the model translates whatever it is given, calmly, and so the page says it."""

from __future__ import annotations

import re
import unicodedata

# Words that are frequent in one of the two languages and do not exist, or hardly, in the other: no "was", "hat", "die", "her", "not", "so".
IN_ENGLISH = """
the and is are were of to you i it he she they we my your his our their this that these those with from have has had do does did
don't what where who why how when which there here because but if or at on be been would could should can't i'm it's isn't for by
as a me him them than then very want know think like said never every people good really much many before again about into out
down too no yes more most some any other only just won't didn't doesn't wasn't i'll i've you're he's she's let's that's
"""
IN_GERMAN = """
der die das den dem des ein eine einen einem einer und ist sind ich du er sie es wir ihr nicht mit von zu zum zur auf im in am an
für mein meine dein seine haben habe hat sein war waren wird werden was wo wer wie warum wenn weil dass aber oder auch noch nur
sich mir mich dir dich uns bei nach aus über unter vor kein keine man so heiße bin bist gibt gut
"""
ENGLISH, GERMAN = frozenset(IN_ENGLISH.split()), frozenset(IN_GERMAN.split())


def instead_of_german(text: str) -> str:
    """What it looks like instead, in words; empty where it may be German, as one word or a name may always be."""
    letters = [sign for sign in text if sign.isalpha()]
    other = [sign for sign in letters if not unicodedata.name(sign, "LATIN").startswith("LATIN")]
    if 2 * len(other) > len(letters):
        script = unicodedata.name(other[0]).split()[0].capitalize()
        return f"{'Chinese' if script == 'Cjk' else script} letters"
    words = re.findall(r"[^\W\d_]+(?:['’][^\W\d_]+)?", text.lower().replace("’", "'"))
    english, german = (sum(word in known for word in words) for known in (ENGLISH, GERMAN))
    if any(sign in "äöüß" for sign in text.lower()):
        german += 1
    return "English" if len(words) > 1 and english > german and 6 * english >= len(words) else ""
