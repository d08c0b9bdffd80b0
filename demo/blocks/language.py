"""Whether what was typed is in the language that the model reads: it translates whatever it is given, calmly, and so the page says it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from demo.tasks import TASKS
from seq2seq_core.inputs.devanagari import has_devanagari

# Words that are frequent in one of the languages and do not exist, or hardly, in the others: no "was", "hat", "die", "her", "not", "so",
# and of Hindi no "the", "to", "is", "in", "are".
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
IN_HINDI = """
hai hain mein hoon hun hoo hoga hogi honge tha thi thay nahin nahi nahe kya kyon kyun kaise kahan kahaan kab kaun kitne aap tum tumhe
tumhara mujhe mujhko mera meri mere unhen unka unki uska uski uske usne maine main mai hamara hamen apna apni apne aapka aapki ka ki ke ko
se ne aur lekin bhi yah yeh vah woh voh bahut ghar raha rahi rahe gaya gayi gaye kar karo karna karta karti karte karoon ja jao jana lo
accha achha acha ek koi kuch kuchh abhi kal aaj phir sab log saath par liye wala wali chahie chahiye
"""
WORDS = {
    "English": frozenset(IN_ENGLISH.split()),
    "German": frozenset(IN_GERMAN.split()),
    "Hindi": frozenset(IN_HINDI.split()),
}
READS = {"translation": "German", "hindi-english": "Hindi", "english-hindi": "English"}  # by task
SAYS = {"translation": "an English sentence", "hindi-english": "an English sentence", "english-hindi": "a Hindi sentence"}
ALSO_HINDI = frozenset(("the", "to", "is", "in", "are", "me", "hi", "so", "us", "un"))  # where there is Hindi already, as frequent as any


def instead_of(language: str, text: str) -> str:
    """What it looks like instead, in words; empty where it may be that language, as one word or a name may always be."""
    if language == "Hindi" and has_devanagari(text):
        return ""
    letters = [sign for sign in text if sign.isalpha()]
    other = [sign for sign in letters if not unicodedata.name(sign, "LATIN").startswith("LATIN")]
    if 2 * len(other) > len(letters):
        script = unicodedata.name(other[0]).split()[0].capitalize()
        return "Hindi" if script == "Devanagari" else f"{'Chinese' if script == 'Cjk' else script} letters"
    words = re.findall(r"[^\W\d_]+(?:['’][^\W\d_]+)?", text.lower().replace("’", "'"))
    found = {name: sum(word in known for word in words) for name, known in WORDS.items()}
    found["Hindi"] += sum(word in ALSO_HINDI for word in words) if found["Hindi"] > 1 else 0
    found["German"] += any(sign in "äöüß" for sign in text.lower())
    own = found.pop(language)
    likely = max(found, key=lambda name: found[name])
    return likely if len(words) > 1 and found[likely] > own and 6 * found[likely] >= len(words) else ""


def not_read(task: str, text: str, there: Sequence[str]) -> str:
    """That a model is given what it does not read, in a sentence, with the way to a task of the page that does; empty where it may."""
    other = instead_of(READS[task], text) if task in READS else ""
    if not other:
        return ""
    way = next((name for name, reads in READS.items() if reads == other and name in there), "")
    menu, choice = ("Languages", TASKS[way].title) if way and all(TASKS[name].title for name in there) else ("Task", way)
    also = f" Under {menu}, choose {choice} for it." if way else ""
    return f"This looks like {other}. The model has read {READS[task]} alone, and makes {SAYS[task]} of anything.{also}"
