"""By which power of two an address is known to be divisible, in every lane and iteration.

The low bits of an address that are known tell it, where pointers and variables are aligned as they
declare. What nothing tells is a multiple of 1.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, ClassVar

from warpmill.analyzer.analyses.access.accesses import MemoryAccess
from warpmill.analyzer.analyses.ranges.analysis import Ranges
from warpmill.analyzer.analyses.structure import Structure
from warpmill.analyzer.analyses.values.ssa import DefinitionKind
from warpmill.analyzer.analyses.values.symbolic import Atom, AtomKind, of
from warpmill.analyzer.base.metric import Mark, Metric
from warpmill.analyzer.ir.kernel import Module
from warpmill.analyzer.ir.types import OpClass, Space

ALLOCATOR_BYTES = 256
"""What CUDA's allocator aligns buffers to at least."""

MOST_BYTES = 4096
"""Alignments beyond are given as this: an address that is a plain number could have any."""


@dataclass(frozen=True, slots=True)
class Alignment:
    """The largest power of two, up to ``MOST_BYTES``, that an address is known to be a multiple of.

    ``proved_bytes`` rests on the input alone: declared alignments and the formula; ``bytes`` takes
    ``assumption`` as true too, which is None where the two are equal. ``meets_width`` tells whether
    the access is aligned to what each lane accesses, as the hardware demands; False means that it
    is misaligned in every lane, None that it is not known.
    """

    mark: ClassVar[Mark] = Mark.EXACT

    bytes: Annotated[int, Metric("Alignment", "B")]
    proved_bytes: Annotated[int, Metric("Static alignment", "B")]
    meets_width: Annotated[bool | None, Metric("Aligned access")]
    assumption: Annotated[str | None, Metric("Assumption")]

    def mark_exceptions(self) -> Mapping[str, Mark]:
        """What the assumption adds."""
        return {} if self.assumption is None else {"bytes": Mark.ASSUMED}


_Arguments = Mapping[str, tuple[int, ...]]
"""The definitions that hold parameters, by the parameter's name."""


def alignments(
    module: Module,
    structure: Structure,
    accesses: Sequence[MemoryAccess],
    shared_bytes: int = 1,
) -> tuple[Alignment, ...]:
    """Tell how each access is aligned; that of a base without a declaration is assumed.

    ``shared_bytes`` is what whoever places variables in shared memory aligns them to at least.
    """
    arguments = _arguments(structure)
    declared = _declared(module, structure, arguments, shared_bytes)
    proved = Ranges(structure.kernel, structure.ssa, declared)
    bases = [_assumed_base(structure, access, arguments) for access in accesses]
    by_bytes: dict[int, dict[str | int, int]] = {}
    for made, bytes_, _ in bases:
        multiples = by_bytes.setdefault(bytes_, dict(declared))
        multiples.update({id_: max(bytes_, declared.get(id_, 1)) for id_ in made})
    assumed = {b: Ranges(structure.kernel, structure.ssa, m) for b, m in by_bytes.items()}
    found = []
    for access, (made, bytes_, words) in zip(accesses, bases, strict=True):
        sure = _told(structure, access, proved)
        best = _told(structure, access, assumed[bytes_]) if made else sure
        found.append(Alignment(best[0], sure[0], best[1], None if best == sure else words))
    return tuple(found)


def _arguments(structure: Structure) -> dict[str, tuple[int, ...]]:
    """Give the definitions that hold each parameter as the launch gives it."""
    found: dict[str, tuple[int, ...]] = {}
    for definition in structure.ssa.definitions:
        if definition.kind is DefinitionKind.INSTRUCTION:
            block = structure.kernel.blocks[definition.block]
            operation = block.instructions[definition.instruction].operation
            if operation.op_class is not OpClass.LOAD or operation.space is not Space.PARAM:
                continue
        elif definition.kind is not DefinitionKind.PARAMETER:
            continue
        value = structure.values.made_from(definition.id)[0]
        for atom in value.atoms:
            if value == of(atom) and atom.kind is AtomKind.ARGUMENT:
                found[atom.name] = (*found.get(atom.name, ()), definition.id)
    return found


def _declared(
    module: Module, structure: Structure, arguments: _Arguments, shared_bytes: int
) -> dict[str | int, int]:
    """Give what variables, by name, and pointers, by definition, are said to be multiples of."""
    found: dict[str | int, int] = {}
    for variable in (*module.variables, *structure.kernel.variables):
        is_placed = variable.space is Space.SHARED and variable.size_bytes is not None
        found[variable.name] = max(variable.align, shared_bytes if is_placed else 1)
    for parameter in structure.kernel.parameters:
        for id_ in arguments.get(parameter.name, ()):
            found[id_] = parameter.pointee_align or 1
    return found


def _told(structure: Structure, access: MemoryAccess, ranges: Ranges) -> tuple[int, bool | None]:
    """Give the power of two that divides an address, and whether its width does."""
    block, index = access.block, access.instruction
    operand = structure.kernel.blocks[block].instructions[index].address
    assert operand is not None
    word = ranges.operand(operand, structure.ssa.before[block][index])
    power = min(1 << word.trailing_zeros, MOST_BYTES)
    if access.width_bytes is None:
        return power, None
    natural = 1 << (max(access.width_bytes, 1) - 1).bit_length()
    if word.ones & (natural - 1):
        return power, False
    return power, True if power >= natural else None


def _assumed_base(
    structure: Structure, access: MemoryAccess, arguments: _Arguments
) -> tuple[tuple[int, ...], int, str]:
    """Give the pointer that an address is counted from and what it is taken to be aligned to.

    The pointer is given by the definitions that hold it.
    """
    single = [m[0] for m, c in access.address.terms if c == 1 and len(m) == 1]
    for atom in single:
        if atom.kind is AtomKind.ARGUMENT and atom.name == access.base:
            words = f"{atom.name} is aligned to {ALLOCATOR_BYTES} B, as buffers are"
            return arguments[atom.name], ALLOCATOR_BYTES, words
    if access.base is None:
        element = _element_bytes(structure, access)
        made = [a for a in single if a.kind in _POINTERS and _is_wide(structure, a)]
        if len(made) == 1 and element:
            words = f"the pointer {made[0]} is aligned to an element, {element} B"
            return (made[0].key,), element, words
    return (), 1, ""


_POINTERS = frozenset({AtomKind.LOAD, AtomKind.MERGE, AtomKind.CARRIED, AtomKind.UNKNOWN})


def _is_wide(structure: Structure, atom: Atom) -> bool:
    if atom.key < 0:
        return False
    register = structure.ssa.definitions[atom.key].register
    return structure.ssa.registers[register].type.bits == 64


def _element_bytes(structure: Structure, access: MemoryAccess) -> int | None:
    block = structure.kernel.blocks[access.block]
    type_ = block.instructions[access.instruction].operation.type
    return None if type_ is None else type_.size_bytes
