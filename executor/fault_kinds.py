"""What can go wrong while a kernel runs, by the numbers that generated code notes."""

from __future__ import annotations

from enum import IntEnum


class FaultKind(IntEnum):
    """Kinds of faults."""

    OUT_OF_BOUNDS = 1
    MISALIGNED = 2
    NULL = 3
    UNINITIALISED_SHARED = 4
    DIVERGENT_BARRIER = 5
    BARRIER_DEADLOCK = 6
    SPIN = 7
    TRAP = 8
    TEXTURE = 9
    BARRIER_NUMBER = 10
    ASSERTION = 11
    READ_ONLY = 12
    NO_FUNCTION = 13
    STACK = 14
