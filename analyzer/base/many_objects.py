"""Many objects made and kept quickly: made in bulk, their attributes lazy, the collector paused."""

from __future__ import annotations

import gc
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import fields
from functools import cached_property
from itertools import repeat
from typing import Any, Self, TypeVar, overload


@contextmanager
def gc_paused() -> Iterator[None]:
    """Keep Python from searching for cycles of dead objects: parses, analyses and traces make few.

    They make many objects, and every some hundred of these would have all looked at. The search
    goes on afterwards where it was on before. What was made in between is then counted among the
    old objects (frozen and thawed), or the search would begin with all of it.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            if not gc.get_freeze_count():
                gc.freeze()
                gc.unfreeze()
            gc.enable()


# Attributes that are computed when they are first read.

_Value = TypeVar("_Value")


class lazy(cached_property[_Value]):  # noqa: N801 - a decorator
    """A ``cached_property`` without the lock that Python's has before 3.12.

    For what has no effect but its value: two threads may both work it out. Small objects that are
    made by the ten thousand are asked for little else.
    """

    @overload
    def __get__(self, instance: None, owner: type[Any] | None = None) -> Self: ...

    @overload
    def __get__(self, instance: object, owner: type[Any] | None = None) -> _Value: ...

    def __get__(self, instance: Any, owner: type[Any] | None = None) -> Self | _Value:
        if instance is None:
            return self
        value: _Value = self.func(instance)
        instance.__dict__[self.attrname] = value
        return value


# Objects in bulk: a parse makes some for every few characters of text.

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
