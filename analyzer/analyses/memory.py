"""Memory accesses: address expressions, strides over lanes and loops, and what decides them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

from analyzer.analyses.structure import Structure
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
    ``loop_strides_bytes`` are (loop id, bytes an iteration) for the loops around, outermost first.
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
    stride = _constant_step(address, Atom(AtomKind.SPECIAL, "tid.x"))
    loops = tuple(
        (loop.id, _constant_step(address, next(iter(structure.values.counter(loop.id).atoms))))
        for loop in reversed(structure.loops.containing(block))
    )
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
    pointer argument, as a kernel can be given no other. Without a base it stays generic.
    """
    if written not in (None, Space.GENERIC):
        return written or Space.GENERIC
    if base is None:
        return Space.GENERIC
    return Space.GLOBAL if base.kind is AtomKind.ARGUMENT else variables[base.name].space


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
