"""A block as a dependence graph: what each of its instructions waits for, reads and makes.

Values stand for registers here: a register that is written twice is two values, so that only true
dependences and the order of memory bind the instructions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from warpmill.analyzer.analyses.liveness.liveness import members
from warpmill.analyzer.analyses.liveness.values import InstructionRegisters
from warpmill.analyzer.ir.types import OpClass, Space

ALU_LATENCY, SHARED_LATENCY, GLOBAL_LATENCY = 4, 20, 30
"""Issue slots that a scheduler leaves between an instruction and what waits for it.

Rough on purpose: arithmetic and shared memory as micro-benchmarks report them since Volta, and for
global memory enough that what is independent goes first. Half or three times as much for memory
changes the median error by less than a hundredth.
"""

_SHARED, _GLOBAL, _LOCAL = 1, 2, 4
_SETS = {
    Space.SHARED: _SHARED,
    Space.GLOBAL: _GLOBAL,
    Space.LOCAL: _LOCAL,
    Space.GENERIC: _SHARED | _GLOBAL | _LOCAL,
    Space.CONST: 0,
    Space.PARAM: 0,
}
_LOADS = frozenset({OpClass.LOAD, OpClass.TEXTURE, OpClass.MATRIX_MOVE})
_UNORDERED_EFFECTS = frozenset({"reads", "convergent"})


class GraphStep(NamedTuple):
    """One instruction: the values that it reads and makes, the steps before it, its latency."""

    reads: tuple[int, ...]
    makes: tuple[int, ...]
    after: tuple[int, ...]
    latency: int


@dataclass(frozen=True)
class BlockGraph:
    """A block's steps in the order of the text, and its values.

    ``weights`` are the registers of each value and ``uses`` the steps that read it; the first
    ``entering`` values are there from the start, and those in ``leaving`` stay to the end.
    ``anchors`` are the steps that do something beside making values, in order.
    """

    steps: tuple[GraphStep, ...]
    weights: tuple[int, ...]
    uses: tuple[int, ...]
    entering: int
    leaving: frozenset[int]
    anchors: tuple[int, ...]

    @property
    def most(self) -> int:
        """The registers of all values together: no order needs more."""
        return sum(self.weights)


def build_region(
    lines: Sequence[InstructionRegisters], on_entry: int, at_end: int, weights: Sequence[int]
) -> BlockGraph:
    """Make the graph of a block from its lines and the sets that are live around it."""
    values = _Values(weights)
    for register in members(on_entry):
        values.write(register)
    entering = len(values.weights)
    memory = _MemoryOrder()
    steps, anchors = [], []
    for number, line in enumerate(lines):
        reads = tuple([values.read(register) for register in line.reads])
        latency, waits, is_anchor = memory.place(number, line)
        if _ends_block(line):
            waits.update(range(number))
        waits.update([values.maker[value] for value in reads])
        waits.discard(-1)
        makes = tuple([values.write(register, number) for register in line.writes])
        steps.append(GraphStep(reads, makes, tuple(sorted(waits)), latency))
        if is_anchor:
            anchors.append(number)
    leaving = frozenset(values.now[r] for r in members(at_end) if r in values.now)
    sums = tuple(values.weights), tuple(values.uses)
    return BlockGraph(tuple(steps), *sums, entering, leaving, tuple(anchors))


def _ends_block(line: InstructionRegisters) -> bool:
    return line.instruction.is_branch or "ends" in line.instruction.operation.effects


@dataclass
class _Values:
    """The value that each register holds now, as the lines of a block go by."""

    of_register: Sequence[int]
    now: dict[int, int] = field(default_factory=dict)
    weights: list[int] = field(default_factory=list)
    uses: list[int] = field(default_factory=list)
    maker: list[int] = field(default_factory=list)

    def write(self, register: int, step: int = -1) -> int:
        value = self.now[register] = len(self.weights)
        self.weights.append(self.of_register[register])
        self.uses.append(0)
        self.maker.append(step)
        return value

    def read(self, register: int) -> int:
        value = self.now[register] if register in self.now else self.write(register)
        self.uses[value] += 1
        return value


@dataclass
class _MemoryOrder:
    """Which steps a memory access has to wait for, by the spaces that it may touch.

    A load waits for stores before it, a store for loads and stores, and all else that has an effect
    (barriers, atomics, branches) for everything with one. Addresses are not looked at.
    """

    stores: dict[int, int] = field(default_factory=dict)
    loads: dict[int, list[int]] = field(default_factory=dict)
    fence: int = -1

    def place(self, number: int, line: InstructionRegisters) -> tuple[int, set[int], bool]:
        """Give a step's latency, the steps that it waits for, and whether it is an anchor."""
        operation = line.instruction.operation
        spaces = _spaces(line)
        if operation.op_class in _LOADS and not operation.effects - _UNORDERED_EFFECTS:
            latency = SHARED_LATENCY if spaces == _SHARED else GLOBAL_LATENCY
            return latency, self._load(number, spaces), False
        if operation.op_class is OpClass.STORE and operation.effects == {"writes"}:
            return ALU_LATENCY, self._store(number, spaces), True
        if operation.effects - {"convergent"} or line.instruction.is_branch:
            return _latency(operation.op_class), self._fence(number), True
        return _latency(operation.op_class), set(), False

    def _load(self, number: int, spaces: int) -> set[int]:
        waits = {self.fence} if spaces else set()
        for space in _each(spaces):
            self.loads.setdefault(space, []).append(number)
            waits.add(self.stores.get(space, -1))
        return waits

    def _store(self, number: int, spaces: int) -> set[int]:
        waits = {self.fence}
        for space in _each(spaces):
            waits.update(self.loads.pop(space, ()))
            waits.add(self.stores.get(space, -1))
            self.stores[space] = number
        return waits

    def _fence(self, number: int) -> set[int]:
        waits = {self.fence, *self.stores.values()}
        waits.update(load for loads in self.loads.values() for load in loads)
        self.stores.clear()
        self.loads.clear()
        self.fence = number
        return waits


def _latency(op_class: OpClass) -> int:
    if op_class is OpClass.ATOMIC:
        return GLOBAL_LATENCY
    return SHARED_LATENCY if op_class is OpClass.SHUFFLE else ALU_LATENCY


def _spaces(line: InstructionRegisters) -> int:
    """Give the spaces that an access may touch; 0 for memory that nobody writes meanwhile."""
    operation = line.instruction.operation
    if operation.op_class is OpClass.TEXTURE or "nc" in operation.modifiers:
        return 0
    if operation.op_class is OpClass.MATRIX_MOVE:
        return _SHARED
    return _SETS.get(operation.space or Space.GENERIC, _SETS[Space.GENERIC])


def _each(spaces: int) -> tuple[int, ...]:
    return tuple(space for space in (_SHARED, _GLOBAL, _LOCAL) if space & spaces)
