"""Rendered clips: what a sentence says is what the pixels show, the same seed gives the same pixels, and what is held back stays away."""

from __future__ import annotations

import numpy as np
import pytest

from seq2seq_core.errors import InputError
from seq2seq_core.inputs.clip import FRAMES, SIDE
from seq2seq_core.inputs.events import KINDS, UNSEEN_ORDERS, UNSEEN_PAIRS, Event, Story, a_story, film, stage
from seq2seq_core.inputs.rendering import COLOURS, Thing, Track, render, seen

RED, BLUE = Thing("large", "plain", "red", "circle"), Thing("small", "striped", "blue", "square")


def test_every_kind_is_told_and_the_same_seed_gives_the_same_pixels() -> None:
    chance = np.random.default_rng(3)
    stories = [a_story(chance, kind=kind) for kind in KINDS]
    assert [story.told().partition(":")[0] for story in stories] == list(KINDS)
    assert len({story.told() for story in stories}) == len(KINDS)
    frames = film(stories[0], 7).frames
    assert frames.shape == (FRAMES, SIDE, SIDE, 3) and frames.dtype == np.uint8
    assert np.array_equal(frames, film(stories[0], 7).frames) and not np.array_equal(frames, film(stories[0], 8).frames)


def test_sentences_are_in_the_order_of_what_happens() -> None:
    fall = Story((Event("fall", RED, BLUE, "right"),))
    assert fall.told() == "fall: a large red circle moves to the right and hits a small striped blue square, which falls"
    two = Story((Event("vanish", RED), Event("recolour", BLUE, colour="green")))
    assert two.told() == "two: a large red circle vanishes, then a small striped blue square turns green"
    for seed in range(20):
        first, second = stage(two, seed).frames
        assert first < second


def test_what_moves_to_the_right_does_and_what_vanishes_is_gone() -> None:
    for seed in range(10):
        right, left = (stage(Story((Event("move", RED, way=way),)), seed).tracks[-1].places for way in ("right", "left"))
        assert np.diff(right[:, 0]).min() > 0 > np.diff(left[:, 0]).max() and np.ptp(right[:, 1]) == 0
        staged = stage(Story((Event("vanish", RED),)), seed)
        track, (time,) = staged.tracks[-1], staged.frames
        assert track.there[:time].all() and not track.there[time:].any()
        hidden = stage(Story((Event("hide", Thing("small", "plain", "green", "cross"), RED, "down"),)), seed)
        shares = seen(hidden.tracks)[-2]
        assert shares[0] > 0.8 and shares[-1] < 0.2


def test_a_thing_is_painted_where_its_track_says() -> None:
    places = np.tile([20.0, 60.0], (FRAMES, 1))
    frames = render([Track(RED, places, np.arange(FRAMES) >= 12, (18, "green"))], 1).astype(int)
    assert np.abs(frames[:12, 60, 20] - COLOURS["red"]).max(1).min() > 60  # not yet
    assert np.abs(frames[12:18, 60, 20] - COLOURS["red"]).max() < 50
    assert np.abs(frames[18:, 60, 20] - COLOURS["green"]).max() < 50
    assert np.abs(frames[:, 20, 70] - COLOURS["red"]).max(1).min() > 60


def test_what_is_held_back_is_in_no_other_clip() -> None:
    chance = np.random.default_rng(0)
    for _ in range(300):
        story = a_story(chance)
        assert not {(thing.colour, thing.shape) for thing in story.things} & set(UNSEEN_PAIRS)
        assert tuple(event.kind for event in story.events) not in UNSEEN_ORDERS
    assert {a_story(chance, "pair").unseen for _ in range(20)} == {"pair"}
    assert {tuple(event.kind for event in a_story(chance, "order").events) for _ in range(20)} == set(UNSEEN_ORDERS)


def test_what_cannot_happen_is_said_in_a_sentence() -> None:
    for wrong, said in (
        (lambda: Event("explode", RED), "must be one of move"),
        (lambda: Event("move", RED, way="north"), "way is 'north'"),
        (lambda: Event("fall", RED, BLUE, "up"), "from the left or the right"),
        (lambda: Event("recolour", RED, colour="red"), "another colour"),
        (lambda: Event("push", RED, way="right"), "about two things"),
        (lambda: Event("push", RED, RED, "right"), "alike"),
        (lambda: Event("hide", RED, BLUE, "right"), "something small"),
        (lambda: Story((Event("move", RED, way="up"), Event("vanish", BLUE))), "each must be one of"),
        (lambda: Story((Event("vanish", RED), Event("vanish", RED))), "different things"),
    ):
        with pytest.raises(InputError, match=said):
            wrong()
