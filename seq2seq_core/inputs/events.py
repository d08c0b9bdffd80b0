"""What happens in a rendered clip: twelve kinds of events, the sentence that tells one, and where everything is in every frame."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from seq2seq_core.errors import InputError
from seq2seq_core.inputs.clip import FRAMES, SIDE, Clip
from seq2seq_core.inputs.rendering import COLOURS, SHAPES, SIZES, TEXTURES, Chance, Numbers, Thing, Track, render

WAYS = {"right": (1, 0), "left": (-1, 0), "up": (0, -1), "down": (0, 1)}
TOLD = {  # each kind of event, and how it is told; {who} and {other} are things, {way} is where to
    "move": "{who} moves {way}",
    "stop": "{who} moves {way} and stops",
    "return": "{who} moves {way} and turns back",
    "appear": "{who} appears",
    "vanish": "{who} vanishes",
    "recolour": "{who} turns {colour}",
    "pass": "{who} moves {way} behind {other} and comes out again",
    "hide": "{who} moves {way} behind {other} and stays there",
    "push": "{who} moves {way} and hits {other}, which moves on",
    "fall": "{who} moves {way} and hits {other}, which falls",
    "bounce": "{who} moves {way} and hits {other} and bounces back",
}
TWO = "two"  # the twelfth kind: one after the other
KINDS = (*TOLD, TWO)
STILL = ("appear", "vanish", "recolour")  # what can happen to a thing that stays where it is: two of them make a clip of two
COVERS = ("circle", "square")  # what is wide enough to hide something
MARGIN = 13  # pixels that the middle of a thing keeps from the edge
UNSEEN_PAIRS = (("green", "triangle"), ("purple", "square"), ("yellow", "cross"))  # never trained together
UNSEEN_ORDERS = (("recolour", "vanish"), ("vanish", "appear"))  # never trained in this order


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that happens, to whom."""

    kind: str
    who: Thing
    other: Thing | None = None
    way: str = ""
    colour: str = ""

    def __post_init__(self) -> None:
        check = (
            (self.kind in TOLD, f"The event is {self.kind!r}; it must be one of {', '.join(TOLD)}."),
            ("{way}" not in TOLD.get(self.kind, "") or self.way in WAYS, f"The way is {self.way!r}; it must be one of {', '.join(WAYS)}."),
            (self.kind != "fall" or self.way in ("left", "right"), "What is hit falls down, so it must be hit from the left or the right."),
            (self.kind != "recolour" or (self.colour in COLOURS and self.colour != self.who.colour), "It must turn into another colour."),
            (
                self.needs_other == (self.other is not None),
                f"The event {self.kind!r} is about {'two things' if self.needs_other else 'one'}.",
            ),
            (self.other != self.who, "The two things must not look alike."),
            (
                self.kind not in ("pass", "hide") or self._can_hide,
                "Only something small goes behind something large, a circle or a square.",
            ),
        )
        for holds, sentence in check:
            if not holds:
                raise InputError(sentence)

    @property
    def needs_other(self) -> bool:
        return "{other}" in TOLD.get(self.kind, "")

    @property
    def _can_hide(self) -> bool:
        return self.who.size == "small" and self.other is not None and self.other.size == "large" and self.other.shape in COVERS

    @property
    def things(self) -> tuple[Thing, ...]:
        return (self.who,) if self.other is None else (self.who, self.other)

    def told(self) -> str:
        way = {"right": "to the right", "left": "to the left"}.get(self.way, self.way)
        other = f"a {self.other.name}" if self.other else ""
        return TOLD[self.kind].format(who=f"a {self.who.name}", other=other, way=way, colour=self.colour)


@dataclass(frozen=True, slots=True)
class Story:
    """What a clip shows: an event, or two of things that stay where they are."""

    events: tuple[Event, ...]

    def __post_init__(self) -> None:
        if len(self.events) == 2 and not all(event.kind in STILL for event in self.events):
            raise InputError(f"Of two events in a clip each must be one of {', '.join(STILL)}.")
        if len(self.events) not in (1, 2) or len(set(self.things)) < len(self.things):
            raise InputError("A clip has one event, or two of different things.")

    @property
    def kind(self) -> str:
        return self.events[0].kind if len(self.events) == 1 else TWO

    @property
    def things(self) -> tuple[Thing, ...]:
        return tuple(thing for event in self.events for thing in event.things)

    def told(self) -> str:
        """The kind, and what happens in order: what a model is to say."""
        return f"{self.kind}: " + ", then ".join(event.told() for event in self.events)

    @property
    def unseen(self) -> str:
        """Whether it is one of those that are never trained: for a pair of colour and shape, for an order."""
        looks = {(colour, thing.shape) for event in self.events for thing in event.things for colour in (thing.colour,)}
        looks |= {(event.colour, event.who.shape) for event in self.events if event.colour}
        if looks & set(UNSEEN_PAIRS):
            return "pair"
        return "order" if tuple(event.kind for event in self.events) in UNSEEN_ORDERS else ""


def a_thing(chance: Chance, size: str = "", shapes: tuple[str, ...] = SHAPES) -> Thing:
    def one(choices: tuple[str, ...]) -> str:
        return choices[int(chance.integers(len(choices)))]

    return Thing(size or one(tuple(SIZES)), one(TEXTURES), one(tuple(COLOURS)), one(shapes))


def a_story(chance: Chance, unseen: str = "", kind: str = "") -> Story:
    """By chance; `unseen`: one of those that are never trained, for a pair or an order."""
    while True:
        wanted = kind or (TWO if unseen == "order" else KINDS[int(chance.integers(len(KINDS)))])
        kinds = [STILL[int(place)] for place in chance.integers(len(STILL), size=2)] if wanted == TWO else [wanted]
        try:
            story = Story(tuple(_an_event(one, chance) for one in kinds))
        except InputError:  # two things alike, a colour that it has already
            continue
        if story.unseen == unseen:
            return story


def _an_event(kind: str, chance: Chance) -> Event:
    hides = kind in ("pass", "hide")
    who = a_thing(chance, "small" if hides else "")
    other = a_thing(chance, "large" if hides else "", COVERS if hides else SHAPES) if "{other}" in TOLD[kind] else None
    ways = ("right", "left") if kind == "fall" else tuple(WAYS)
    way = ways[int(chance.integers(len(ways)))] if "{way}" in TOLD[kind] else ""
    return Event(kind, who, other, way, tuple(COLOURS)[int(chance.integers(len(COLOURS)))] if kind == "recolour" else "")


@dataclass(frozen=True, slots=True)
class Staged:
    """A story on its way to a picture: where everything is, and in which frame each event happens."""

    tracks: list[Track]  # bystanders first, who is in front last
    frames: tuple[int, ...]


def stage(story: Story, seed: int) -> Staged:
    """Places and times by chance; up to two things more stand by and do nothing."""
    chance = np.random.default_rng((seed, 0))
    for _ in range(100):
        tracks, frames = _acted(story, chance)
        if len(tracks) == 1 or len(story.events) == 1 or _apart(tracks[0], tracks[1:]):
            break
    known = list(story.things)
    for _ in range(int(chance.integers(0, 4 - len(tracks)))):
        for _ in range(40):
            thing = a_thing(chance)
            track = _resting(thing, chance)
            fresh = (
                all((thing.colour, thing.shape) != (one.colour, one.shape) for one in known)
                and (thing.colour, thing.shape) not in UNSEEN_PAIRS
            )
            if fresh and _apart(track, tracks):
                tracks.insert(0, track)
                known.append(thing)
                break
    return Staged(tracks, frames)


def film(story: Story, seed: int) -> Clip:
    """The clip of a story. The same story and seed give the same pixels."""
    return Clip(render(stage(story, seed).tracks, seed))


def _acted(story: Story, chance: Chance) -> tuple[list[Track], tuple[int, ...]]:
    if len(story.events) == 2:
        times = (int(chance.integers(4, 10)), int(chance.integers(13, 20)))
        return [_changing(event, time, chance) for event, time in zip(story.events, times, strict=True)], times
    event = story.events[0]
    if event.kind in STILL:
        time = int(chance.integers(6, 18))
        return [_changing(event, time, chance)], (time,)
    if event.other is None:
        return _alone(event, chance)
    return _together(event, event.other, chance)


def _resting(thing: Thing, chance: Chance) -> Track:
    place = chance.uniform(MARGIN, SIDE - MARGIN, 2)
    return Track(thing, np.tile(place, (FRAMES, 1)), np.ones(FRAMES, bool))


def _changing(event: Event, time: int, chance: Chance) -> Track:
    track = _resting(event.who, chance)
    before = np.arange(FRAMES) < time
    there = {"appear": ~before, "vanish": before}.get(event.kind, track.there)
    return Track(event.who, track.places, there, (time, event.colour) if event.kind == "recolour" else None)


def _along(way: str, distance: Numbers, across: float) -> Numbers:
    """Places [S, 2] of what has gone so far [S] from the edge it came from."""
    x, y = WAYS[way]
    gone = distance if x + y > 0 else SIDE - 1 - distance
    still = np.full(len(distance), across)
    return np.stack([gone, still] if x else [still, gone], 1)


def _alone(event: Event, chance: Chance) -> tuple[list[Track], tuple[int, ...]]:
    frames = np.arange(FRAMES)
    start, across = chance.uniform(MARGIN, MARGIN + 6), chance.uniform(MARGIN + 2, SIDE - MARGIN - 2)
    time = int(chance.integers(9, 15))
    if event.kind == "move":
        time, gone = FRAMES - 1, chance.uniform(52, 68) * frames / (FRAMES - 1)
    else:
        speed = chance.uniform(36, 58) / time
        after = np.maximum(frames - time, 0)
        gone = speed * (np.minimum(frames, time) - (after if event.kind == "return" else 0))
    return [Track(event.who, _along(event.way, start + np.maximum(gone, 0), across), np.ones(FRAMES, bool))], (time,)


def _together(event: Event, other: Thing, chance: Chance) -> tuple[list[Track], tuple[int, ...]]:
    frames = np.arange(FRAMES)
    start = chance.uniform(7, 12)
    across = chance.uniform(20, 52) if event.kind == "fall" else chance.uniform(MARGIN + 5, SIDE - MARGIN - 5)
    here = chance.uniform(48, 57)
    theirs = np.full(FRAMES, here)
    if event.kind == "pass":
        end = chance.uniform(SIDE - 15, SIDE - 10)
        gone = (end - start) * frames / (FRAMES - 1)
        time = int(np.searchsorted(start + gone, here))
    else:
        reach = here - start if event.kind == "hide" else here - start - 0.92 * (event.who.radius + other.radius)
        time = int(chance.integers(11, 17)) if event.kind == "hide" else int(chance.integers(7, 12))
        speed = max(reach, 8.0) / time
        gone = speed * np.minimum(frames, time)
        after = np.maximum(frames - time, 0)
        if event.kind == "bounce":
            gone = np.maximum(gone - speed * after, 0)
        elif event.kind == "push":
            theirs = np.minimum(here + max(speed, 2.0) * after, SIDE - other.radius)
    places = _along(event.way, theirs, across)
    if event.kind == "fall":
        places[:, 1] += 0.5 * chance.uniform(1.2, 2.0) * np.maximum(frames - time, 0) ** 2
    always = np.ones(FRAMES, bool)
    return [Track(event.who, _along(event.way, start + gone, across), always), Track(other, places, always)], (time,)


def _apart(track: Track, others: list[Track]) -> bool:
    """Whether it never comes near any of the others."""
    return all(bool((np.hypot(*(track.places - one.places).T) > track.thing.radius + one.thing.radius + 3).all()) for one in others)
