"""Whether the CTAs of a launch may run in any order, at the same time too: decided before it runs.

Two CTAs depend on each other where one may write a byte of global memory that the other accesses.
What an instruction may reach follows from the launch's numbers (``affine_values.py``); where that
says too little, as for ``x[column[i]]``, the access can be confined to the allocation that it is
counted from: generated code refuses it anything else, and a run in which that happens is undone and
run in order (``workers.py``). Reductions whose old value nobody takes, of integer operations that
commute, depend on others only. Nothing here is a guess that could change a result.
"""

from __future__ import annotations

import math
from collections import OrderedDict
from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from warpmill.analyzer.analyses.analyse import analyse_structure
from warpmill.analyzer.analyses.structure import Structure
from warpmill.analyzer.analyses.values.ssa import DefinitionKind
from warpmill.analyzer.base.diagnostics import Span
from warpmill.analyzer.ir.externs import ASSERTIONS, callee_of
from warpmill.analyzer.ir.kernel import (
    Address,
    Arguments,
    Imm,
    Instruction,
    Kernel,
    Module,
    Operand,
    Pair,
    Special,
    TupleAddress,
    Vector,
    registers_in,
)
from warpmill.analyzer.ir.operation import Knowledge
from warpmill.analyzer.ir.types import OpClass, Place, Space
from warpmill.analyzer.launch.numbering import CONST_WINDOW, GLOBAL_BASE
from warpmill.executor.device_memory import DeviceMemory
from warpmill.executor.independence.affine import (
    LaunchNumbers,
    LinearForm,
    Term,
    TouchedBytes,
    exact,
    is_private,
)
from warpmill.executor.independence.affine_rules import PREDICATES, RULES, evaluate
from warpmill.executor.independence.affine_values import AffineValues
from warpmill.executor.independence.decisions import Decision, Dependence, Range

_Prepared = tuple[Structure, frozenset[int], Dependence | None]


def decide(
    module: Module,
    kernel: Kernel,
    facts: LaunchNumbers,
    memory: DeviceMemory,
    textures: npt.NDArray[np.int64] | None = None,
    *,
    only_reads: bool = False,
) -> Decision:
    """Decide of a launch of a kernel whose functions are inlined.

    ``only_reads``: what counts is what CTAs read, as where a few of them are traced; who wrote a
    byte last does not, for nobody looks at memory afterwards.
    """
    if math.prod(facts.grid) <= 1:
        return Decision()
    structure, needed, found = prepared(kernel)
    if found is not None:
        return Decision(found)
    values = AffineValues(module, structure, facts, needed, evaluate)
    try:
        accesses = list(accesses_of(values, memory, textures))
    except _Unclear as unclear:
        return Decision(unclear.dependence)
    return _judged(accesses, values.ctas, memory, only_reads=only_reads)


@dataclass(frozen=True)
class ReachedAllocations:
    """Allocations that a launch reaches: those that its stores and atomics are counted from.

    ``written`` None: one is counted from nothing that is known. What leaves its allocation is not
    among them. ``loaded`` are loads that cannot leave theirs.
    """

    written: frozenset[Range] | None
    loaded: Mapping[Place, Range]


def reached_allocations(
    module: Module, kernel: Kernel, facts: LaunchNumbers, memory: DeviceMemory
) -> ReachedAllocations:
    """Find the allocations that a launch of a kernel reaches: once for launches that are alike."""
    sizes, symbols = (facts.grid, facts.block), tuple(sorted(facts.symbols.items()))
    key = id(kernel), sizes, facts.params, symbols, memory.table()[:, :2].tobytes()
    if key not in _REACHED:
        _REACHED[key] = kernel, _reached_allocations(module, kernel, facts, memory)
        if len(_REACHED) > _MOST_PREPARED:
            _REACHED.popitem(last=False)
    return _REACHED[key][1]


_REACHED: OrderedDict[Hashable, tuple[Kernel, ReachedAllocations]] = OrderedDict()


def _reached_allocations(
    module: Module, kernel: Kernel, facts: LaunchNumbers, memory: DeviceMemory
) -> ReachedAllocations:
    structure, needed, _ = prepared(kernel)
    values = AffineValues(module, structure, facts, needed, evaluate)
    written: set[Range | None] = set()
    loaded: dict[Place, Range] = {}
    for block in kernel.blocks:
        if block.id not in structure.cfg.reachable:
            continue
        for number, instruction in enumerate(block.instructions):
            name, place = instruction.operation.name, (block.id, number)
            if not may_be_global(instruction) or name == "cp.async":
                continue
            address = next((o for o in instruction.operands if isinstance(o, Address)), None)
            if address is None or name not in _READS | _WRITES:
                written.add(None)
                continue
            form, raw, holds = address_form(values, place, address)
            width = instruction.operation.width_bytes
            reach = TouchedBytes(form, width or 1, tuple(holds))
            if reach.end <= CONST_WINDOW:
                continue  # shared or local memory, by a generic address
            root = _root(raw.constant, memory)
            if name in _WRITES:
                written.add(root)
            elif root is not None and width and root[0] <= reach.first and reach.end <= root[1]:
                loaded[place] = root
    known = frozenset(one for one in written if one is not None)
    return ReachedAllocations(None if None in written else known, loaded)


_PREPARED: OrderedDict[int, tuple[Kernel, _Prepared]] = OrderedDict()
_MOST_PREPARED = 64


def prepared(kernel: Kernel) -> _Prepared:
    """Facts that are the same in all launches of a kernel, kept for the latest kernels."""
    if id(kernel) not in _PREPARED:
        structure = analyse_structure(kernel, follows_memory=False)
        known = {*RULES, *PREDICATES}
        needed = needed_definitions(structure, may_be_global, known)
        order = next(_orders(kernel, structure), None)
        _PREPARED[id(kernel)] = kernel, (structure, needed, order)
        if len(_PREPARED) > _MOST_PREPARED:
            _PREPARED.popitem(last=False)
    return _PREPARED[id(kernel)][1]


# What makes the order visible by itself.

_CLOCKS = ("clock", "globaltimer")


def _orders(kernel: Kernel, structure: Structure) -> Iterator[Dependence]:
    for block in kernel.blocks:
        if block.id not in structure.cfg.reachable:
            continue
        copied = tuple(value for edge in block.incoming for _, value in edge.copies)
        yield from (Dependence(f"%{name} is read") for name in _clocks(copied))
        for i in block.instructions:
            yield from (Dependence(f"%{name} is read", i.span) for name in _clocks(i.operands))
            if i.operation.op_class is OpClass.CALL and callee_of(i) not in ASSERTIONS:
                yield Dependence("the host is called", i.span)


def _clocks(operands: tuple[Operand, ...]) -> Iterator[str]:
    for operand in operands:
        match operand:
            case Special(name):
                if name.startswith(_CLOCKS):
                    yield name
            case Vector(items) | Arguments(items) | TupleAddress(items):
                yield from _clocks(items)
            case Pair(first, second):
                yield from _clocks((first, second))


# What is accessed.

_LOAD, _STORE = "load", "store"


@dataclass(frozen=True)
class _Access:
    """An access of global memory: a load, a store, or a reduction by what it does.

    ``root`` is the allocation that its address is counted from, where that is clear.
    """

    place: Place
    kind: str
    reach: TouchedBytes
    root: Range | None
    span: Span | None

    @property
    def is_inside(self) -> bool:
        """Whether it cannot leave the allocation that it is counted from."""
        if self.root is None:
            return False
        return self.root[0] <= self.reach.first and self.reach.end <= self.root[1]


class _Unclear(Exception):  # noqa: N818 - it never leaves this file
    """An instruction of which nothing can be said."""

    def __init__(self, reason: str, span: Span) -> None:
        super().__init__(reason)
        self.dependence = Dependence(reason, span)


_NEVER_GLOBAL = frozenset({Space.SHARED, Space.LOCAL, Space.CONST, Space.PARAM})
_HARMLESS = frozenset({OpClass.PREFETCH, OpClass.TEXTURE, OpClass.CALL})
_READS = frozenset({"ld", "ldu", "wmma.load", "ldmatrix"})
_WRITES = frozenset({"st", "atom", "red", "wmma.store"})


def accesses_of(
    values: AffineValues, memory: DeviceMemory, textures: npt.NDArray[np.int64] | None
) -> Iterator[_Access]:
    """Describe what each instruction that may access global memory can reach."""
    read = _registers_read(values.structure.kernel)
    for block in values.structure.kernel.blocks:
        if block.id not in values.structure.cfg.reachable:
            continue
        for number, instruction in enumerate(block.instructions):
            if instruction.operation.op_class is OpClass.TEXTURE or (
                instruction.operation.name in ("suld", "suq")
            ):
                yield from _textures(instruction, memory, textures)
            elif may_be_global(instruction):
                place = block.id, number
                access = _access(values, place, instruction, memory, read)
                if access is not None:
                    yield access


def may_be_global(instruction: Instruction) -> bool:
    """Whether an instruction may access global memory."""
    operation = instruction.operation
    if operation.knowledge is Knowledge.NEAREST or operation.op_class is OpClass.UNKNOWN:
        return True
    touches = operation.effects & {"reads", "writes"} or operation.op_class.is_memory
    if not touches or operation.op_class in _HARMLESS:
        return False
    return not operation.spaces or not set(operation.spaces) <= _NEVER_GLOBAL


def _access(
    values: AffineValues,
    place: Place,
    instruction: Instruction,
    memory: DeviceMemory,
    read: frozenset[int],
) -> _Access | None:
    """Describe what an instruction reaches of global memory; None where that is nothing."""
    operation, operands = instruction.operation, instruction.operands
    addresses = [o for o in operands if isinstance(o, Address)]
    width = operation.width_bytes
    if operation.name in _READS:
        kind = _LOAD
    elif operation.name == "st":
        kind = _STORE
    elif operation.name == "cp.async":
        kind, addresses = _LOAD, addresses[1:]
        width = next((o.value for o in operands if isinstance(o, Imm)), None)
    elif operation.name in ("atom", "red"):
        kind = _reduction(instruction, read)
    else:
        raise _Unclear(f"`{operation.opcode}` accesses memory in its own way", instruction.span)
    if len(addresses) != 1:
        raise _Unclear(f"`{operation.opcode}` has no plain address", instruction.span)
    form, raw, holds = address_form(values, place, addresses[0])
    if form is values.anywhere or width is None:
        form, width = values.anywhere, 1
    reach = TouchedBytes(form, width, tuple(holds))
    if reach.end <= (GLOBAL_BASE if kind == _LOAD else CONST_WINDOW):
        return None  # shared, local or constant memory, by a generic address
    root = _root(raw.constant, memory)
    return _Access(place, kind, reach, root, instruction.span)


def address_form(
    values: AffineValues, place: Place, address: Address
) -> tuple[LinearForm, LinearForm, Sequence[LinearForm]]:
    """An address as it is, as its arithmetic comes to without a wrap, and what holds there."""
    raw, holds = values.raw_address(*place, address)
    form = exact(raw, values.module.address_bits, signed=False, constraints=holds)
    return (values.anywhere if form is None else form), raw, holds


_COMMUTING = ("add", "min", "max", "and", "or", "xor")
_WORDS = (*_COMMUTING, "sub", "inc", "dec", "exch", "cas", "nand", "sub_cond", "sub_sat")


def _reduction(instruction: Instruction, read: frozenset[int]) -> str:
    """Name what a reduction does; others are unclear."""
    operation = instruction.operation
    word = next((w for w in operation.modifiers if w in _WORDS), None)
    type_ = operation.type
    named = f"`{operation.opcode}`"
    if word not in _COMMUTING or type_ is None or operation.vector > 1:
        raise _Unclear(f"{named} gives another result in another order", instruction.span)
    if not type_.is_integer or type_.lanes > 1:
        raise _Unclear(f"{named} rounds otherwise in another order", instruction.span)
    written = [i for o in instruction.destinations for i in registers_in(o)]
    if any(i in read for i in written):
        raise _Unclear(f"{named} tells what others did before", instruction.span)
    # of the operations, min and max alone look at signs
    sign = type_.name if word in ("min", "max") else str(type_.bits)
    return f"{word} of {sign}"


def _registers_read(kernel: Kernel) -> frozenset[int]:
    found = {i for instruction in kernel.instructions for i in instruction.reads}
    for block in kernel.blocks:
        for edge in block.incoming:
            found |= {i for _, value in edge.copies for i in registers_in(value)}
    return frozenset(found)


def _textures(
    instruction: Instruction, memory: DeviceMemory, textures: npt.NDArray[np.int64] | None
) -> Iterator[_Access]:
    """The memory of all textures, which any lane may read."""
    hosts = [] if textures is None else [int(row[0]) for row in textures]
    for start, end, host in memory.table().tolist():
        if any(host <= h < host + end - start for h in hosts):
            reach = TouchedBytes(LinearForm(start), end - start)
            yield _Access((-1, -1), _LOAD, reach, (start, end), instruction.span)


def _root(address: int, memory: DeviceMemory) -> Range | None:
    """The allocation that an address is in or next to; None where it is a small number."""
    if address < GLOBAL_BASE - _NEAR:
        return None
    rows = memory.table()[:, :2].tolist()
    gaps = [max(start - address, address - end, 0) for start, end in rows]
    if not gaps:
        return None
    start, end = rows[gaps.index(min(gaps))]
    return start, end


_NEAR = 1 << 16  # bytes before the first allocation


# What is decided.


_MOST_PAIRS = 100_000


def _judged(
    accesses: list[_Access], ctas: list[Term], memory: DeviceMemory, *, only_reads: bool
) -> Decision:
    """Confine accesses where that makes all pairs independent."""
    confined: dict[Place, Range] = {}
    writes = [a for a in accesses if a.kind != _LOAD]
    loads = [a for a in accesses if a.kind == _LOAD]
    if len(writes) * len(accesses) > _MOST_PAIRS:
        return Decision(Dependence("it has too many accesses to compare them all"))
    pairs = [
        (write, other)
        for k, write in enumerate(writes)
        for other in (loads if only_reads else (*loads, *writes[k:]))
    ]
    for write, other in pairs:
        if write.kind == other.kind != _STORE or is_private(write.reach, other.reach, ctas):
            continue
        if write.root is None or other.root is None or write.root == other.root:
            return Decision(_met(write, other))
        for access in (write, other):
            if not access.is_inside:
                assert access.root is not None
                confined[access.place] = access.root
    written = [r for a in accesses if a.kind != _LOAD for r in _reached(a, confined, memory)]
    only_loads = not any(write.place in confined for write in writes)
    return Decision(None, confined, tuple(sorted(set(written))), only_loads)


def _reached(
    access: _Access, confined: Mapping[Place, Range], memory: DeviceMemory
) -> Iterator[Range]:
    """The allocations that an access may reach."""
    for start, end in memory.table()[:, :2].tolist():
        if access.place in confined:
            if (start, end) == access.root:
                yield start, end
        elif access.reach.first < end and start < access.reach.end:
            yield start, end


def _met(write: _Access, other: _Access) -> Dependence:
    at = "" if other.span is None else f" (line {other.span.line})"
    if other.place == write.place:
        words = "CTAs may write the same bytes"
    elif other.kind == _LOAD:
        words = f"a CTA may write what another reads{at}"
    else:
        words = f"CTAs may change the same bytes here and there{at}"
    return Dependence(words, write.span)


# Which values decide what a kernel accesses: those alone are worked out.


def needed_definitions(
    structure: Structure, accesses: Callable[[Instruction], bool], known: Collection[str]
) -> frozenset[int]:
    """The definitions that addresses of ``accesses`` and branches are made from.

    What operations that are not ``known`` make is made from nothing.
    """
    ssa, open_ = structure.ssa, list(_roots(structure, accesses))
    found = set(open_)
    while open_:
        definition = ssa.definitions[open_.pop()]
        if definition.kind is DefinitionKind.PHI:
            sources = [
                ssa.out[i.predecessor].get(register)
                for i in ssa.phi_inputs[definition.id]
                for register in registers_in(i.operand)
            ]
        elif definition.kind is DefinitionKind.INSTRUCTION:
            block, number = definition.block, definition.instruction
            instruction = structure.kernel.blocks[block].instructions[number]
            if instruction.operation.name not in known and instruction.guard is None:
                continue
            sources = list(ssa.before[block][number].values())
        else:
            continue
        new = {s for s in sources if s is not None} - found
        found |= new
        open_ += new
    return frozenset(found)


def _roots(structure: Structure, accesses: Callable[[Instruction], bool]) -> Iterator[int]:
    for block in structure.kernel.blocks:
        if block.id not in structure.cfg.reachable:
            continue
        for number, instruction in enumerate(block.instructions):
            at = structure.ssa.before[block.id][number]
            if accesses(instruction):
                read = [i for o in instruction.operands for i in _addressed(o)]
                read += [] if instruction.guard is None else [instruction.guard.register.index]
                yield from (at[i] for i in read)
            elif instruction is block.terminator and instruction.guard is not None:
                yield at[instruction.guard.register.index]


def _addressed(operand: Operand) -> Iterator[int]:
    if isinstance(operand, Address):
        yield from registers_in(operand)
