"""Local arrays that an assembler keeps in registers, though their index is known at run time only.

Loops that are not unrolled, or in part, leave arrays in local memory that would have been
registers. ptxas compares the index with each place that it may be, and moves what lies there under
that predicate, where the places are few. It does so since 5.0; how many places are few follows from
what ptxas 11.8, 12.9 and 13.0 made of kernels of our own: of 8 x 3 widths and numbers of accesses
outside of loops, and of a sum of 2 to 32 places in loops, unrolled by 1 to 16.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from warpmill.analyzer.analyses.access.accesses import MemoryAccess
from warpmill.analyzer.analyses.structure import Structure
from warpmill.analyzer.analyses.values.symbolic import AtomKind
from warpmill.analyzer.ir.kernel import Reg
from warpmill.analyzer.ir.places import Place
from warpmill.analyzer.ir.types import OpClass, Space

KEEPS = 50
"""The compute capability, 5.0, from which on assemblers were seen to do so."""

MOST_PLACES = {4: (4, 8), 8: (4, 16), 16: (8, 16)}
"""Places of an array at most, by the bytes of its widest access: in a loop, and outside of one."""

_WORD = 4
_ADDRESS = AtomKind.ADDRESS


@dataclass(frozen=True, slots=True)
class KeptAccess:
    """What an access to an array in registers becomes: comparisons, and moves under predicates."""

    compares: int
    moves: int


def kept_accesses(
    structure: Structure, accesses: Sequence[MemoryAccess]
) -> Mapping[Place, KeptAccess]:
    """Find the accesses to local memory that become moves between registers.

    No array is kept whose address goes elsewhere: into a call, or into memory.
    """
    kernel = structure.kernel
    if any(i.operation.op_class is OpClass.CALL for i in kernel.instructions):
        return {}
    by_array: dict[str, list[MemoryAccess]] = defaultdict(list)
    for access in accesses:
        if access.space in (Space.LOCAL, Space.GENERIC):
            name = _array(access)
            if name is None and access.space is Space.LOCAL:
                return {}  # it may be any of them
            if name is not None:
                by_array[name].append(access)
    if not by_array:
        return {}
    gone = _stored_addresses(structure)
    found: dict[Place, KeptAccess] = {}
    for variable in kernel.variables:
        own = by_array.get(variable.name, [])
        size = variable.size_bytes
        is_own = variable.space is Space.LOCAL and variable.name not in gone
        if is_own and own and size is not None:
            found |= _kept(structure, own, size)
    return found


def _kept(
    structure: Structure, own: Sequence[MemoryAccess], size_bytes: int
) -> dict[Place, KeptAccess]:
    """Give what the accesses of an array become; nothing where it stays in memory."""
    moving = [access for access in own if _index(access)]
    if any(a.space is not Space.LOCAL or a.width_bytes is None for a in own):
        return {}  # who knows what else a generic access may be to
    widest = max((a.width_bytes or 0 for a in moving), default=_WORD)
    if widest not in MOST_PLACES:
        return {}
    places = -(-size_bytes // widest)
    in_loop = any(structure.loops.innermost(a.block) is not None for a in moving)
    if moving and places > MOST_PLACES[widest][0 if in_loop else 1]:
        return {}
    found: dict[Place, KeptAccess] = {}
    compared: set[tuple[int, object]] = set()
    for access in own:
        chosen = access in moving and access.width_bytes == widest
        index = access.block, access.address
        compares = places if chosen and index not in compared else 0
        compared.add(index)
        moves = places * widest // _WORD if chosen else 0
        found[access.block, access.instruction] = KeptAccess(compares, moves)
    return found


def _stored_addresses(structure: Structure) -> frozenset[str]:
    """Give the variables whose addresses the kernel stores: whoever reads them may go there."""
    found: set[str] = set()
    for block in structure.kernel.blocks:
        if block.id not in structure.cfg.reachable:
            continue
        for index, instruction in enumerate(block.instructions):
            if instruction.operation.op_class not in (OpClass.STORE, OpClass.ATOMIC):
                continue
            for operand in instruction.sources:
                if isinstance(operand, Reg):
                    value = structure.values.of_operand(block.id, index, operand)
                    found |= {a.name for m, _ in value.terms for a in m if a.kind is _ADDRESS}
    return frozenset(found)


def _array(access: MemoryAccess) -> str | None:
    """Give the variable that an access is to, if its address tells."""
    named = [
        monomial[0].name
        for monomial, factor in access.address.terms
        if len(monomial) == factor == 1 and monomial[0].kind is _ADDRESS
    ]
    return named[0] if len(named) == 1 else None


def _index(access: MemoryAccess) -> bool:
    """Whether the place in the array depends on something."""
    return any(
        monomial and not (len(monomial) == 1 and monomial[0].kind is _ADDRESS)
        for monomial, _ in access.address.terms
    )
