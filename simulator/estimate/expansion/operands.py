"""Operands that have to be moved to registers first.

An arithmetic instruction takes one operand from elsewhere, an access to memory takes none.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from warpmill.analyzer.analyses.cfg.dominators import DomTree
from warpmill.analyzer.ir.kernel import Address, FloatImm, Imm, Operand, Symbol, Vector
from warpmill.analyzer.ir.places import Place
from warpmill.analyzer.ir.types import OpClass, Space
from warpmill.simulator.estimate.expansion.table import FREE, Mix, is_power_of_two
from warpmill.simulator.estimate.expansion.values import Values

_ARITHMETIC = frozenset(
    {"add", "sub", "mul", "mad", "fma", "setp", "min", "max", "and", "or", "xor"}
)
_TAKEN_IN = frozenset({"add", "sub", "mul"})
"""Operations whose operands their taker has when they vanish in it."""


_WRITES = frozenset({"st", "atom", "red"})
_MOVE = Mix((("move", 1),))


def moved_operands(
    values: Values, gone: Collection[Place], dominators: DomTree, pointer: Mix, *, shifts: bool
) -> dict[Place, Mix]:
    """Give the moves before each instruction that has operands it cannot take.

    What was moved serves for all that follow: in the blocks that the first one dominates.
    ``pointer`` is what it takes to have a pointer from the constant bank in registers. Chips that
    shift where later ones multiply (``shifts``) have powers of two in the instruction.
    """
    moved: dict[Place, Mix] = {}
    known: dict[Place | Operand, list[int]] = {}
    for place, instruction in values.instructions.items():
        if place in gone:
            continue
        free = 0
        if instruction.operation.name in _ARITHMETIC:
            wanted, free = [(one, _MOVE) for one in _fixed(values, gone, place, shifts)], 1
        elif instruction.operation.op_class.is_memory:
            wanted = list(_accessed(values, place, pointer))
        else:
            continue
        fresh = [w for w in wanted if not _is_known(known, w[0], place[0], dominators)][free:]
        for one, mix in fresh:
            moved[place] = moved.get(place, FREE) + mix
            known.setdefault(one, []).append(place[0])
    return moved


def _accessed(values: Values, place: Place, pointer: Mix) -> Iterator[tuple[Place | Operand, Mix]]:
    """Give what an access takes that is no register, with what it takes to have it in some.

    That is a pointer and what is written; zero is a register. Where all lanes do an atomic
    operation at one place, what they write is added up in registers anyhow.
    """
    instruction = values.instructions[place]
    operation = instruction.operation
    is_global = operation.space in (Space.GLOBAL, Space.GENERIC)
    address = instruction.address
    base = None
    if is_global and isinstance(address, Address):
        base = values.parameter(address.base) or values.origin(address.base)
        if isinstance(base, tuple | Symbol):
            yield base, pointer
    is_one_place = operation.op_class is OpClass.ATOMIC and isinstance(base, tuple | Symbol)
    if operation.name not in _WRITES or is_one_place:
        return
    words = 1 if operation.type is None else -(-operation.type.bits // 32)
    for source in values.sources[place]:
        for element in source.elements if isinstance(source, Vector) else (source,):
            found = values.parameter(element) or values.origin(element)
            if isinstance(found, tuple) or _is_number(found):
                yield found, Mix((("move", words),))


def _is_number(operand: Operand) -> bool:
    """Whether it is a number other than zero."""
    match operand:
        case Imm(value):
            return value != 0
        case FloatImm(bits):
            return bits != 0
    return False


def _fixed(
    values: Values, gone: Collection[Place], place: Place, shifts: bool
) -> list[Place | Operand]:
    """Give the operands that are no registers, those of what vanished in it among them.

    Those from the constant bank, which stay operands the longest, come first.
    """
    parameters: list[Place | Operand] = []
    numbers: list[Place | Operand] = []
    for source in values.sources[place]:
        maker = values.maker(source)
        if maker is not None and maker in gone and _is_taken_in(values, maker):
            inner = _fixed(values, gone, maker, shifts)
            parameters += (one for one in inner if isinstance(one, tuple))
            numbers += (
                one
                for one in inner
                if not isinstance(one, tuple) and not (shifts and is_power_of_two(one))
            )
        elif (parameter := values.parameter(source)) is not None:
            parameters.append(parameter)
        elif values.constant(source):
            numbers.append(values.origin(source))
    return parameters + numbers


def _is_taken_in(values: Values, place: Place) -> bool:
    return values.instructions[place].operation.name in _TAKEN_IN


def _is_known(
    known: dict[Place | Operand, list[int]], one: Place | Operand, block: int, dominators: DomTree
) -> bool:
    return any(at == block or dominators.dominates(at, block) for at in known.get(one, ()))
