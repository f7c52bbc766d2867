"""Many objects at once: a parse makes some for every few characters of text."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import fields
from itertools import repeat
from typing import Any, TypeVar

T = TypeVar("T")


def instances(made: type[T], columns: Sequence[Sequence[Any]]) -> list[T]:
    """Make one object for each row of ``columns``, as ``made(*row)`` does, in a third of the time.

    ``made`` is a frozen dataclass with slots and without ``__post_init__``. The columns are all of
    one length; fields beyond them have the default of their declaration.
    """
    objects: list[T] = list(map(object.__new__, repeat(made, len(columns[0]))))
    for place, field in enumerate(fields(made)):  # type: ignore[arg-type] # a dataclass
        column = columns[place] if place < len(columns) else repeat(field.default)
        _exhaust(map(getattr(made, field.name).__set__, objects, column))
    return objects


def _exhaust(steps: Iterable[object]) -> None:
    deque(steps, maxlen=0)
