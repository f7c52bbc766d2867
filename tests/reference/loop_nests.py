"""The loops of a sample as its loops.toml tells them, and their iterations counted one by one.

The file says of each loop what the source says (start, while, next, when) and what was derived by
hand (trips, totals). Here the source's words are executed, so that the two can be compared.
"""

import math
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import CodeType, SimpleNamespace

FUNCTIONS = {"min": min, "max": max, "bits": int.bit_length}
"""What formulas may call; they are Python's over integers."""

Environment = Mapping[str, object]
"""What formulas may name: arguments, ``tid``, ``ntid`` and counters of the loops around."""


@dataclass(frozen=True)
class Body:
    """A statement inside a loop, how often it is executed, and the operations that show it."""

    line: Mapping[str, int]
    names: tuple[str, ...]
    total: int
    per: str
    formula: str
    when: str = "True"
    alone: bool = False


@dataclass(frozen=True)
class SourceLoop:
    """One ``[[loop]]``; ``outer`` is the number of the loop around, in the order of the file.

    ``trips`` is ``"data"`` where data decide; ``start``, ``while_`` and ``next_`` are empty then.
    """

    kernel: str
    counter: str
    outer: int | None
    line: Mapping[str, int]
    when: str
    start: str
    while_: str
    next_: str
    trips: str
    number: str
    triangular: bool
    derivation: str
    unrolled: tuple[str, ...]
    body: Body | None


@dataclass(frozen=True)
class SampleLoops:
    """All kernels of a sample with the names of their arguments, and all loops."""

    arguments: Mapping[str, tuple[str, ...]]
    loops: tuple[SourceLoop, ...]

    def of(self, kernel: str) -> dict[int, SourceLoop]:
        """The loops of a kernel, outer before inner, by their number."""
        return {i: loop for i, loop in enumerate(self.loops) if loop.kernel == kernel}

    def around(self, number: int) -> tuple[int, ...]:
        """The loops that a loop is in, outermost first."""
        outer = self.loops[number].outer
        return () if outer is None else (*self.around(outer), outer)


@cache
def read_loops(path: Path) -> SampleLoops:
    """Read a loops.toml. TypeError and KeyError where a key is wrong or missing."""
    table = tomllib.loads(path.read_text(encoding="utf-8"))
    loops: list[SourceLoop] = []
    for entry in table.get("loop", ()):
        loops.append(_loop(entry, loops))
    arguments = {k["name"]: tuple(k["arguments"]) for k in table["kernel"]}
    return SampleLoops(arguments, tuple(loops))


def _loop(entry: dict, before: list[SourceLoop]) -> SourceLoop:
    words = dict(entry)
    body, inside = words.pop("body", None), words.pop("inside", None)
    around = (
        i
        for i, loop in reversed(list(enumerate(before)))
        if (loop.kernel, loop.counter) == (entry["kernel"], inside)
    )
    defaults = {"when": "True", "start": "", "while": "", "next": "", "number": ""}
    words = {**defaults, **words, "unrolled": tuple(words.get("unrolled", ()))}
    return SourceLoop(
        outer=None if inside is None else next(around),
        body=None if body is None else Body(**{**body, "names": tuple(body["names"])}),
        while_=words.pop("while"),
        next_=words.pop("next"),
        **words,
    )


@cache
def _compiled(formula: str) -> CodeType:
    return compile(formula, "loops.toml", "eval")


def names_in(formula: str) -> frozenset[str]:
    """What a formula names: arguments, counters, ``tid``, ``ntid`` and functions."""
    return frozenset(_compiled(formula).co_names)


def value(formula: str, environment: Environment) -> int:
    """Compute a formula of a loops.toml."""
    names = {"__builtins__": {}, **FUNCTIONS}
    result = eval(_compiled(formula), names, environment)
    assert isinstance(result, int)
    return result


@dataclass(frozen=True)
class Entry:
    """One entry of a thread into a loop: what was known then, and the iterations that followed.

    ``iterations`` are those of the loops around, from 0, outermost first.
    """

    loop: int
    environment: Environment
    iterations: tuple[int, ...]
    trips: int
    bodies: int


@dataclass(frozen=True)
class Thread:
    """One thread of a CTA, and how many threads do exactly what it does, itself included."""

    environment: Environment
    index: int
    alike: int


def threads(
    sample: SampleLoops, kernel: str, block: tuple[int, int, int], numbers: Mapping[str, int]
) -> tuple[Thread, ...]:
    """The threads of a CTA: all of them, or one for all where no formula names a thread."""
    count = math.prod(block)
    ntid = SimpleNamespace(x=block[0], y=block[1], z=block[2])

    def environment(i: int) -> Environment:
        place = (i % block[0], i // block[0] % block[1], i // (block[0] * block[1]))
        return {
            **numbers,
            "ntid": ntid,
            "tid": SimpleNamespace(**dict(zip("xyz", place, strict=True))),
        }

    own = sample.of(kernel).values()
    formulas = {f for x in own for f in (x.when, x.start, x.while_, x.next_)}
    formulas |= {x.body.when for x in own if x.body is not None}
    if any("tid" in names_in(f) for f in formulas if f):
        return tuple(Thread(environment(i), i, 1) for i in range(count))
    return (Thread(environment(0), 0, count),)


def entries(sample: SampleLoops, kernel: str, thread: Thread) -> Iterator[Entry]:
    """Execute a thread's loops as their sources say, those that data end left out."""
    own = sample.of(kernel)

    def run(number: int, environment: Environment, iterations: tuple[int, ...]) -> Iterator[Entry]:
        loop = own[number]
        if loop.trips == "data" or not value(loop.when, environment):
            return
        inner = [i for i, other in own.items() if other.outer == number]
        trips = bodies = 0
        here = {**environment, loop.counter: value(loop.start, environment)}
        while value(loop.while_, here):
            if loop.body is not None and value(loop.body.when, here):
                bodies += 1
            for i in inner:
                yield from run(i, here, (*iterations, trips))
            here = {**here, loop.counter: value(loop.next_, here)}
            trips += 1
        yield Entry(number, environment, iterations, trips, bodies)

    for number, loop in own.items():
        if loop.outer is None:
            yield from run(number, thread.environment, ())
