"""Slots: places of memory that hold values as registers do.

A slot is some bytes of a local variable that loads read at an address which is known: the
variable's and a number. In the side table of static single assignment it is a register more, which
stores write and loads read. Those of shared variables are registers that a CTA has one of.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from warpmill.analyzer.ir.kernel import Operand, Register
from warpmill.analyzer.ir.places import Place
from warpmill.analyzer.ir.types import Type


@dataclass(frozen=True, slots=True)
class SlotRead:
    """The slot that a load takes a register's value from, and the type that it is read as."""

    slot: int
    type: Type


@dataclass(frozen=True, slots=True)
class SlotPart:
    """Bytes of a stored value that go to a slot: ``size`` of them, from byte ``first`` of it on.

    They lie from byte ``at`` of the slot on. The value has ``of`` bytes.
    """

    value: Operand
    at: int
    first: int
    size: int
    of: int


@dataclass(frozen=True, slots=True)
class SlotWrite:
    """What a slot is given; ``value`` is None where that is no one operand as it is.

    ``parts`` are what it is made of then, lowest first, where that is known, beside bytes that stay
    as they are where ``keeps``. ``by_one``: one thread of the CTA stores it, for all.
    """

    value: Operand | None
    parts: tuple[SlotPart, ...] = ()
    keeps: bool = False
    by_one: bool = False

    @property
    def operands(self) -> tuple[Operand, ...]:
        """The operands that it is made of."""
        return tuple(p.value for p in self.parts) if self.value is None else (self.value,)


@dataclass(frozen=True)
class Slots:
    """The slots of a function, numbered on after its registers, and where they are used.

    ``variables`` are those that they lie in. ``reads`` gives for loads the slot of each register
    that is written, ``writes`` the slots that change at a place. ``shared`` are those in shared
    memory; ``ways`` gives for a block that ways lead to on which one thread stores in some of
    them, by slot, the predecessors that this thread comes from: what it stores counts for all.
    """

    registers: tuple[Register, ...] = ()
    variables: tuple[str, ...] = ()
    reads: Mapping[Place, Mapping[int, SlotRead]] = field(default_factory=dict)
    writes: Mapping[Place, Mapping[int, SlotWrite]] = field(default_factory=dict)
    shared: frozenset[int] = frozenset()
    ways: Mapping[int, Mapping[int, frozenset[int]]] = field(default_factory=dict)

    def read_at(self, block: int, instruction: int) -> Mapping[int, SlotRead]:
        """The slots that an instruction reads, by the register that each goes to."""
        return self.reads.get((block, instruction), {})

    def written_at(self, block: int, instruction: int) -> Mapping[int, SlotWrite]:
        """The slots that an instruction writes, by their numbers."""
        return self.writes.get((block, instruction), {})


NO_SLOTS = Slots()
"""What a function has that keeps nothing in memory that is followed."""
