"""Changes of texts that all kinds of mutations are made of: parts in other places, other words.

A text is the bytes of a file in Latin-1, so that every file is one and nothing is lost.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from random import Random
from typing import NamedTuple

from warpmill.benchmarks.fuzz_frontends.seeds import seeds

Change = Callable[[str, Random, str], str]
"""From a text, a random number generator and the kind of file to another text."""
NewWords = Callable[[re.Match[str], Random, str], str]
TABLES = tomllib.loads(Path(__file__).with_name("words.toml").read_text(encoding="utf-8"))


class Unit(NamedTuple):
    """A part of a text: so many characters or what a pattern finds.

    ``runs`` says how many in a row change at once, ``joint`` what stands between two.
    """

    part: int | re.Pattern[str]
    runs: tuple[int, ...] = (1,)
    joint: str = ""

    def any_of(self, text: str, rng: Random) -> tuple[int, int]:
        """Where some of a text begin and end; at its end where it has none."""
        run = rng.choice(self.runs)
        if isinstance(self.part, int):
            start = rng.randrange(0, max(1, len(text)), self.part)
            return start, min(len(text), start + run * self.part)
        spans = [found.span() for found in self.part.finditer(text)] or [(len(text), len(text))]
        first = rng.randrange(len(spans))
        return spans[first][0], spans[min(first + run, len(spans)) - 1][1]


def _drop(unit: Unit, text: str, rng: Random, _: str) -> str:
    start, end = unit.any_of(text, rng)
    return text[:start] + text[end:]


def _repeat(unit: Unit, text: str, rng: Random, _: str) -> str:
    start, end = unit.any_of(text, rng)
    return text[:end] + (unit.joint + text[start:end]) * rng.choice((1, 1, 1, 2, 40)) + text[end:]


def _swap(unit: Unit, text: str, rng: Random, _: str) -> str:
    (a, b), (c, d) = sorted(unit.any_of(text, rng) for _ in range(2))
    return text if c < b else text[:a] + text[c:d] + text[b:c] + text[a:b] + text[d:]


def _move(unit: Unit, text: str, rng: Random, _: str) -> str:
    start, end = unit.any_of(text, rng)
    rest = text[:start] + text[end:]
    place, _end = unit.any_of(rest, rng)
    return rest[:place] + text[start:end] + unit.joint + rest[place:]


def _copy(unit: Unit, text: str, rng: Random, _: str) -> str:
    (a, b), (c, d) = (unit.any_of(text, rng) for _ in range(2))
    return text[:a] + text[c:d] + text[b:]


def from_elsewhere(unit: Unit, text: str, rng: Random, kind: str) -> str:
    """Put a part of another file before one of this, or in its place."""
    other = rng.choice(seeds(kind)).data.decode("latin-1")
    start, end = unit.any_of(other, rng)
    place = unit.any_of(text, rng)
    return text[: place[0]] + other[start:end] + unit.joint + text[rng.choice(place) :]


def order(unit: Unit) -> tuple[Change, ...]:
    """Changes that put parts elsewhere, once more, away, or parts of other files among them."""
    ways = (_drop, _repeat, _swap, _move, _copy, from_elsewhere)
    return tuple(partial(way, unit) for way in ways)


def other_words(
    pattern: str,
    new: NewWords,
    inside: re.Pattern[str] | None = None,
    group: str | int = 0,
    everywhere: float = 0.0,
) -> Change:
    """A change that gives other words for one place where a pattern fits.

    It has to be in a group of what ``inside`` finds, where that is given. With the probability
    ``everywhere`` all places with the same words get the others.
    """
    looked_for = re.compile(pattern)

    def change(text: str, rng: Random, kind: str) -> str:
        within = [(0, len(text))]
        if inside is not None:
            within = [found.span(group) for found in inside.finditer(text)]
        places = [found for span in within for found in looked_for.finditer(text, *span)]
        if not places:
            return text
        chosen = rng.choice(places)
        words = new(chosen, rng, kind)
        if rng.random() < everywhere:
            return looked_for.sub(lambda each: words if each[0] == chosen[0] else each[0], text)
        return text[: chosen.start()] + words + text[chosen.end() :]

    return change


def one_of(words: Sequence[str]) -> NewWords:
    """Any of some words."""
    return lambda _found, rng, _kind: rng.choice(words)


def another(pattern: str, *others: str) -> NewWords:
    """What a pattern finds elsewhere in the text, or one of some words."""
    return lambda found, rng, _: rng.choice([*re.findall(pattern, found.string), *others])
