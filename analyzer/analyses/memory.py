"""Memory accesses: address expressions, strides over lanes and loops, and what decides them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

from analyzer.analyses.structure import Structure
from analyzer.analyses.values import MADE_BY_DEFINITIONS
from analyzer.cfg.loops import Loop
from analyzer.ir.kernel import Instruction, Kernel, Module, Variable
from analyzer.ir.types import OpClass, Space
from analyzer.symbolic import Atom, AtomKind, Expression


class Pattern(Enum):
    """How the lanes of a warp spread over memory."""

    BROADCAST = "broadcast"  # all lanes at one address
    CONTIGUOUS = "contiguous"  # neighbours in memory, one after another
    STRIDED = "strided"  # a fixed distance that is not the width
    DATA = "data-dependent"  # the address is made from loaded values
    IRREGULAR = "irregular"  # decided by ids, but not by one stride


@dataclass(frozen=True, slots=True)
class MemoryAccess:
    """One load, store or atomic.

    ``space`` is where the address points, found from its base where the opcode says generic;
    ``base`` names the pointer argument or variable that it is counted from, where it is one.
    ``lane_stride_bytes`` is what one step in ``tid.x`` adds; None where it is no constant.
    ``loop_strides_bytes`` are (loop id, bytes an iteration) for the loops around, outermost first;
    None where something else in the address may change from one iteration to the next.
    """

    block: int
    instruction: int
    op_class: OpClass
    opcode: str
    space: Space
    base: str | None
    width_bytes: int | None
    address: Expression
    pattern: Pattern
    lane_stride_bytes: int | None
    loop_strides_bytes: tuple[tuple[int, int | None], ...]


def memory_accesses(module: Module, structure: Structure) -> tuple[MemoryAccess, ...]:
    """Describe every access of a kernel to memory, parameters excepted, in program order."""
    variables = {v.name: v for v in (*module.variables, *structure.kernel.variables)}
    return tuple(
        _access(structure, block.id, i, instruction, variables)
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
    block: int,
    index: int,
    instruction: Instruction,
    variables: Mapping[str, Variable],
) -> MemoryAccess:
    operation = instruction.operation
    assert instruction.address is not None
    address = structure.values.of_operand(block, index, instruction.address)
    stride = _lane_step(address)
    around = reversed(structure.loops.containing(block))
    loops = tuple((loop.id, _loop_step(structure, loop, address)) for loop in around)
    base = _base(structure.kernel, address)
    return MemoryAccess(
        block,
        index,
        operation.op_class,
        operation.opcode,
        _space(operation.space, base, variables),
        None if base is None else base.name,
        operation.width_bytes,
        address,
        _pattern(address, stride, operation.width_bytes),
        stride,
        loops,
    )


def _lane_step(address: Expression) -> int | None:
    """What a step in ``tid.x``, and with it the next lane, adds; None where it is no number."""
    steps = [_constant_step(address, Atom(AtomKind.SPECIAL, name)) for name in _LANES]
    top = {atom for monomial, _ in address.terms for atom in monomial}
    if any(_varies_by_lane(atom) for atom in top if atom.kind is not AtomKind.SPECIAL):
        return None
    return None if steps[0] is None or steps[1] is None else steps[0] + steps[1]


_LANES = ("tid.x", "laneid")


def _varies_by_lane(atom: Atom) -> bool:
    """Whether neighbouring lanes may see different values."""
    parts = {atom}.union(*(operand.atoms for operand in atom.operands))
    return any(a.kind in _UNEVEN or (a.kind, a.name) in _LANE_IDS for a in parts)


_UNEVEN = frozenset({AtomKind.MERGE, AtomKind.CARRIED, AtomKind.UNKNOWN})
_LANE_IDS = frozenset((AtomKind.SPECIAL, name) for name in _LANES)


def _loop_step(structure: Structure, loop: Loop, address: Expression) -> int | None:
    """What an iteration adds; None where it is no number or values made in the loop take part."""
    definitions = structure.ssa.definitions
    for atom in address.atoms:
        made = atom.kind in MADE_BY_DEFINITIONS and atom.key >= 0
        if (made and definitions[atom.key].block in loop.blocks) or atom.kind is AtomKind.UNKNOWN:
            return None
    return _constant_step(address, next(iter(structure.values.counter(loop.id).atoms)))


def _constant_step(address: Expression, atom: Atom) -> int | None:
    """What one step of an atom adds to an address; None where that is no plain number."""
    coefficient = address.coefficient(atom)
    return None if coefficient is None else coefficient.constant


def _pattern(address: Expression, stride: int | None, width_bytes: int | None) -> Pattern:
    kinds = address.kinds()
    if AtomKind.LOAD in kinds:
        return Pattern.DATA
    if stride is None or kinds & {AtomKind.MERGE, AtomKind.CARRIED, AtomKind.UNKNOWN}:
        return Pattern.IRREGULAR
    if stride == 0:
        return Pattern.BROADCAST
    return Pattern.CONTIGUOUS if abs(stride) == width_bytes else Pattern.STRIDED


def _space(written: Space | None, base: Atom | None, variables: Mapping[str, Variable]) -> Space:
    """Tell which memory an address points into.

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
    """Give the pointer argument or variable that is added once to an address."""
    for monomial, coefficient in address.terms:
        if len(monomial) != 1 or coefficient != 1:
            continue
        (atom,) = monomial
        if atom.kind is AtomKind.ADDRESS:
            return atom
        if atom.kind is AtomKind.ARGUMENT and _is_pointer(kernel, atom):
            return atom
    return None


def _is_pointer(kernel: Kernel, atom: Atom) -> bool:
    parameter = kernel.parameters[atom.key]
    return bool(parameter.is_pointer) or parameter.type.bits == 64
