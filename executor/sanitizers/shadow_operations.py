"""Operations on shadows that initcheck adds to kernels. None can be written in PTX or LLVM."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from warpmill.analyzer.ir.operation import Operation, Role, decode

PREFIX = "shadow."
ATOMIC, PRODUCT = "atomic", "product"


def is_of_shadows(operation: Operation) -> bool:
    """Whether an operation is one of these."""
    return operation.name.startswith(PREFIX)


USES = {"branch": 400, "address": 401, "argument": 402}
"""What needs to be defined, with the numbers of kinds in rows."""

RESULT = 403
"""Number of the kind of results that are left in memory."""


_TOGETHER = {"present", "join.warp"}
"""Those in which lanes work together."""


@cache
def moving(opcode: str) -> Operation:
    """The operation that does with shadows what another one does with values and memory."""
    return replace(decode(opcode), opcode=PREFIX + opcode, name="shadow.move")


@cache
def atomic(opcode: str) -> Operation:
    """That of an atomic: a destination, the address, what is given."""
    roles = (Role.DESTINATION, Role.ADDRESS)
    return replace(
        decode(opcode),
        opcode=f"{PREFIX}{ATOMIC}.{opcode}",
        name="shadow.atomic",
        roles=roles,
        optional=(False,) * len(roles),
        operand_types=(None,) * len(roles),
    )


@cache
def product(opcode: str) -> Operation:
    """That of a product of matrices, which keeps its operands."""
    return replace(decode(opcode), opcode=f"{PREFIX}{PRODUCT}.{opcode}", name="shadow.product")


@cache
def computing(name: str, *words: str) -> Operation:
    """One of our own: a destination, then sources; ``shadow.use`` has none."""
    roles = () if name == "use" else (Role.DESTINATION,)
    return replace(
        decode("mov"),
        opcode=".".join([PREFIX + name, *words]),
        name=PREFIX + name,
        types=(),
        type=None,
        roles=roles,
        optional=(False,) * len(roles),
        operand_types=(None,) * len(roles),
        effects=frozenset({"convergent"}) if name in _TOGETHER else frozenset(),
    )
