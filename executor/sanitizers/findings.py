"""Findings of the sanitizers: which tool, what happened, and every access that takes part."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from warpmill.analyzer.base.diagnostics import (
    DebugLocation,
    Diagnostic,
    Severity,
    Span,
    UsageError,
)
from warpmill.analyzer.ir.types import Space

Dim3 = tuple[int, int, int]


class Tool(StrEnum):
    """The tools, by the names of compute-sanitizer where it has them."""

    MEMCHECK = "memcheck"
    INITCHECK = "initcheck"
    RACECHECK = "racecheck"
    SYNCCHECK = "synccheck"
    OVERFLOW = "overflow"
    NUMERICS = "numerics"
    PROOFS = "proofs"


Tools = frozenset[Tool]

BY_DEFAULT: Tools = frozenset(Tool) - {Tool.NUMERICS, Tool.PROOFS}
"""The tools that run where none is named."""


def tools_named(words: str) -> tuple[Tool, ...]:
    """Tools by their names with commas between, in the order of ``Tool``. UsageError."""
    wanted = [name.strip() for name in words.split(",") if name.strip()]
    unknown = [name for name in wanted if name not in set(Tool)]
    if unknown:
        told, hint = f"there is no check `{unknown[0]}`", f"tools are {', '.join(Tool)}"
        raise UsageError(Diagnostic(Severity.ERROR, told, hint=hint))
    return tuple(tool for tool in Tool if tool in wanted)


class FindingKind(StrEnum):
    """What was found; each belongs to one tool."""

    OUT_OF_BOUNDS = "out of bounds"
    MISALIGNED = "misaligned"
    NULL_POINTER = "null pointer"
    FREED = "freed memory"
    READ_ONLY = "read-only memory"
    STACK = "stack overflow"
    NO_OBJECT = "no such object"
    RACE = "race"
    SAME_VALUE = "race of equal values"
    COPY = "copy not waited for"
    NARROW_SCOPE = "scope too narrow"
    UNDEFINED_VALUE = "undefined value"
    UNDEFINED_RESULT = "undefined result"
    DIVERGENT_BARRIER = "barrier under divergence"
    BARRIER_NUMBER = "barrier number"
    BARRIER_COUNT = "barrier count"
    DIFFERENT_BARRIERS = "different barriers"
    ABSENT_LANES = "absent lanes"
    EXITED_LANES = "exited lanes"
    DIFFERENT_MASKS = "different masks"
    OUTSIDE_MASK = "lane outside its mask"
    DEADLOCK = "deadlock"
    WRAPPED_ADDRESS = "wrapped address"
    NAN = "NaN made"
    INFINITY = "infinity made"
    ORDER = "result of an order"
    ABORTED = "aborted"


@dataclass(frozen=True)
class FoundAccess:
    """An access, or another event, that takes part in a finding.

    ``what`` is load, store, atomic, copy, barrier, exit or a like word. ``span`` and ``excerpt``
    are of the input ``file``, ``debug`` is the line it was compiled from. ``value`` are the bits
    that were read or written; None where nobody knows. Nor does static analysis know a thread.
    """

    what: str
    instruction: tuple[int, int]
    opcode: str
    file: str
    span: Span | None
    excerpt: str | None
    debug: DebugLocation | None
    cta: Dim3 | None
    thread: Dim3 | None
    warp: int | None
    bytes: int | None = None
    value: int | None = None

    @property
    def where(self) -> Hashable:
        """The line of the source, where the compiler recorded it; else the instruction."""
        debug = None if self.debug is None else self.debug.own
        return (debug.file, debug.line) if debug is not None and debug.line else self.instruction


@dataclass(frozen=True)
class Finding:
    """What a tool found in a launch: the first time that it happened, and how often in all.

    ``launch`` counts from 0, ``launches`` is how many have it. ``other`` is the access before it
    that it conflicts with, of races. ``nearest`` says in words where ``address`` lies. ``details``
    are further lines. ``schedule`` is the number of the run that found it, where there were several
    in different orders.
    """

    tool: Tool
    kind: FindingKind
    severity: Severity
    kernel: str
    launch: int
    message: str
    access: FoundAccess | None = None
    other: FoundAccess | None = None
    space: Space | None = None
    address: int | None = None
    nearest: str | None = None
    count: int = 1
    details: tuple[str, ...] = ()
    hint: str | None = None
    schedule: int = 0
    launches: int = 1

    @property
    def key(self) -> Hashable:
        """What tells it from other findings, whichever of the two accesses came first.

        Places of the source, so that what a compiler unrolled is one; else instructions.
        """
        places = frozenset(one.where for one in self.accesses)
        return self.tool, self.kind, self.kernel, places or self.message

    @property
    def accesses(self) -> tuple[FoundAccess, ...]:
        """Those that there are."""
        return tuple(one for one in (self.access, self.other) if one is not None)


def merged(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """The findings, those of one key as one: of several launches, of unrolled code."""
    alike: dict[Hashable, list[Finding]] = {}
    for one in findings:
        alike.setdefault(one.key, []).append(one)
    return tuple(
        replace(
            own[0],
            count=sum(one.count for one in own),
            launches=len({one.launch for one in own}),
            details=(*own[0].details, *_further(own)),
        )
        for own in alike.values()
    )


_MOST_LINES = 8


def _further(alike: Sequence[Finding]) -> Iterator[str]:
    """The lines of the input that findings have beside those of the first one, in words."""
    lines = dict.fromkeys(
        access.span.line for one in alike for access in one.accesses if access.span is not None
    )
    shown = {access.span.line for access in alike[0].accesses if access.span is not None}
    others = sorted(lines.keys() - shown)
    if others:
        told = ", ".join(map(str, others[:_MOST_LINES]))
        more = f" and {len(others) - _MOST_LINES} more" if len(others) > _MOST_LINES else ""
        yield f"likewise at line{'s' if len(others) > 1 else ''} {told}{more} of the input"


WIDE_INDEX_HINT = "compute the index in 64 bits, (size_t)row * stride + column"
"""What to do about an address that has wrapped."""
