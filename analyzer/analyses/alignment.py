"""By which power of two an address is known to be divisible, in every lane and iteration.

Every term of an address is a multiple of its factor times what its atoms are multiples of; the
constant tells where in that raster the address lies. What nothing tells is a multiple of 1.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from analyzer.analyses.memory import MemoryAccess
from analyzer.analyses.ssa import DefinitionKind
from analyzer.analyses.structure import Structure
from analyzer.ir.kernel import Module, Variable
from analyzer.ir.types import Space
from analyzer.symbolic import Atom, AtomKind, Expression

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

    bytes: int
    proved_bytes: int
    meets_width: bool | None
    assumption: str | None


def alignments(
    module: Module,
    structure: Structure,
    accesses: Sequence[MemoryAccess],
    shared_bytes: int = 1,
) -> tuple[Alignment, ...]:
    """Tell how each access is aligned; that of a base without a declaration is assumed.

    ``shared_bytes`` is what whoever places variables in shared memory aligns them to at least.
    """
    variables = {
        v.name: _placed(v, shared_bytes) for v in (*module.variables, *structure.kernel.variables)
    }
    proved = _Divisors(structure, variables)
    by_base: dict[tuple[Atom | None, int], _Divisors] = {(None, 1): proved}
    found = []
    for access in accesses:
        base, bytes_, words = _assumed_base(structure, access)
        if (base, bytes_) not in by_base:
            by_base[base, bytes_] = _Divisors(structure, variables, base, bytes_)
        sure, best = proved.of(access.address), by_base[base, bytes_].of(access.address)
        meets = _meets(best, access.width_bytes)
        found.append(Alignment(best.power, sure.power, meets, words if best != sure else None))
    return tuple(found)


def _placed(variable: Variable, shared_bytes: int) -> Variable:
    if variable.space is not Space.SHARED or variable.size_bytes is None:
        return variable
    return replace(variable, align=max(variable.align, shared_bytes))


@dataclass(frozen=True, slots=True)
class _Residue:
    """A value that is ``residue`` modulo ``modulus``, a power of two."""

    modulus: int
    residue: int

    @property
    def power(self) -> int:
        """The largest power of two that surely divides it."""
        return self.residue & -self.residue if self.residue else self.modulus


def _meets(where: _Residue, width_bytes: int | None) -> bool | None:
    if width_bytes is None:
        return None
    natural = 1 << (max(width_bytes, 1) - 1).bit_length()
    if where.power >= natural:
        return True
    return False if where.modulus >= natural else None


def _assumed_base(structure: Structure, access: MemoryAccess) -> tuple[Atom | None, int, str]:
    """Give the pointer that an address is counted from and what it is taken to be aligned to."""
    single = [m[0] for m, c in access.address.terms if c == 1 and len(m) == 1]
    for atom in single:
        if atom.kind is AtomKind.ARGUMENT and atom.name == access.base:
            words = f"{atom.name} is aligned to {ALLOCATOR_BYTES} B, as buffers are"
            return atom, ALLOCATOR_BYTES, words
    if access.base is None:
        element = _element_bytes(structure, access)
        made = [a for a in single if a.kind in _POINTERS and _is_wide(structure, a)]
        if len(made) == 1 and element:
            return made[0], element, f"the pointer {made[0]} is aligned to an element, {element} B"
    return None, 1, ""


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


class _Divisors:
    """Works out residues; values that go round loops start from the best and come down."""

    def __init__(
        self,
        structure: Structure,
        variables: Mapping[str, Variable],
        base: Atom | None = None,
        base_bytes: int = 1,
    ) -> None:
        self._structure, self._variables = structure, variables
        self._base, self._base_bytes = base, base_bytes
        self._chosen: dict[int, int] = {}
        self._asked: list[int] = []
        self._operations: dict[Atom, int] = {}  # as the chosen values stand

    def of(self, expression: Expression) -> _Residue:
        """Give the residue of an expression, once no chosen value comes down further."""
        known = seen = len(self._asked)
        found = self._residue(expression)
        while len(self._asked) > seen:
            seen, newest = len(self._asked), self._asked[seen:]
            self._come_down(newest)
        if seen == known:
            return found
        while self._come_down(self._asked[known:]):
            pass
        return self._residue(expression)

    def _come_down(self, asked: Sequence[int]) -> bool:
        """Lower values to what their inputs are now, those behind others first."""
        changed = False
        for id_ in reversed(asked):
            power = self._inputs(id_)
            if power < self._chosen[id_]:
                self._chosen[id_], changed = power, True
                self._operations.clear()
        return changed

    def _residue(self, expression: Expression) -> _Residue:
        modulus, constant = MOST_BYTES, 0
        for monomial, coefficient in expression.terms:
            if not monomial:
                constant = coefficient
                continue
            power = coefficient & -coefficient
            for atom in monomial:
                power *= self._atom(atom)
            modulus = min(modulus, power)
        return _Residue(modulus, constant % modulus)

    def _power(self, expression: Expression) -> int:
        return self._residue(expression).power

    def _atom(self, atom: Atom) -> int:
        known = self._known(atom)
        return max(known, self._base_bytes) if atom == self._base else known

    def _known(self, atom: Atom) -> int:
        if atom.kind is AtomKind.ADDRESS and atom.name in self._variables:
            return self._variables[atom.name].align
        if atom.kind is AtomKind.ARGUMENT:
            parameter = self._structure.kernel.parameters[atom.key]
            return (parameter.pointee_align or 1) if parameter.name == atom.name else 1
        if atom.kind is AtomKind.OPERATION and atom.key < 0:
            if atom not in self._operations:
                self._operations[atom] = self._operation(atom)
            return self._operations[atom]
        if atom.kind in (AtomKind.MERGE, AtomKind.CARRIED) and atom.key >= 0:
            definition = self._structure.ssa.definitions[atom.key]
            if definition.kind is DefinitionKind.PHI:
                if atom.key not in self._chosen:
                    self._asked.append(atom.key)
                    self._chosen[atom.key] = MOST_BYTES
                return self._chosen[atom.key]
        return 1

    def _operation(self, atom: Atom) -> int:
        name = atom.name.partition(".")[0]
        powers = [self._power(operand) for operand in atom.operands]
        if name in ("min", "max", "or", "xor"):
            return min(powers)
        if name == "selp":
            return min(powers[:2])
        if name == "and":
            return max(powers)
        if name == "rem":
            return min(powers)
        if name == "shl":
            return powers[0]
        if name in ("floordiv", "div", "ceildiv"):
            divisor = atom.operands[1].constant
            if divisor is not None and divisor > 0 and divisor & (divisor - 1) == 0:
                return max(1, powers[0] // divisor)
        return 1

    def _inputs(self, id_: int) -> int:
        values, inputs = self._structure.values, self._structure.ssa.phi_inputs[id_]
        return min((self._power(values.of_phi_input(i)) for i in inputs), default=1)
