"""Write seq2seq_core/inputs/known_words/LANGUAGE.txt.gz: how common words are, a line of words for each tenth of Zipf's scale.

python tools/known_words.py DATA

Common words out of the package wordfreq (`pip install wordfreq`; its lists CC BY-SA 4.0), and those that the models were trained
with (Dakshina, CC BY-SA 4.0). What the models are scored on is never read here.
"""

from __future__ import annotations

import gzip
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from seq2seq_core.inputs.known_words import FOLDER, as_listed
from seq2seq_core.training.readers import read_lexicon

LANGUAGES = {
    "hindi": ("hi", r"[\u0900-\u0963\u0970-\u097f]{2,}"),
    "bengali": ("bn", r"[\u0980-\u09e3\u09f0-\u09ff]{2,}"),
    "tamil": ("ta", r"[\u0b80-\u0bff]{2,}"),
}
TRAINED = 2.0  # on Zipf's scale: there is such a word, and it is rarer than all that the package lists


def main(data: Path) -> None:
    from wordfreq import get_frequency_dict, zipf_frequency

    FOLDER.mkdir(exist_ok=True)
    for language, (code, letters) in LANGUAGES.items():
        trained = dict.fromkeys((as_listed(native) for _, native, _ in read_lexicon(data / "dakshina" / f"{code}.train.tsv")), TRAINED)
        listed = [word for word in get_frequency_dict(code, "small") if re.fullmatch(letters, word)]
        levels: dict[float, list[str]] = {}
        for word, level in (trained | {as_listed(word): round(zipf_frequency(word, code, "small"), 1) for word in listed}).items():
            levels.setdefault(level, []).append(word)
        content = "\n".join(" ".join([f"{level:.1f}", *sorted(levels[level])]) for level in sorted(levels, reverse=True)) + "\n"
        (FOLDER / f"{language}.txt.gz").write_bytes(gzip.compress(content.encode("utf8"), mtime=0))
        print(f"{language}: {len(listed):,} common words, {len(trained):,} trained with, {sum(map(len, levels.values())):,} together")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
