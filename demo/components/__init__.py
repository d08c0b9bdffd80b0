"""The custom components: their scripts and styles are files of this folder, put together here; and what all of them are given."""

from __future__ import annotations

import hashlib
import json
import re
from functools import cache
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
IMPORT = re.compile(r'^import \{([^}]+)\} from "(\.[^"]+)";\n', re.MULTILINE)
EXPORT = re.compile(r"^export (?!default )", re.MULTILINE)
NAME = re.compile(r"^(export )?(?:default )?(?:async )?(?:class|function|const|let) (\w+)", re.MULTILINE)
UNREAD = re.compile(r"^(?:import|export (?:\*|\{)).*", re.MULTILINE)  # other ways to write it, which nobody here needs


@cache
def script(entry: str, folder: Path = HERE) -> str:
    """An entry file and all it imports as one script, each file once and before those that need it: a component is one text."""
    files: dict[Path, str] = {}
    _follow((folder / entry).resolve(), (), files)
    owners: dict[str, Path] = {}
    for path, text in files.items():
        for _, name in NAME.findall(text):
            if (other := owners.setdefault(name, path)) != path:
                raise ImportError(f"{other} and {path} both have {name} at the top: in one script there can be only one.")
    return "\n".join(EXPORT.sub("", IMPORT.sub("", text)).strip() + "\n" for text in files.values())


def _follow(path: Path, above: tuple[Path, ...], files: dict[Path, str]) -> None:
    if path in above:
        raise ImportError(f"{path} imports itself, by way of {', '.join(other.name for other in above[above.index(path) :])}.")
    if path in files:
        return
    if not path.is_file():
        raise ImportError(f"{above[-1] if above else 'A component'} imports {path}, which is no file.")
    text = path.read_text(encoding="utf8")
    for names, where in IMPORT.findall(text):
        other = (path.parent / where).resolve()
        _follow(other, (*above, path), files)
        exported = {name for export, name in NAME.findall(files[other]) if export}
        if missing := set(re.findall(r"\w+", names)) - exported:
            raise ImportError(f"{path} imports {', '.join(sorted(missing))} from {other}, which does not export it.")
    if odd := UNREAD.search(IMPORT.sub("", text)):
        raise ImportError(f'{path}: {odd.group()!r} is not read; write import {{ name }} from "./file.js" and export before a name.')
    if above and "\nexport default " in text:
        raise ImportError(f"{path} has a default export: only the file that a page mounts has one.")
    files[path] = text


def style(name: str) -> str:
    return (HERE / name / "style.css").read_text(encoding="utf8")


def with_id(data: dict[str, Any]) -> dict[str, Any]:
    """The same data with its content's hash: a component rebuilds itself only when this changes."""
    content = json.dumps(data, ensure_ascii=True, sort_keys=True, allow_nan=False)
    return data | {"id": hashlib.sha256(content.encode()).hexdigest()[:16]}
