"""Where a warp keeps its registers between blocks: one vector of all lanes for each."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field

from warpmill.analyzer.ir.kernel import Function
from warpmill.analyzer.ir.types import Type, TypeKind

_ALIGN = 64  # bytes of the widest vector that a CPU stores at once


@dataclass(frozen=True)
class FrameSlot:
    """A register's place in the frame: bytes from its start, and the LLVM type of one lane.

    ``uniform`` ones hold one number for all lanes. A negative offset is no place: such a register
    lives within one piece of code only.
    """

    offset: int
    type: str
    uniform: bool = False


@dataclass(frozen=True)
class FrameLayout:
    """The places of all registers of a kernel, of the carry flag and of the stack's end.

    The stack is what ``alloca`` takes: bytes of local memory after the variables, by lane.
    """

    lanes: int
    slots: tuple[tuple[FrameSlot, ...], ...]  # by register index; several of a vector register
    carry: FrameSlot
    stack: FrameSlot
    bytes: int

    @property
    def flat(self) -> tuple[tuple[FrameSlot, ...], ...]:
        """The slots of each register, and after the last those of the flag and the stack."""
        return (*self.slots, (self.carry,), (self.stack,))


def storage_type(type_: Type) -> str:
    """Give the LLVM type that a register of a type is kept in: an integer of its bits."""
    if type_.kind is TypeKind.PREDICATE:
        return "i1"
    return f"i{max(8, type_.bits)}"


def lay_out_frame(
    function: Function, lanes: int, invariant: Collection[int] = frozenset(), kept: int = -1
) -> FrameLayout:
    """Place the registers of a function one after another; predicates take a bit a lane.

    Those of ``invariant``, by index, have one value for all lanes. Only those of ``kept``, bits by
    index, get a place.
    """
    build = _Build(lanes)
    slots = tuple(
        tuple(
            build.place(storage_type(r.type), uniform=k in invariant, kept=bool(kept >> k & 1))
            for _ in range(r.vector)
        )
        for k, r in enumerate(function.registers)
    )
    carry, stack = build.place("i1"), build.place("i32")
    return FrameLayout(lanes, slots, carry, stack, max(build.end, _ALIGN))


@dataclass
class _Build:
    lanes: int
    end: int = field(default=0)
    unplaced: int = field(default=0)

    def place(self, type_: str, *, uniform: bool = False, kept: bool = True) -> FrameSlot:
        """Give the next place for a register, or a number of its own where it needs none."""
        if not kept:
            self.unplaced -= 1
            return FrameSlot(self.unplaced, type_, uniform)
        bits = int(type_[1:])
        size = 8 if bits == 1 else max(8, bits // 8 * (1 if uniform else self.lanes))
        align = min(_ALIGN, max(8, size & -size))
        start = -(-self.end // align) * align
        self.end = start + size
        return FrameSlot(start, type_, uniform)
