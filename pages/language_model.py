"""Language model: a decoder with no source goes on from any beginning, scores any sentence, and becomes conditional."""

from __future__ import annotations

from demo import language_view


def main() -> None:
    language_view.show(language_view.heading())


main()
