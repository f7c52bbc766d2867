"""One thread at a time: a device's calls have an order, and its memory one owner."""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable
from typing import Concatenate, ParamSpec, Protocol, TypeVar


class Locked(Protocol):
    """What has a lock of its own."""

    lock: threading.RLock


Self = TypeVar("Self", bound=Locked)
Given = ParamSpec("Given")
Result = TypeVar("Result")


def one_thread(
    method: Callable[Concatenate[Self, Given], Result],
) -> Callable[Concatenate[Self, Given], Result]:
    """Let one thread at a time into an object's methods of this kind; others wait."""

    @functools.wraps(method)
    def guarded(self: Self, /, *args: Given.args, **kwargs: Given.kwargs) -> Result:
        with self.lock:
            return method(self, *args, **kwargs)

    return guarded
