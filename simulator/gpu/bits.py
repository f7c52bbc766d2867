"""Numbers by their bits, and several at once: divisors that are powers of two, times of warps."""

# mypy: allow-untyped-calls
# numba has no types

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core.cgutils import get_or_insert_function
from numba.extending import intrinsic

from warpmill.simulator.gpu.compiled import part
from warpmill.simulator.gpu.constants import NEVER


def _lowest_bit(_: Any, __: Any) -> Any:
    """The number of the lowest bit that is set in a mask, which is not 0."""

    def code(___: Any, builder: Any, ____: Any, values: Any) -> Any:
        return builder.cttz(values[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.int64), code


lowest_bit: Any = intrinsic(_lowest_bit)


LANES = 8
"""Times that are compared at once: those of a line of a CPU's caches."""

_INT = ir.IntType(64)
_TIMES = ir.VectorType(_INT, LANES)


def _times_at(builder: Any, gpu: Any, place: Any) -> Any:
    """The times at a place, at which a line begins."""
    first = builder.gep(builder.bitcast(gpu, _INT.as_pointer()), [place])
    return builder.load(builder.bitcast(first, _TIMES.as_pointer()), align=64)


def _are_after(builder: Any, times: Any, now: Any) -> Any:
    """For each time whether it is after another one."""
    one = builder.insert_element(ir.Constant(_TIMES, ir.Undefined), now, ir.Constant(_INT, 0))
    order = ir.Constant(ir.VectorType(ir.IntType(32), LANES), [0] * LANES)
    return builder.icmp_signed(">", times, builder.shuffle_vector(one, one, order))


def _ready_at(_: Any, gpu: Any, __: Any, ___: Any) -> Any:
    """A mask of the LANES times from a place on: a bit for each that has come by a time."""

    def code(____: Any, builder: Any, _____: Any, values: Any) -> Any:
        record, place, now = values
        after = _are_after(builder, _times_at(builder, record, place), now)
        mask = builder.bitcast(builder.not_(after), ir.IntType(LANES))
        return builder.zext(mask, _INT)

    return types.int64(gpu, types.int64, types.int64), code


def _soonest_at(_: Any, gpu: Any, __: Any, ___: Any) -> Any:
    """The first of the LANES times from a place on that is after a time; NEVER where none is."""

    def code(____: Any, builder: Any, _____: Any, values: Any) -> Any:
        record, place, now = values
        times = _times_at(builder, record, place)
        never = ir.Constant(_TIMES, [NEVER] * LANES)
        times = builder.select(_are_after(builder, times, now), times, never)
        type_ = ir.FunctionType(_INT, [_TIMES])
        name = f"llvm.vector.reduce.smin.v{LANES}i64"
        least = get_or_insert_function(builder.module, type_, name)
        return builder.call(least, [times])

    return types.int64(gpu, types.int64, types.int64), code


ready_at: Any = intrinsic(_ready_at)
soonest_at: Any = intrinsic(_soonest_at)


@part
def quotient(number: int, divisor: int) -> Any:
    """``number // divisor``, of a divisor above 0."""
    if divisor & (divisor - 1) == 0:
        return number >> lowest_bit(divisor)
    return number // divisor


@part
def rest(number: int, divisor: int) -> Any:
    """``number % divisor``, of a divisor above 0."""
    if divisor & (divisor - 1) == 0:
        return number & (divisor - 1)
    return number % divisor
