"""The one exception a person may see: what was given, what is allowed, and what to do, in one sentence."""

from __future__ import annotations


class InputError(ValueError):
    """Something a person typed, uploaded or configured cannot be used; the message is the sentence to show."""
