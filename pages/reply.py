"""Reply: a chat whose every reply opens in the player; the safe answer, and how to rank it down."""

from __future__ import annotations

from demo.labs.reply import view


def main() -> None:
    view.heading()
    view.page()


main()
