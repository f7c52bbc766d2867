"""Chains of one operation: each waits for the one before, in one chain or in several side by side.

A dependent chain takes the operation's latency, many of them take its issue interval (§IV-A-2,
Table I). The paper exchanges source and destination after each operation, so that no compiler joins
them; the table's codes do that where ptxas would.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import zip_longest

from warpmill.analyzer.ir.kernel import Variable
from warpmill.analyzer.ir.types import Space
from warpmill.codegen.microbench.frame import WARP, Body, Microbench, microbench, variable
from warpmill.codegen.microbench.operations import MeasuredOperation, measured_operations
from warpmill.codegen.microbench.statements import Scope, copied, names_in, own_of

_ONE = {"f": 0x3F80_0000, "d": 0x3FF0_0000_0000_0000}
"""Bits of 1.0. Registers begin a little above it, where no operation takes a slow path."""

_CELL = "cell"  # what shared atomics work on


@cache
def chain(
    operation: MeasuredOperation, copies: int, unroll: int, chip: str, pads: int = 0
) -> Microbench:
    """Give a kernel whose warps each go on with so many chains of an operation.

    A turn of its loop does ``unroll`` links of each chain; behind each statement stand ``pads`` of
    the operation that lengthens it.
    """
    statements = copied("; ".join(_padded(operation, pads)), copies)
    scope = Scope()
    names = names_in("; ".join([operation.begin, *statements]))
    before = scope.written("mad.lo.u32 rn rx rt rt")
    before += [one for name in names if name != "qm" for one in scope.written(_begun(name, scope))]
    before += scope.written(operation.begin)
    loop = [[scope.write(one) for _ in range(unroll) for one in statements]]
    value = scope.written("; ".join(_value(own_of(names))))
    made = f"{copies} x {unroll} links of {operation.name}"
    about = made if not pads else f"{made}, {pads} of {operation.pad} behind each"
    return microbench(
        _name(operation, copies, unroll, pads),
        f"{about} a turn",
        scope,
        Body(before, loop, value),
        chip,
        unroll * copies * operation.links,
        variables=_variables(names),
    )


def _padded(operation: MeasuredOperation, pads: int) -> Iterator[str]:
    """Give the statements of a link, with so many operations behind each that lengthen it."""
    for statement, pad in zip_longest(operation.statements, operation.pads):
        yield statement
        yield from [measured_operations()[pad].code] * pads if pads else ()


def _name(operation: MeasuredOperation, copies: int, unroll: int, pads: int) -> str:
    padded = f"_padded_{pads}" if pads else ""
    return f"chain_{operation.name}_{copies}x{unroll}{padded}"


def _begun(name: str, scope: Scope) -> str:
    """Give the statements that a register gets its first value by: one that ptxas cannot know."""
    if name == "ra":
        return f"mov.u32 ra &{_CELL}; shl.b32 ri rl 2; add.u32 ra ra ri; st.shared.u32 [ra] ra"
    if name == "qa":
        return "mul.wide.u32 qi rw 4; add.s64 qa qm qi"
    number = len(scope.known)
    match name[0]:
        case "r":
            return f"add.u32 {name} rn {number}"
        case "f":
            return f"add.u32 ri rn {_ONE['f'] + number}; mov.b32 {name} ri"
        case "d":
            return f"cvt.u64.u32 qi rn; add.s64 qi qi {_ONE['d'] + number}; mov.b64 {name} qi"
        case "p":
            return f"setp.eq.u32 {name} rn {number}"
        case _:
            raise ValueError(f"`{name}` has no first value")


def _value(names: tuple[str, ...]) -> Iterator[str]:
    """Give the statements that put what chains came to together in ro."""
    yield "mov.u32 ro rx"
    for name in names:
        match name[0]:
            case "r":
                yield f"xor.b32 ro ro {name}"
            case "f":
                yield f"mov.b32 ri {name}; xor.b32 ro ro ri"
            case "d":
                yield f"mov.b64 qi {name}; cvt.u32.u64 ri qi; xor.b32 ro ro ri"
            case _:
                yield f"selp.b32 ri 1 0 {name}; xor.b32 ro ro ri"


def _variables(names: tuple[str, ...]) -> tuple[Variable, ...]:
    return (variable(_CELL, Space.SHARED, 4 * WARP),) if "ra" in names else ()
