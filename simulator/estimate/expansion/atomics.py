"""Atomic operations that all threads do at one place: a warp adds its lanes up and does one.

The lines ``….uniform`` of ``expansion.toml`` are of that; with ``….uniform.const`` each lane adds
the same number, which takes no more than counting them.
"""

from __future__ import annotations

from warpmill.analyzer.ir.kernel import Address, FloatImm, Imm, Instruction, Operand
from warpmill.analyzer.ir.operation import Operation, decode
from warpmill.analyzer.ir.places import Place
from warpmill.analyzer.ir.types import OpClass
from warpmill.simulator.estimate.expansion.table import OLDEST, Mix, key_of, mix_of_key
from warpmill.simulator.estimate.expansion.values import Values


def atomics_at_one_place(values: Values, capability: int) -> dict[Place, Mix]:
    """Give what atomic operations become whose address is a parameter or a symbol.

    One whose result nobody reads is a reduction. In a block the lanes are counted once for all
    operations that add the same number at the same place.
    """
    found: dict[Place, Mix] = {}
    counted: set[tuple[int, Operand | Place, tuple[Operand, ...]]] = set()
    for place, instruction in values.instructions.items():
        base = _base(values, instruction)
        if base is None:
            continue
        numbers = tuple(values.origin(source) for source in values.sources[place][1:])
        form = "uniform"
        if all(isinstance(number, Imm | FloatImm) for number in numbers):
            form = "" if (place[0], base, numbers) in counted else "uniform.const"
            counted.add((place[0], base, numbers))
        key = key_of(_operation(values, place), form, max(capability, OLDEST))
        mix = None if key is None else mix_of_key(key, capability)
        if mix is not None:
            found[place] = mix
    return found


def _base(values: Values, instruction: Instruction) -> Operand | Place | None:
    """Give the place that all threads access, None where it is not one."""
    address = instruction.address
    if instruction.operation.op_class is not OpClass.ATOMIC or not isinstance(address, Address):
        return None
    if values.constant(address.base):
        return values.origin(address.base)
    return values.parameter(address.base)


def _operation(values: Values, place: Place) -> Operation:
    operation = values.instructions[place].operation
    is_unread = operation.name == "atom" and values.result(place) is not None
    if is_unread and not values.uses(place):
        return decode("red" + operation.opcode.removeprefix("atom"))
    return operation
