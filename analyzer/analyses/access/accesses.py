"""Memory accesses: address expressions, strides over lanes and loops, and what decides them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from typing import TYPE_CHECKING, Annotated

from warpmill.analyzer.analyses.cfg.graph import Loop
from warpmill.analyzer.analyses.divergence.uniformity import LANE_IDS, Uniformity
from warpmill.analyzer.analyses.ranges.analysis import block_of
from warpmill.analyzer.analyses.structure import Structure
from warpmill.analyzer.analyses.values.ssa import Definition, DefinitionKind
from warpmill.analyzer.analyses.values.symbolic import Atom, AtomKind, Expression
from warpmill.analyzer.analyses.values.symbolic_values import MADE_BY_DEFINITIONS
from warpmill.analyzer.base.metric import INTERNAL, Id, Metric
from warpmill.analyzer.ir.kernel import Instruction, Kernel, Module, Reg, Variable
from warpmill.analyzer.ir.types import OpClass, Space

if TYPE_CHECKING:
    from warpmill.analyzer.analyses.access.warp_lanes import WarpLanes


class AccessPattern(Enum):
    """How lanes spread over memory along x: those of a warp that lie in one row of the block."""

    BROADCAST = "broadcast"  # all of a row at one address
    CONTIGUOUS = "contiguous"  # neighbours in memory, one after another
    STRIDED = "strided"  # a fixed distance that is not the width
    DATA = "data-dependent"  # the address is made from loaded values
    IRREGULAR = "irregular"  # decided by ids, but not by one stride


@dataclass(frozen=True, slots=True)
class MemoryAccess:
    """One load, store or atomic.

    ``space`` is where the address points, found from its base where the opcode says generic;
    ``base`` names the pointer argument or variable that it is counted from, where it is one.
    ``lane_stride`` is what each lane adds to the one before it in a row of the block, as a formula
    in what all lanes share; None where that is no one formula. ``lane_stride_bytes`` is the same
    where it is a number. ``lane_offsets`` are where the lanes of the first warp lie, without what
    they share, where that is not told by the stride; None where more than thread ids decides it.
    ``is_aligned_warp``: this rests on warps lying along x from a multiple of the warp size on, as
    no block is required and the address is not linear in ``tid.x``.
    ``loop_strides_bytes`` are (loop id, bytes an iteration) for the loops around, outermost first;
    None where something else in the address may change from one iteration to the next.
    ``loads`` are (block, instruction) of the loads and atomics whose results make the address, in
    order of the program; those that only make the address of such a load are not among them.
    """

    block: Annotated[int, INTERNAL]
    instruction: Id
    op_class: Annotated[OpClass, Metric("Class")]
    opcode: Annotated[str, Metric("Opcode")]
    space: Annotated[Space, Metric("State space")]
    base: Annotated[str | None, INTERNAL]
    width_bytes: Annotated[int | None, Metric("Bytes per thread")]
    address: Annotated[Expression, Metric("Address")]
    pattern: Annotated[AccessPattern, INTERNAL]
    lane_stride: Annotated[Expression | None, Metric("Lane stride")]
    lane_offsets: Annotated[tuple[int, ...] | None, INTERNAL]
    is_aligned_warp: Annotated[bool, INTERNAL]
    loop_strides_bytes: Annotated[tuple[tuple[int, int | None], ...], INTERNAL]
    loads: Annotated[tuple[tuple[int, int], ...], INTERNAL]

    @property
    def lane_stride_bytes(self) -> int | None:
        """The bytes from each lane to the next in a row of the block, where they are a number."""
        return None if self.lane_stride is None else self.lane_stride.constant


def memory_accesses(module: Module, structure: Structure) -> tuple[MemoryAccess, ...]:
    """Describe every access of a kernel to memory, parameters excepted, in program order."""
    variables = {v.name: v for v in (*module.variables, *structure.kernel.variables)}
    finders = (_Lanes(module, structure), _Deciders(structure))
    return tuple(
        _access(structure, finders, (block.id, i), instruction, variables)
        for block in structure.kernel.blocks
        if block.id in structure.cfg.reachable
        for i, instruction in enumerate(block.instructions)
        if instruction.operation.op_class in _ACCESSES
        and instruction.operation.space is not Space.PARAM
        and instruction.address is not None
    )


_ACCESSES = frozenset({OpClass.LOAD, OpClass.STORE, OpClass.ATOMIC, OpClass.ASYNC_COPY})


def _access(
    structure: Structure,
    finders: tuple[_Lanes, _Deciders],
    place: tuple[int, int],
    instruction: Instruction,
    variables: Mapping[str, Variable],
) -> MemoryAccess:
    operation = instruction.operation
    assert instruction.address is not None
    address = structure.values.of_operand(*place, instruction.address)
    lanes = finders[0].of(address, place)
    loads = finders[1].loads(address)
    around = reversed(structure.loops.containing(place[0]))
    base = _base(structure.kernel, address)
    width = access_width(structure, place, instruction)
    return MemoryAccess(
        *place,
        operation.op_class,
        operation.opcode,
        _space(operation.space, base, variables),
        None if base is None else base.name,
        width,
        address,
        pattern_of(loads, lanes.step, width),
        lanes.step,
        lanes.offsets,
        lanes.is_assumed,
        tuple((loop.id, _constant(loop_step(structure, loop, address))) for loop in around),
        loads,
    )


def access_width(
    structure: Structure, place: tuple[int, int], instruction: Instruction
) -> int | None:
    """The bytes that a thread accesses, by block and instruction; None where data decide."""
    size = instruction.bytes_operand
    if size is None or instruction.width_bytes is not None:
        return instruction.width_bytes
    if place[0] not in structure.cfg.reachable:
        return None
    known = structure.values.of_operand(*place, size).constant
    return known if known is not None and known > 0 else None


@dataclass(frozen=True, slots=True)
class _LaneSteps:
    """How lanes lie to each other, as ``MemoryAccess`` has it."""

    step: Expression | None
    offsets: tuple[int, ...] | None = None
    is_assumed: bool = False


class _Lanes:
    """Differences of addresses from lane to lane."""

    def __init__(self, module: Module, structure: Structure) -> None:
        self._structure, self._uniformity = structure, Uniformity(structure)
        self._block = block_of(structure.kernel.bounds)
        self._warp_size = module.warp_size

    def of(self, address: Expression, place: tuple[int, int]) -> _LaneSteps:
        """Lane steps of an address that an instruction has."""
        step = self._linear_step(address, place[0])
        is_wide = self._block is None or self._block[0] >= self._warp_size
        if step is not None and is_wide:
            return _LaneSteps(step)
        if step is None:
            facts = self._structure.values.facts_where(*place)
            step = self._warps.step(address, place[0], facts)
        offsets = self._warps.first_warp(address, place[0])
        return _LaneSteps(step, offsets, self._block is None)

    @cached_property
    def _warps(self) -> WarpLanes:
        # numpy is slow to load, and most addresses are linear in tid.x
        from warpmill.analyzer.analyses.access.warp_lanes import WarpLanes  # noqa: PLC0415

        return WarpLanes(self._block, self._warp_size, self._structure, self._uniformity)

    def _linear_step(self, address: Expression, place: int) -> Expression | None:
        """Increment for a step in ``tid.x``, that is, for the next lane; None if it is no formula.

        What else stands in the address, and in the formula, has to be the same in all lanes.
        """
        steps = [address.coefficient(Atom(AtomKind.SPECIAL, name)) for name in LANE_IDS]
        if steps[0] is None or steps[1] is None:
            return None
        top = {atom for monomial, _ in address.terms for atom in monomial}
        own = {atom for atom in top if atom.kind is AtomKind.SPECIAL and atom.name in LANE_IDS}
        if any(self._uniformity.varies(atom, place) for atom in top - own):
            return None
        step = steps[0] + steps[1]
        is_shared = not any(a.kind is AtomKind.SPECIAL and a.name in LANE_IDS for a in step.atoms)
        return step if is_shared else None


def loop_step(structure: Structure, loop: Loop, address: Expression) -> Expression | None:
    """Increment of an address per iteration, as a formula; None where that is no one formula.

    Values that are made in the loop may change in it in any way.
    """
    definitions = structure.ssa.definitions
    for atom in address.atoms:
        made = atom.kind in MADE_BY_DEFINITIONS and atom.key >= 0
        if (made and definitions[atom.key].block in loop.members) or atom.kind is AtomKind.UNKNOWN:
            return None
    return address.coefficient(next(iter(structure.values.counter(loop.id).atoms)))


def _constant(step: Expression | None) -> int | None:
    return None if step is None else step.constant


def pattern_of(
    loads: tuple[tuple[int, int], ...], step: Expression | None, width_bytes: int | None
) -> AccessPattern:
    """Name how lanes lie; a step that the launch decides is taken to be one of several elements."""
    if loads:
        return AccessPattern.DATA
    if step is None:
        return AccessPattern.IRREGULAR
    if step.constant == 0:
        return AccessPattern.BROADCAST
    is_next = step.constant is not None and abs(step.constant) == width_bytes
    return AccessPattern.CONTIGUOUS if is_next else AccessPattern.STRIDED


@dataclass(frozen=True, slots=True)
class _Makers:
    """Producers of values: loads by (block, instruction), and values that are chosen or carried."""

    loads: frozenset[tuple[int, int]]
    chosen: frozenset[int]


class _Deciders:
    """Loads that decide addresses, with memory of what chosen values are made from."""

    def __init__(self, structure: Structure) -> None:
        self._structure = structure
        self._makers: dict[int, _Makers] = {}

    def loads(self, address: Expression) -> tuple[tuple[int, int], ...]:
        """(block, instruction) of the loads and atomics whose results make an address.

        Values that control flow chooses or loops carry are followed to all that they may be.
        """
        direct = self._of((address,))
        found, seen, open_ = set(direct.loads), set(direct.chosen), list(direct.chosen)
        while open_:
            id_ = open_.pop()
            if id_ not in self._makers:
                definition = self._structure.ssa.definitions[id_]
                self._makers[id_] = self._of(_sources(self._structure, definition))
            found |= self._makers[id_].loads
            open_ += self._makers[id_].chosen - seen
            seen |= self._makers[id_].chosen
        return tuple(sorted(found))

    def _of(self, values: Iterable[Expression]) -> _Makers:
        loads, chosen, open_ = set(), set(), list(values)
        seen: set[Atom] = set()
        while open_:
            found = {a for monomial, _ in open_.pop().terms for a in monomial} - seen
            seen |= found
            for atom in found:
                if atom.kind is AtomKind.LOAD and atom.key >= 0:
                    made = self._structure.ssa.definitions[atom.key]
                    loads.add((made.block, made.instruction))
                elif atom.kind in _CHOSEN and atom.key >= 0:
                    chosen.add(atom.key)
                elif atom.kind is AtomKind.OPERATION:
                    open_ += atom.operands
        return _Makers(frozenset(loads), frozenset(chosen))


_CHOSEN = frozenset({AtomKind.MERGE, AtomKind.CARRIED})


def _sources(structure: Structure, definition: Definition) -> list[Expression]:
    """Values that a chosen or carried value is made from."""
    if definition.kind is DefinitionKind.PHI:
        inputs = structure.ssa.phi_inputs[definition.id]
        return [structure.values.of_phi_input(i) for i in inputs]
    if definition.kind is not DefinitionKind.INSTRUCTION:
        return []
    place = (definition.block, definition.instruction)
    instruction = structure.kernel.blocks[place[0]].instructions[place[1]]
    read = (*instruction.sources, Reg(definition.register))
    return [structure.values.of_operand(*place, operand) for operand in read]


def _space(written: Space | None, base: Atom | None, variables: Mapping[str, Variable]) -> Space:
    """Memory that an address points into.

    A generic one lies where its base does: in a variable's own space, or in global memory for a
    pointer argument, as a kernel can be given no other. Without a base it stays generic, and where
    the base is a parameter's own address or a function's.
    """
    if written not in (None, Space.GENERIC):
        return written or Space.GENERIC
    if base is None:
        return Space.GENERIC
    if base.kind is AtomKind.ARGUMENT:
        return Space.GLOBAL
    return variables[base.name].space if base.name in variables else Space.GENERIC


def _base(kernel: Kernel, address: Expression) -> Atom | None:
    """The pointer argument or variable that is added once to an address.

    A part of a struct that is passed by value may be a pointer: it is one where nothing else is.
    """
    single = [m[0] for m, factor in address.terms if len(m) == 1 and factor == 1]
    for atom in single:
        if atom.kind is AtomKind.ADDRESS:
            return atom
        if atom.kind is AtomKind.ARGUMENT and _is_pointer(kernel, atom):
            return atom
    parts = [a for a in single if a.kind is AtomKind.ARGUMENT and _is_part(kernel, a)]
    return parts[0] if len(parts) == 1 else None


def _is_pointer(kernel: Kernel, atom: Atom) -> bool:
    parameter = kernel.parameters[atom.key]
    return bool(parameter.is_pointer) or parameter.type.bits == 64


def _is_part(kernel: Kernel, atom: Atom) -> bool:
    parameter = kernel.parameters[atom.key]
    return parameter.size_bytes > parameter.type.size_bytes
