"""The configurations of a sweep: axes with their values, and what must hold between them.

An axis is written ``name=VALUES``: values with commas between them, each a number, a word, a shape
(``16x16``), or a range ``first..last``, by ones, by a step (``0..100+10``) or by a factor
(``32..1024*2``). A file of them is TOML::

    where = ["block <= 512", "n >= 4 * block"]
    [over]
    block = [64, 128, "16x16"]
    n = "1024..1048576*2"
    machine = ["a100", "v100"]
"""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Literal

from warpmill.analyzer.base.diagnostics import Diagnostic, LimitError, Severity, UsageError
from warpmill.analyzer.launch.expressions import ExpressionError, evaluate_exactly
from warpmill.studies.options import MOST_POINTS

Value = int | float | str
Configuration = Mapping[str, Value]
AxisKind = Literal["size", "launch", "machine", "machine value", "registers"]

_RANGE = re.compile(r"(-?\d{1,18})\.\.(-?\d{1,18})(?:([+*])(\d{1,18}))?")
_SHAPE = re.compile(r"\d{1,9}(?:x\d{1,9}){1,2}")
_NUMBER = re.compile(r"-?\d{1,18}")
_DECIMAL = re.compile(r"-?\d{1,18}\.\d{1,18}(?:e-?\d{1,3})?")
_COMPARISON = re.compile(r"(?P<left>[^<>=!]+)(?P<sign><=|>=|==|!=|<|>)(?P<right>[^<>=!]+)")
_SIGNS: dict[str, Callable[[Fraction, Fraction], bool]] = {
    "<=": operator.le,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    ">": operator.gt,
}


@dataclass(frozen=True)
class Axis:
    """Something that is varied: a name and the values that it takes, in order."""

    name: str
    values: tuple[Value, ...]
    kind: AxisKind | None = field(default=None, compare=False)
    """Kind of the axis, once the launch is known."""


@dataclass(frozen=True)
class SweepSpace:
    """Axes, of which the last turns fastest, and conditions on configurations."""

    axes: tuple[Axis, ...]
    conditions: tuple[str, ...] = ()

    @property
    def size(self) -> int:
        """Configurations, conditions aside."""
        return math.prod(len(axis.values) for axis in self.axes)

    def configurations(
        self, sizes: Mapping[str, int], most: int = MOST_POINTS
    ) -> Iterator[dict[str, Value]]:
        """The configurations that conditions allow; ``sizes`` are names that they may use too.

        LimitError where there are more than ``most``, UsageError for a condition that is none.
        """
        if self.size > most:
            words = f"the sweep has {self.size:,} configurations, more than {most:,}"
            raise LimitError(f"{words}; raise the limit with --max-points")
        names = [axis.name for axis in self.axes]
        for values in product(*(axis.values for axis in self.axes)):
            configuration = dict(zip(names, values, strict=True))
            known = {**sizes, **numbers_of(configuration)}
            if all(holds(condition, known) for condition in self.conditions):
                yield configuration


def numbers_of(configuration: Configuration) -> dict[str, int]:
    """The names that conditions may use: of a shape ``block`` also ``block_x`` and so on.

    ``block`` is then how many threads there are. Dots of machines' keys are underscores.
    """
    found: dict[str, int] = {}
    for name, value in configuration.items():
        plain = name.replace(".", "_")
        if isinstance(value, int):
            found[plain] = value
        elif isinstance(value, str) and _SHAPE.fullmatch(value):
            sides = shape_of(value)
            found[plain] = math.prod(sides)
            found |= {f"{plain}_{d}": side for d, side in zip("xyz", sides, strict=False)}
    return found


def shape_of(value: Value) -> tuple[int, ...]:
    """The sides of a shape: ``16x8`` or a number. ValueError for what is none."""
    if isinstance(value, int):
        return (value,)
    if isinstance(value, str) and _SHAPE.fullmatch(value):
        return tuple(int(side) for side in value.split("x"))
    raise ValueError(f"`{value}` is no shape")


def holds(condition: str, names: Mapping[str, int]) -> bool:
    """Whether a condition holds: a comparison of two expressions. UsageError for none."""
    found = _COMPARISON.fullmatch(condition)
    if found is None:
        raise UsageError(
            f"--where `{condition}` is no comparison: write two expressions with one of "
            f"{' '.join(_SIGNS)} between them, such as `4 * block <= n`"
        )
    left, right = (_side(condition, found[side], names) for side in ("left", "right"))
    return _SIGNS[found["sign"]](left, right)


def _side(condition: str, text: str, names: Mapping[str, int]) -> Fraction:
    try:
        return evaluate_exactly(text.strip(), names)
    except ExpressionError as error:
        words = f"--where `{condition}`: {error.message}"
        raise UsageError(Diagnostic(Severity.ERROR, words, hint=error.hint)) from None


def parse_axis(text: str) -> Axis:
    """Read ``name=VALUES``. UsageError for what is none."""
    name, sign, values = text.partition("=")
    if not sign or not name.strip():
        raise UsageError(f"--over `{text}`: write NAME=VALUES, such as block=32..1024*2")
    return Axis(name.strip(), _values(name, values))


def axis_of(name: str, values: str | Sequence[Value]) -> Axis:
    """Make an axis of a text as ``parse_axis`` takes it, or of values one by one. UsageError."""
    if isinstance(values, str):
        return Axis(name, _values(name, values))
    found: list[Value] = []
    for value in values:
        found += _word(name, value) if isinstance(value, str) else [value]
    return Axis(name, _each_once(name, found))


def _values(name: str, text: str) -> tuple[Value, ...]:
    found: list[Value] = []
    for word in text.split(","):
        found += _word(name, word.strip())
    return _each_once(name, found)


def _each_once(name: str, found: Sequence[Value]) -> tuple[Value, ...]:
    once = tuple(dict.fromkeys(found))
    if not once or "" in once:
        raise UsageError(f"--over {name}: a value is missing")
    if not all(math.isfinite(value) for value in once if isinstance(value, float)):
        raise UsageError(f"--over {name}: a value is no finite number")
    return once


def _word(name: str, word: str) -> list[Value]:
    ranged = _RANGE.fullmatch(word)
    if ranged is not None:
        return list(_range(name, word, ranged))
    if _NUMBER.fullmatch(word):
        return [int(word)]
    return [float(word)] if _DECIMAL.fullmatch(word) else [word]


def _range(name: str, word: str, found: re.Match[str]) -> Sequence[int]:
    first, last, step = int(found[1]), int(found[2]), int(found[4] or 1)
    if last < first or step < 1 or (found[3] == "*" and (step < 2 or first < 1)):
        raise UsageError(
            f"--over {name}: the range {word} has no end; write first..last, first..last+step or "
            "first..last*factor, the first the smaller one"
        )
    if found[3] == "*":
        most = int(math.log(last / first, step) + 1e-9) + 1
        return [first * step**k for k in range(most + 1) if first * step**k <= last]
    if (last - first) // step >= MOST_POINTS:
        raise LimitError(f"--over {name}: the range {word} has more than {MOST_POINTS:,} values")
    return range(first, last + 1, step)


def space_of(over: Sequence[str], where: Sequence[str], file: Path | None = None) -> SweepSpace:
    """Space of options and a file. UsageError; InputError for the file."""
    from_file = read_space(file) if file is not None else SweepSpace(())
    axes = (*from_file.axes, *map(parse_axis, over))
    return checked(SweepSpace(axes, (*from_file.conditions, *where)))


def checked(space: SweepSpace) -> SweepSpace:
    """A space in which each name is varied once, and anything at all. UsageError."""
    names = [axis.name for axis in space.axes]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise UsageError(f"{twice} is varied twice: give all its values at once")
    if not names:
        raise UsageError("nothing is varied: give --over NAME=VALUES, such as --over block=64,128")
    return space


def read_space(path: Path) -> SweepSpace:
    """Read a file of axes and conditions. InputError, located."""
    from warpmill.sweeps.space_file import read  # noqa: PLC0415 - pydantic is slow to load

    form = read(path)
    axes = (axis_of(name, values) for name, values in form.over.items())
    return SweepSpace(tuple(axes), tuple(form.where))
