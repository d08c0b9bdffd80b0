"""The one exception a person may see: what was given, what is allowed, and what to do, in one sentence."""

from __future__ import annotations

import errno

LONGEST = 200  # characters: a line or two, wherever it is shown


class InputError(ValueError):
    """Something a person typed, uploaded or configured cannot be used; the message is the sentence to show.

    A message may quote what was given, whatever that was, so it is made one line here, and a long one loses its middle.
    """

    def __init__(self, message: str) -> None:
        self.whole = one_line(message)
        cut = len(self.whole) - LONGEST
        half = LONGEST // 2
        super().__init__(self.whole if cut <= 0 else f"{self.whole[: half - 3]} ... {self.whole[len(self.whole) - half + 2 :]}")


def one_line(text: str) -> str:
    """What could break a line or a terminal is left out; so are halves of surrogate pairs, which cannot be written."""
    return " ".join("".join(sign if sign.isprintable() else " " for sign in text).split())


def file_trouble(error: OSError) -> str:
    """What the system says of a file, for a person: most of the time that the disk is full."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return "The disk of the computer that runs this is full; make room on it, then try again."
    why = (error.strerror or type(error).__name__).lower()
    return one_line(f"A file or folder that is needed cannot be used ({why}); whoever looks after this computer can tell why.")
