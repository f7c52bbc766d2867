"""What says how a field of an options class stands on the command line.

::

    @dataclass(frozen=True)
    class TraceOptions:
        max_visits: Annotated[int, Opt("Most block visits of a static trace.", least=1)] = 100_000

The class is used from Python as it is; the command line makes ``--max-visits`` of the field. A
field without an ``Opt`` is for Python alone.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

Completes = Literal["machine", "workload", "preset", "target", "kernel", "report"]


@dataclass(frozen=True, kw_only=True)
class _Shown:
    """Parts that options and arguments have in common.

    ``text`` is the type that the command line takes where it is not the field's own, and ``read``
    makes the field's value of it, or raises UsageError. ``completes`` says what a shell completes
    it with where its type does not.
    """

    metavar: str | None = None
    text: Any = None
    read: Callable[[Any], Any] | None = None
    least: float | None = None
    shows_default: bool = True
    completes: Completes | None = None


@dataclass(frozen=True)
class Opt(_Shown):
    """An option: what it is for, and its names where they are not made of the field's.

    ``{default}`` in its help stands for the default, which typer shows of itself where the command
    line takes the field's own type.

    A file that an option ``writes`` may not be one that the command reads; with ``now`` it is also
    seen, before the command begins, that it can be written.
    """

    help: str
    names: tuple[str, ...] = ()
    writes: Literal["now", "later"] | None = None


@dataclass(frozen=True)
class Arg(_Shown):
    """An argument, which stands without a name."""

    help: str


@dataclass(frozen=True)
class Without:
    """Beside an options class in a command's parameter: fields that the command has not."""

    fields: tuple[str, ...]

    def __init__(self, *fields: str) -> None:
        object.__setattr__(self, "fields", fields)


@dataclass(frozen=True)
class Default:
    """Beside an options class in a command's parameter: a field with another default."""

    field: str
    value: Any


@dataclass(frozen=True)
class Help:
    """Beside an options class in a command's parameter: other words of help for a field."""

    field: str
    words: str


@dataclass(frozen=True)
class Choices:
    """Beside an options class in a command's parameter: the words that a field takes there."""

    field: str
    words: tuple[str, ...]

    def __init__(self, field: str, *words: str) -> None:
        object.__setattr__(self, "field", field)
        object.__setattr__(self, "words", words)
