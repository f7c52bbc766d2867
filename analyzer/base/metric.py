"""Descriptions of a result's figures: label, unit, how far each can be trusted.

An engine's result carries this beside each field, once; whatever shows results reads it there:

    cycles: Annotated[float, Metric("Elapsed cycles", "cycle", Mark.MODELLED)]

What follows from fields is a ``derived`` property, and is shown as a field is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from html import escape
from typing import Annotated, Any, ClassVar, Generic, Self, TypeVar, get_type_hints, overload

Value_co = TypeVar("Value_co", covariant=True)


class Mark(StrEnum):
    """How far a figure can be trusted.

    Exact: counted or computed without assumption. Assumed: nobody states it for this very case.
    Sampled: counted on a part and scaled. Modelled: what a model of the machine says.
    """

    EXACT = "exact"
    ASSUMED = "assumed"
    SAMPLED = "sampled"
    MODELLED = "modelled"


@dataclass(frozen=True, slots=True)
class Metric:
    """Meaning of a field to people.

    ``unit`` is one of ``UNITS``. ``mark`` None: that of the class or of what holds it. ``ncu`` is
    Nsight Compute's name of the same quantity, where it has one.
    """

    label: str
    unit: str = ""
    mark: Mark | None = None
    ncu: str | None = None


UNITS = {
    "": "a number, or words",
    "%": "a fraction of 1 in data, per cent in text",
    "B": "bytes, in steps of 1000 in text",
    "B of memory": "bytes, in steps of 1024 in text",
    "µs": "microseconds",
    "s": "seconds",
    "cycle": "cycles of the machine's SM clock",
    "MHz": "10^6 cycles a second",
    "GB/s": "10^9 bytes a second",
    "GFLOP/s": "10^9 floating-point operations a second",
    "FLOP": "floating-point operations, a fused multiply-add two",
    "FLOP/B": "floating-point operations a byte of DRAM traffic",
    "inst": "warp instructions",
    "thread inst": "thread instructions",
    "inst/cycle": "warp instructions a cycle",
    "thread": "threads",
    "bit": "bits",
    "warp": "warps",
    "CTA": "thread blocks",
    "sector": "sectors of 32 bytes, or as the machine has them",
    "x": "a factor",
}
"""The units of figures, with what each means."""


class Named(str):
    """A name that people read, with the ``key`` that data has for it."""

    key: str

    def __new__(cls, key: str, label: str) -> Self:
        """The text is the label."""
        made = super().__new__(cls, label)
        made.key = key
        return made

    def __reduce__(self) -> tuple[Any, ...]:  # for pickle and copy
        return type(self), (self.key, str(self)), vars(self)


class Identifier:
    """Annotation for a number that names a place and is no figure."""


Id = Annotated[int, Identifier()]
"""A line, a column, the number of a block: no figure."""


class Internal:
    """Annotation for a field that other code reads and no report shows."""


INTERNAL = Internal()


class Derived(Generic[Value_co]):
    """A property that results show as they show fields."""

    def __init__(self, function: Callable[[Any], Value_co], metric: Metric) -> None:
        self.function = function
        self.metric = metric
        self.__doc__ = function.__doc__

    @overload
    def __get__(self, instance: None, owner: type) -> Derived[Value_co]: ...
    @overload
    def __get__(self, instance: object, owner: type) -> Value_co: ...
    def __get__(self, instance: object | None, owner: type) -> Derived[Value_co] | Value_co:
        return self if instance is None else self.function(instance)


def derived(
    label: str, unit: str = "", mark: Mark | None = None, ncu: str | None = None
) -> Callable[[Callable[[Any], Value_co]], Derived[Value_co]]:
    """A property with a ``Metric``, which results show as they show fields."""
    return lambda function: Derived(function, Metric(label, unit, mark, ncu))


class Tabled:
    """A result that Python prints as a table of its figures, a label and a value a line.

    Parts, lists and what is unknown are left out; pages of the commands have them.
    """

    def __repr__(self) -> str:
        rows = list(self._rows())
        width = max((len(label) for label, _ in rows), default=0)
        return "\n".join([type(self).__name__, *(f"  {x:{width}}  {v}" for x, v in rows)])

    def _repr_html_(self) -> str:
        rows = (f"<tr><th>{escape(x)}</th><td>{escape(v)}</td></tr>" for x, v in self._rows())
        return f"<table><tbody>{''.join(rows)}</tbody></table>"

    def _rows(self) -> Iterator[tuple[str, str]]:
        """Labels and values of the figures and words that stand in the result itself."""
        hints = get_type_hints(type(self), include_extras=True)
        metrics: dict[str, Any] = {
            name: next(
                (e for e in getattr(hint, "__metadata__", ()) if isinstance(e, Metric)), None
            )
            for name, hint in hints.items()
        }
        for owner in reversed(type(self).__mro__):
            metrics |= {n: d.metric for n, d in vars(owner).items() if isinstance(d, Derived)}
        for name, metric in metrics.items():
            value = None if metric is None else getattr(self, name)
            if isinstance(value, float) and metric.unit == "%":
                yield metric.label, f"{value:.1%}"
            elif isinstance(value, int | float | str):
                shown = f"{value:,.6g}" if isinstance(value, float) else str(value)
                yield metric.label, f"{shown} {metric.unit}".rstrip()


@dataclass(frozen=True, slots=True)
class FigureRange:
    """A figure with everything at the low ends of what was assumed, and at the high ends."""

    marked_as_one: ClassVar[bool] = True

    low: float
    high: float


@dataclass(frozen=True, slots=True)
class CountRange:
    """A count with everything at the low ends of what was assumed, and at the high ends."""

    marked_as_one: ClassVar[bool] = True

    low: int
    high: int
