"""What the models of replies learn from: who says what to whom, and nothing rude."""

from __future__ import annotations

from pathlib import Path

from tools.reply_pairs import daily, exchanges, fit, main, rude_words


def test_every_turn_is_a_reply_to_the_three_before_it() -> None:
    found = list(exchanges("A . <turn> B <turn> C <turn> D <turn> E"))
    assert found == [("A.", "B"), ("A. | B", "C"), ("A. | B | C", "D"), ("B | C | D", "E")]


def test_what_was_said_within_a_context_is_learnt_too(tmp_path: Path) -> None:
    (tmp_path / "daily.tsv").write_text("How are you? <turn> Fine, thanks.\tGood to hear.\n", encoding="utf8")
    assert list(daily(tmp_path / "daily.tsv")) == [("How are you? | Fine, thanks.", "Good to hear."), ("How are you?", "Fine, thanks.")]


def test_words_and_beginnings_of_words_are_rude_wherever_they_stand() -> None:
    rude = rude_words(["# a remark", "fool*", "hell", ""])
    assert [bool(rude.search(text)) for text in ("Don't be FOOLISH!", "What the hell", "Hello there", "a remark")] == [
        True,
        True,
        False,
        False,
    ]


def test_the_list_of_the_lab_holds() -> None:
    kept = fit(
        [("Hi.", "You are stupid."), ("You idiot!", "Why so?"), ("Hi.", "You are welcome."), ("Hi.", "No"), ("Hi.", "See http://x y")]
    )
    assert kept == [("Hi.", "You are welcome.")]


def test_nothing_is_left_out_of_what_is_held_back(tmp_path: Path) -> None:
    for name in ("daily.train", "daily.dev"):
        (tmp_path / f"{name}.tsv").write_text("Hi .\tShut up , please .\nHi .\tHello again.\n", encoding="utf8")
    for name in ("self", "services.train", "chitchat"):
        (tmp_path / f"{name}.tsv").write_text("topic\tGood morning. <turn> Is it?\n", encoding="utf8")
    main(tmp_path, tmp_path / "out")
    read = {path.stem: path.read_text(encoding="utf8") for path in (tmp_path / "out").iterdir()}
    assert read["daily"] == "Hi.\tHello again.\n"
    assert read["dev"] == "Hi.\tShut up, please.\nHi.\tHello again.\n"
    assert read["more"] == "Good morning.\tIs it?\n"  # the same three times
