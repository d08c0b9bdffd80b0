"""An error is one line that fits on a screen, whatever was given."""

from __future__ import annotations

import errno

import pytest

from seq2seq_core.errors import InputError, file_trouble


@pytest.mark.parametrize("given", ["x" * 5043, "line\nline\r\nline", "\x1b[31mred\x00", "half \ud83d", "a\u2028b \u202e", "\ufeff" * 500])
def test_a_message_is_one_line_of_at_most_two_hundred_characters(given: str) -> None:
    said = str(InputError(f"The name is {given!s}; it must be shorter."))
    assert len(said) <= 200
    assert said.isprintable()
    assert said.startswith("The name is ") and said.endswith("; it must be shorter.")
    said.encode()


def test_a_short_message_stays_as_it_is() -> None:
    said = "The text is empty; type “something”: ü, मैं."
    assert str(InputError(said)) == said


def test_a_full_disk_is_named() -> None:
    assert "disk of the computer that runs this is full" in file_trouble(OSError(errno.ENOSPC, "No space left on device", "/secret/place"))
    said = file_trouble(FileNotFoundError(errno.ENOENT, "No such file or directory", "/secret/place"))
    assert "no such file or directory" in said and "secret" not in said
