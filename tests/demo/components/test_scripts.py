"""The scripts of the components: what is imported is put together, and the mathematics in them is right."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from demo.colours import color_scale
from demo.components import HERE, IMPORT, NAME, script, style

FETCHING = HERE / "fetching.js"  # what goes with an answer in place of a component's script
FILES = sorted(set(HERE.rglob("*.js")) - {FETCHING})
TESTS = sorted(Path(__file__).parent.glob("*.test.mjs"))
MARKUP = ("outerHTML", "insertAdjacent", "document.write", "eval(", "https:", "fetch(", "XMLHttpRequest")
NODE = shutil.which("node")
with_node = pytest.mark.skipif(NODE is None, reason="no node was found: install it to have the scripts of the components checked")


def name(path: Path) -> str:
    return path.relative_to(HERE).as_posix()


def imported(path: Path) -> list[Path]:
    return [(path.parent / where).resolve() for _, where in IMPORT.findall(path.read_text(encoding="utf8"))]


# What a page or a file mounts: whatever no other file imports, and the part of the player that its tests drive.
ENTRIES = sorted({name(path) for path in FILES} - {name(other) for path in FILES for other in imported(path)}) + ["player/instance.js"]


def run(*arguments: str) -> None:
    assert NODE is not None
    done = subprocess.run([NODE, *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def put(folder: Path, **texts: str) -> Path:
    for stem, text in texts.items():
        (folder / f"{stem}.js").write_text(text, encoding="utf8")
    return folder


def test_every_component_has_one_entry_that_python_mounts() -> None:
    mounted = {
        entry for path in HERE.rglob("*.py") for entry in re.findall(r'\bcomponent\("\w+", "([^"]+)"\)', path.read_text(encoding="utf8"))
    }
    assert mounted == set(ENTRIES) - {"player/alone.js", "player/instance.js"}
    for entry in mounted:
        assert script(entry).count("\nexport default ") == 1, entry
    assert "export " not in script("player/alone.js")


@with_node
@pytest.mark.parametrize("entry", ENTRIES)
def test_a_whole_script_can_be_read(entry: str, tmp_path: Path) -> None:
    (tmp_path / "whole.mjs").write_text(script(entry), encoding="utf8")
    run("--check", str(tmp_path / "whole.mjs"))


@pytest.mark.parametrize("entry", ENTRIES)
def test_a_script_sets_no_markup_and_asks_no_network(entry: str) -> None:
    assert not [word for word in MARKUP if word in script(entry)]
    assert "url(" not in style(entry.split("/")[0])


def test_nobody_imports_a_neighbours_file() -> None:
    wrong = [f"{name(path)} imports {name(other)}" for path in FILES for other in imported(path) if other.parent not in (HERE, path.parent)]
    assert not wrong


def unimported(path: Path) -> list[str]:
    """What a file calls, makes or extends that another one exports, without importing it: the whole script would run, by chance."""
    text = path.read_text(encoding="utf8")
    code = re.sub(r"//.*|^import .*", "", text, flags=re.MULTILINE)
    known = {word for words, _ in IMPORT.findall(text) for word in re.findall(r"\w+", words)} | {word for _, word in NAME.findall(text)}
    near = [other for other in FILES if other != path and other.parent in (HERE, path.parent)]
    exported = {word for other in near for export, word in NAME.findall(other.read_text(encoding="utf8")) if export}
    use = r"(?<![\w.$]){0}\((?!.*\) \{{\n)|\b(new|extends) {0}\b"  # a method of the same name is no use
    uses = {word for word in exported - known if re.search(rf"\b{word}\b" if word.isupper() else use.format(word), code)}
    return [f"{name(path)} uses {word}" for word in sorted(uses)]


def test_what_is_used_is_imported() -> None:
    assert not [each for path in FILES for each in unimported(path)]
    assert not [f"{name(path)}: {word}" for path in FILES for word in unused(path)]


def unused(path: Path) -> list[str]:
    text = path.read_text(encoding="utf8")
    words = [word for words, _ in IMPORT.findall(text) for word in re.findall(r"\w+", words)]
    return [word for word in words if len(re.findall(rf"\b{word}\b", text)) < 2]


def test_a_file_stands_once_and_before_whoever_needs_it(tmp_path: Path) -> None:
    put(
        tmp_path,
        base="export const one = 1;\n",
        left='import { one } from "./base.js";\n\nexport function left() {\n  return one;\n}\n',
        right='import { one } from "./base.js";\nexport class Right {}\n',
        entry='// First.\nimport { left } from "./left.js";\nimport {\n  Right,\n} from "./right.js";\nexport default function go() {}\n',
    )
    whole = script("entry.js", tmp_path)
    assert "import" not in whole
    assert re.findall(r"^(?:export default )?(?:const|function|class) (\w+)", whole, re.MULTILINE) == ["one", "left", "Right", "go"]


ONE = 'import { a } from "./one.js";\n'
TWO = 'import { b } from "./two.js";\nexport const a = 1;\n'


@pytest.mark.parametrize(
    ("texts", "said"),
    [
        ({"entry": ONE}, r"entry\.js imports .*one\.js, which is no file"),
        ({"entry": ONE, "one": "const a = 1;\n"}, r"entry\.js imports a from .*one\.js"),
        ({"entry": ONE, "one": TWO, "two": ONE + "export const b = 1;\n"}, r"one\.js imports itself, by way of one\.js, two\.js"),
        ({"entry": ONE + "const b = 2;\n", "one": "export const a = 1;\nlet b = 1;\n"}, r"one\.js and .*entry\.js both have b"),
        ({"entry": 'import * as all from "./one.js";\n'}, r"entry\.js: 'import \* as all"),
        ({"entry": ONE, "one": "export const a = 1;\nexport default function b() {}\n"}, r"one\.js has a default export"),
    ],
)
def test_what_cannot_be_put_together_is_said_with_file_and_name(texts: dict[str, str], said: str, tmp_path: Path) -> None:
    with pytest.raises(ImportError, match=said):
        script("entry.js", put(tmp_path, **texts))


def test_the_colours_of_attention_are_those_of_python() -> None:
    light, dark = re.findall(r"\[([^\]]+)\]", (HERE / "scale.js").read_text(encoding="utf8"))
    assert (re.findall("#[0-9a-f]{6}", light), re.findall("#[0-9a-f]{6}", dark)) == (color_scale("light"), color_scale("dark"))


def test_script_files_are_short() -> None:
    long = [f"{name(path)}: {lines}" for path in FILES if (lines := path.read_text(encoding="utf8").count("\n")) > 400]
    assert not long


@with_node
@pytest.mark.parametrize("path", TESTS, ids=lambda path: path.name)
def test_the_mathematics_of_a_file(path: Path) -> None:
    run("--test", str(path))
