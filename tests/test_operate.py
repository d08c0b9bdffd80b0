"""The examples for whoever runs the lab for a school say what is true of it."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from demo.visitors import switches

ROOT = Path(__file__).parents[1]
OPERATE = ROOT / "tools" / "operate"
SERVER = """
pid {folder}/pid; error_log {folder}/log;
events {{}}
http {{
    access_log off;
    map $http_upgrade $connection_upgrade {{ default upgrade; "" close; }}
    server {{ listen 127.0.0.1:1; include {included}; }}
}}
"""


def test_the_image_has_everything_that_the_app_imports() -> None:
    copied = set(re.findall(r"^COPY (\S+) \S+$", (OPERATE / "Containerfile").read_text(), re.MULTILINE))
    assert copied == {"bundle", "streamlit_app.py", ".streamlit", "demo", "pages", "seq2seq_core", "models", "tools/serve.py"}
    assert all((ROOT / name).exists() for name in copied - {"bundle"})


@pytest.mark.parametrize("name", ["nginx.conf", "Caddyfile", "lab.service", "Containerfile"])
def test_all_speak_of_one_port(name: str) -> None:
    default = re.search(r'"--port", type=int, default=(\d+)', (ROOT / "tools" / "serve.py").read_text())
    assert default is not None
    assert set(re.findall(r"(?:127\.0\.0\.1:|--port |EXPOSE )(\d+)", (OPERATE / name).read_text())) == {default[1]}


def test_every_switch_is_described() -> None:
    text = (ROOT / "docs" / "operate.md").read_text(encoding="utf8")
    assert f"`LAB_OFF={','.join(switches.PARTS)}`" in text


@pytest.mark.skipif(shutil.which("nginx") is None, reason="there is no nginx")
def test_nginx_takes_its_example(tmp_path: Path) -> None:
    whole = tmp_path / "nginx.conf"
    whole.write_text(SERVER.format(folder=tmp_path, included=OPERATE / "nginx.conf"))
    done = subprocess.run(["nginx", "-t", "-q", "-p", tmp_path, "-c", whole], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
