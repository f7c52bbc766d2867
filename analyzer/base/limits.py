"""Limits of inlining, of the stack and of events; light, so that the command line can name them."""

from __future__ import annotations

import os

from warpmill.analyzer.base.diagnostics import InputError

MOST_VARIABLE_BYTES = 1 << 47
"""Bytes of a variable or a parameter: what the addresses of GPUs reach."""

MOST_INLINED = 200_000
"""Instructions that a kernel may grow to by inlining; each block counts as one more."""

MOST_INLINED_VARIABLE = "WARPMILL_MAX_INLINED"
"""The environment variable that moves the limit, as --max-inlined does; processes inherit it."""


MOST_STACK = 16 << 10
"""Bytes of local memory that a thread has for recursive calls and ``alloca``."""

MOST_STACK_VARIABLE = "WARPMILL_MAX_STACK"
"""The environment variable that moves the limit, as --max-stack does; processes inherit it."""


MOST_EVENT_BYTES = 1 << 30
"""Bytes that the events of CTAs that are held at once take, as warps write them down."""

MOST_EVENT_BYTES_VARIABLE = "WARPMILL_MAX_EVENT_BYTES"
"""The environment variable that moves the limit, as --max-event-bytes does."""


def most_event_bytes() -> int:
    """The bytes of events. InputError where the environment has no number."""
    return moved_limit(MOST_EVENT_BYTES_VARIABLE, MOST_EVENT_BYTES, "bytes")


def most_stack() -> int:
    """The bytes of a thread's stack. InputError where the environment has no number."""
    return moved_limit(MOST_STACK_VARIABLE, MOST_STACK, "bytes")


def most_inlined() -> int:
    """The limit of instructions. InputError where the environment has no number."""
    return moved_limit(MOST_INLINED_VARIABLE, MOST_INLINED, "instructions")


def moved_limit(variable: str, usual: int, unit: str) -> int:
    """A limit as the environment has it where it is moved there, else ``usual``. InputError."""
    given = os.environ.get(variable)
    if not given:
        return usual
    if not given.isascii() or not given.isdigit() or int(given) == 0:
        raise InputError(f"{variable}={given:.40} is no number of {unit}")
    return int(given)
