"""Attributes that are worked out when they are first asked for."""

from __future__ import annotations

from functools import cached_property
from typing import Any, Self, TypeVar, overload

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
