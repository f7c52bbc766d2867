"""Steps of a kernel: what the checker's threads do one after another."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from warpmill.analyzer.ir.types import Space, Type

Registers = list[int | None]
Compute = Callable[[Registers, Mapping[str, int]], None]
Sources = Callable[[Registers, Mapping[str, int]], tuple[int | None, ...]]


class FaultError(Exception):
    """What no schedule of a right kernel comes to; its words say what and where."""


@dataclass(slots=True)
class Access:
    """An access to memory, or an operation on it.

    ``size`` are the bytes of each of ``count`` elements. ``sign`` extends what is loaded: the bit
    of the sign and the mask of the register. ``key`` is equal where two atomics commute, and None
    where the result is used or they do not.
    """

    kind: str
    opcode: str
    line: int
    space: Space
    base: int | None
    offset: int
    size: int
    count: int = 1
    dests: tuple[int | None, ...] = ()
    sign: tuple[int, int] | None = None
    sources: Sources | None = None
    is_strong: bool = False
    is_wide: bool = False
    acquires: bool = False
    releases: bool = False
    is_read_only: bool = False
    atomic: str = ""
    type: Type | None = None
    key: tuple[Any, ...] | None = None
    words: tuple[str, ...] = ()
    origin: Access | None = None  # of a copy: what is read
    object: Access | None = None  # of a bulk copy: the barrier object that it arrives at


@dataclass(slots=True)
class Meeting:
    """An operation at which threads wait for others: a barrier, or lanes of a warp."""

    kind: str
    opcode: str
    line: int
    sources: Sources
    dests: tuple[int | None, ...] = ()
    words: tuple[str, ...] = ()
    type: Type | None = None


@dataclass(slots=True)
class Step:
    """A step of a program, under a guard: (register, whether it is negated).

    ``lines`` are those of the text that it was made of.
    """

    kind: str  # compute, jump, exit, access, meet, fence, commit, wait, trap
    guard: tuple[int, bool] | None
    data: Any = None
    line: int = 0
    lines: tuple[int, ...] = ()


@dataclass
class Program:
    """Steps of a kernel."""

    steps: list[Step] = field(default_factory=list)


@dataclass(frozen=True)
class Layout:
    """Where symbols are: the address of each, bytes of the parameters with each one's offset."""

    addresses: Mapping[str, int]
    parameters: bytes
    offsets: Mapping[str, int]


def extended(value: int, sign: tuple[int, int] | None) -> int:
    """A value as a wider register holds it: (bit of its sign, mask of the register)."""
    return value if sign is None else (value ^ sign[0]) - sign[0] & sign[1]
