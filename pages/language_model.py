"""Language model: a decoder with no source goes on from any beginning, scores any sentence, and becomes conditional."""

from __future__ import annotations

from demo.labs.language import view


def main() -> None:
    view.show(view.heading())


main()
