"""What is remembered is bounded in number and in bytes, and computed once however many ask."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass

import pytest

from demo.visitors.kept import Kept, bytes_of, kept


@dataclass(frozen=True)
class Sized:
    name: str
    nbytes: int = 0


def counting(most: int, megabytes: float, size: int) -> tuple[Kept[[str], Sized], list[str]]:
    calls: list[str] = []

    @kept(most, megabytes)
    def made(name: str) -> Sized:
        calls.append(name)
        return Sized(name, size)

    return made, calls


@pytest.mark.parametrize(("most", "megabytes", "size"), [(2, 100, 0), (100, 2, 1_000_000)])
def test_the_least_recently_used_goes_first(most: int, megabytes: float, size: int) -> None:
    made, calls = counting(most, megabytes, size)
    for name in "abacab":
        made(name)
    assert calls == ["a", "b", "c", "b"]


def test_what_alone_is_too_large_is_not_kept_and_throws_nothing_out() -> None:
    made, calls = counting(10, 1, 400_000)
    made("a")
    large = kept(10, 1)(lambda: Sized("large", 2_000_000))
    assert large() is not large()
    made("a")
    assert calls == ["a"]


def test_bytes_are_counted_anew_after_clearing() -> None:
    made, calls = counting(10, 1, 400_000)
    for _ in range(3):
        made("a"), made("b")
        made.clear()
    made("a"), made("b"), made("a")
    assert calls == ["a", "b"] * 4


def test_an_error_is_not_remembered() -> None:
    calls = []

    @kept(3)
    def fails() -> None:
        calls.append(1)
        raise ValueError

    for _ in range(2):
        with pytest.raises(ValueError):
            fails()
    assert len(calls) == 2


def test_many_who_ask_at_once_wait_for_one_computation() -> None:
    started, go, calls = threading.Event(), threading.Event(), []

    @kept(3)
    def slow(name: str) -> Sized:
        calls.append(name)
        started.set()
        go.wait()
        return Sized(name)

    found: list[Sized] = []
    threads = [threading.Thread(target=lambda: found.append(slow("a"))) for _ in range(5)]
    for thread in threads:
        thread.start()
    started.wait()
    go.set()
    for thread in threads:
        thread.join()
    assert calls == ["a"]
    assert len(found) == 5
    assert len({id(one) for one in found}) == 1


def test_what_tells_calls_apart_can_be_chosen() -> None:
    by: Callable[[str, int], str] = lambda name, number: name  # noqa: E731
    look = kept(3, by=by)(lambda name, number: Sized(f"{name}{number}"))
    assert look("a", 1) is look("a", 2)
    assert look("a", 1) is not look("b", 1)


def test_what_holds_only_for_a_while_is_made_again(monkeypatch: pytest.MonkeyPatch) -> None:
    now, calls = [100.0], list[int]()
    monkeypatch.setattr("demo.visitors.kept.time.monotonic", lambda: now[0])

    @kept(1, seconds=20)
    def made() -> int:
        calls.append(1)
        return len(calls)

    assert [made(), made()] == [1, 1]
    now[0] += 20
    assert [made(), made()] == [2, 2]


def test_bytes_are_found_inside_what_is_kept() -> None:
    @dataclass(frozen=True)
    class Found:
        name: str
        parts: tuple[Sized, ...]

    assert bytes_of(Found("a", (Sized("b", 3), Sized("c", 4)))) == 7
    assert bytes_of({"a": Sized("b", 2), "c": (Sized("d", 1), "text")}) == 3
