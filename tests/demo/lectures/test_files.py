"""Lectures: what may stand in a file, which line is named when it does not, and that the five say nothing the app would not do."""

from __future__ import annotations

import os
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from demo import app, resources, state
from demo.lectures.files import FOLDER, HOME, Lecture, read_lecture, read_link, shelf
from seq2seq_core.errors import InputError
from seq2seq_core.tasks import task_of
from tools.lectures import DOCUMENT, document

GOOD = """\
title: A lecture
by: Somebody
order: 7
about: A lecture for this test.
ideas:
  - part: First
    idea: A sentence becomes another.
    equation: y_t = f(s_t)
    link: translate?sentence=Das gefällt mir.&beam=3&step=2
    say: Look at the map.
  - idea: Half of it.
    link: bottleneck
    lacks: The other half.
  - part: Second
    idea: Nothing of it.
    lacks: Nobody has built it.
"""
NUMBERS = {"amrita": 36, "mopuri": 57, "khurana": 24, "ee5179": 26, "bereyhi": 60}


def read(text: str) -> Lecture:
    return read_lecture("lecture.yaml", text.encode())


def test_a_lecture_is_read() -> None:
    lecture = read(GOOD)
    assert (lecture.name, lecture.title, lecture.order) == ("lecture", "A lecture", 7)
    assert [idea.shown for idea in lecture.ideas] == ["live", "in part", "not yet"]
    assert [idea.part for idea in lecture.ideas] == ["First", "First", "Second"]
    assert lecture.counts() == {"live": 1, "in part": 1, "not yet": 1}


def test_equations_and_networks_open_in_the_letters_of_the_lecture() -> None:
    """Where a link names others, in those."""
    links = ("how_it_works?step=2", "how_it_works?step=2&lettering=EE5179", "translate?view=network", "translate")
    ideas = "".join(f"  - idea: One.\n    link: {each}\n" for each in links)
    lecture = read(GOOD.split("ideas:")[0] + "lettering: Bereyhi\nideas:\n" + ideas)
    opened = [state.values_of(urlsplit(lecture.address(i)).query)["lettering"] for i in range(len(links))]
    assert opened == ["Bereyhi", "EE5179", "Bereyhi", "lab"]
    with pytest.raises(InputError, match="line 5: 'Someone' is not one of lab, "):
        read(GOOD.split("ideas:")[0] + "lettering: Someone\nideas:\n" + ideas)


def test_a_lecture_that_was_written_for_an_older_app_shows_the_time_machine() -> None:
    assert [read_link(said).page for said in ("train?plays=true", "train")] == ["time_machine", "train"]


def test_an_idea_is_shown_where_its_link_leads_and_the_address_knows_the_lecture() -> None:
    lecture = read(GOOD)
    at = urlsplit(lecture.address(0))
    values = state.values_of(at.query)
    assert at.path == "translate"
    assert (values["sentence"], values["beam"], values["step"]) == ("Das gefällt mir.", 3, 2)
    assert [(urlsplit(lecture.address(i)).path, state.values_of(urlsplit(lecture.address(i)).query)["idea"]) for i in range(3)] == [
        ("translate", 1), ("bottleneck", 2), (HOME, 3),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("old", "new", "line", "why"),
    [
        ("order: 7", "order: last", 3, "a number is wanted"),
        ("by: Somebody\n", "", 1, "needs by"),
        ("by: Somebody", "bye: Somebody", 2, "did you mean by?"),
        ("idea: Half of it.", "ida: Half of it.", 11, "did you mean idea?"),
        ("beam=3", "beam=99", 9, "the nearest is 10"),
        ("translate?", "nowhere?", 9, "leads to 'nowhere'"),
        ("bottleneck", "lectures", 12, "leads to 'lectures'"),
        ("beam=3", "bean=3", 9, "no setting of this app"),
        ("Half of it.", "x" * 221, 11, "221 characters"),
        ("say: Look at the map.", "say: [1, 2]", 10, "a text is wanted"),
        ("say: Look at the map.", "say: !!python/name:os.system x", 10, "a text is wanted"),
        ("say: Look at the map.", "say: Look at: the map.", 10, "not YAML"),
    ],
)
def test_a_wrong_file_is_named_with_its_line(old: str, new: str, line: int, why: str) -> None:
    with pytest.raises(InputError) as caught:
        read(GOOD.replace(old, new, 1))
    assert str(caught.value).startswith(f"lecture.yaml, line {line}: ")
    assert why in str(caught.value)


def test_a_file_that_grows_without_end_is_refused(tmp_path: Path) -> None:
    """Nine lists of nine aliases each would be 9^9 texts."""
    anchors = "\n".join(f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 9 if i else ['x'] * 9)}]" for i in range(9))
    (tmp_path / "bomb.yaml").write_text(f"{anchors}\nideas: *a8\n", encoding="utf8")
    (tmp_path / "nested.yaml").write_text("[" * 5000, encoding="utf8")
    (tmp_path / "long.yaml").write_text(GOOD + "#" * 200_000, encoding="utf8")
    (tmp_path / "good.yaml").write_text(GOOD, encoding="utf8")
    found = shelf(tmp_path)
    assert [lecture.name for lecture in found.all] == ["good"]
    assert len(found.wrong) == 3
    assert all(any(sentence.startswith(f"{name}.yaml") for sentence in found.wrong) for name in ("bomb", "nested", "long"))


def test_a_changed_file_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    for time_ns, title in ((10**18, "Before"), (10**18 + 1, "Afters")):
        path.write_text(GOOD.replace("A lecture\n", f"{title}\n"), encoding="utf8")
        os.utime(path, ns=(time_ns, time_ns))
        assert [lecture.title for lecture in shelf(tmp_path).all] == [title]


# The five


def test_the_five_lectures_have_all_their_ideas() -> None:
    found = shelf()
    assert not found.wrong
    assert {lecture.name: len(lecture.ideas) for lecture in found.all} == NUMBERS
    assert all(idea.lacks for lecture in found.all for idea in lecture.ideas if idea.shown == "not yet"), "say why"
    assert all(idea.say for lecture in found.all for idea in lecture.ideas)


@pytest.mark.parametrize("lecture", shelf().all, ids=lambda lecture: lecture.name)
def test_every_link_says_what_its_page_does(lecture: Lecture) -> None:
    """Reading a lecture has asked the fields already; here, that the models are there and the address is the one the app writes."""
    for place, idea in enumerate(lecture.ideas):
        if idea.link is None:
            continue
        shown = {**idea.link.values, "lecture": lecture.name, "idea": place + 1}
        assert state.values_of(urlsplit(lecture.address(place)).query) == shown
        for query in app.lab(idea.link.page).queries(idea.link.values).values():
            assert query.model_id in [info.id for info in resources.installed(task_of(query.model_id))], (place + 1, query)


def test_the_document_is_the_one_the_files_give() -> None:
    assert FOLDER.is_dir()
    assert DOCUMENT.read_text(encoding="utf8") == document(shelf().all), "run python tools/lectures.py"
