"""``array[index]``: the address of an element, worked out from the size of the elements.

An index that is a register takes instructions of its own, which stand before the one that uses it;
the machine has an addressing mode for it, a compiler's output does not have the form at all.
"""

from __future__ import annotations

from typing import NamedTuple

from warpmill.analyzer.frontends.ptx.forms import Indexed
from warpmill.analyzer.frontends.ptx.names import FunctionNames
from warpmill.analyzer.frontends.ptx.prepared import family
from warpmill.analyzer.frontends.ptx.surroundings import Surroundings
from warpmill.analyzer.ir.kernel import Address, Imm, Operand, Reg, Symbol
from warpmill.analyzer.ir.operation import Operation, decode
from warpmill.analyzer.ir.types import TYPES, TypeKind

_ADDRESS_PLACES = {"_LOAD": 1, "_STORE": 0}


class WithoutIndices(NamedTuple):
    """Instructions that have to come before, and the operands of the instruction itself."""

    before: list[tuple[Operation, tuple[Operand, ...]]]
    operands: tuple[Operand, ...]


def without_indices(
    opcode: str, operands: tuple[Operand | Indexed, ...], names: FunctionNames, around: Surroundings
) -> WithoutIndices:
    """Replace indexed arrays: by an address where one is wanted, elsewhere by its value."""
    maker = _Addresses(names, around)
    address_place = _ADDRESS_PLACES.get(family(opcode))
    given = [
        maker.operand(operand, place == address_place) if isinstance(operand, Indexed) else operand
        for place, operand in enumerate(operands)
    ]
    return WithoutIndices(maker.before, tuple(given))


class _Addresses:
    """Works out addresses; ``before`` are the instructions that this takes."""

    def __init__(self, names: FunctionNames, around: Surroundings) -> None:
        self.before: list[tuple[Operation, tuple[Operand, ...]]] = []
        self._names = names
        self._element_bytes = around.element_bytes
        self._type = f"u{around.address_bits}"

    def operand(self, indexed: Indexed, is_address: bool) -> Operand:
        """Give the address of an element, in brackets or as a value."""
        size = self._element_bytes.get(indexed.symbol.name, 1)
        offset = indexed.symbol.offset + indexed.elements * size
        base: Reg | Symbol = Symbol(indexed.symbol.name)
        if indexed.register is not None:
            base = self._scaled(indexed.symbol, indexed.register, size)
        if is_address:
            return Address(base, offset)
        if isinstance(base, Symbol):
            return Symbol(base.name, offset)
        return self._add(f"add.{self._type}", base, Imm(offset)) if offset else base

    def _scaled(self, array: Symbol, index: Reg, size: int) -> Reg:
        """Multiply the index by the size of an element and add it to where the array begins."""
        start = self._add(f"mov.{self._type}", Symbol(array.name))
        declared = self._names[index.index].type
        sign = "s" if declared.kind is TypeKind.SIGNED else "u"
        is_wide = declared.bits < TYPES[self._type].bits
        opcode = f"mad.wide.{sign}{declared.bits}" if is_wide else f"mad.lo.{self._type}"
        return self._add(opcode, index, Imm(size), start)

    def _add(self, opcode: str, *sources: Operand) -> Reg:
        result = self._names.temporary(TYPES[self._type])
        self.before.append((decode(opcode), (result, *sources)))
        return result
