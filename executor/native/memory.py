"""What rules call to load and store: the lanes' addresses, in a space, of so many elements."""

from __future__ import annotations

from collections.abc import Sequence

from warpmill.analyzer.ir.kernel import Address, Imm, Reg, Symbol
from warpmill.analyzer.ir.types import Space
from warpmill.analyzer.launch.addresses import CONST_WINDOW, WINDOW_BYTES
from warpmill.executor.native.access import Access, widened
from warpmill.executor.native.emitter import Emitter
from warpmill.executor.native.observing import observe
from warpmill.executor.native.shadow import mark_initialised
from warpmill.executor.native.step import Step
from warpmill.executor.native.translation import Request
from warpmill.executor.native.values import Value, constant

_KNOWN = (Space.PARAM, Space.CONST)
"""Spaces whose size is known before a launch, and that are the same for all threads."""


def address(step: Step, operand: Address) -> Value:
    """Give the address that an operand names, in its space: i64 or i32, uniform or a lane's."""
    e, base = step.emitter, operand.base
    match base:
        case Reg():
            value = step.read(base)
        case Symbol():
            value = step.places.symbol(e, base)
        case Imm(number):
            value = constant(number, "i64")
    return e.op("add", value, constant(operand.offset, value.type)) if operand.offset else value


def load(  # noqa: PLR0913 - an access has these parts
    step: Step,
    space: Space,
    where: Value,
    type_: str,
    count: int = 1,
    *,
    mask: Value | None = None,
    observed: bool = True,
) -> tuple[Value, ...]:
    """Load ``count`` elements of an LLVM integer type from each lane's address in a space.

    ``mask`` stands for the lanes of the instruction. Lanes that are off give 0. An access that is
    out of bounds or misaligned is noted as a fault, and gives 0. Not ``observed``: it is a part of
    an access that the caller observes.
    """
    access = _access(step, space, type_, count)
    if observed:
        observe(step, "load", space, where, access.bytes, mask=mask)
    if space is Space.CONST and step.places.constant_buffers and not where.is_constant:
        space, where = Space.GLOBAL, _constant_or_buffer(step.emitter, where)
        access = _access(step, space, type_, count)
    size = step.places.sizes.get(space, 0) if space in _KNOWN else 0
    if where.is_constant and access.lies_in(int(where.text), size):
        return _masked(step, access.load_at(step.emitter, int(where.text)), mask)
    request = _request(step, space, where, mask)
    parts = (request.where, request.bits, request.site)
    values = step.emitter.outlined(f"load.{access.name}", access.load, *parts)
    return _masked(step, values, mask)


def _masked(step: Step, values: tuple[Value, ...], mask: Value | None) -> tuple[Value, ...]:
    """Give 0 to lanes that a mask of its own leaves out: a load for all of a warp has theirs too.

    Lanes that the instruction itself is off for keep what they had, whatever is loaded.
    """
    if mask is None:
        return values
    return tuple(step.emitter.select(mask, v, constant(0, v.type)) for v in values)


def _constant_or_buffer(e: Emitter, where: Value) -> Value:
    """Give an address of constant memory as a generic one; those of buffers are generic already."""
    address = e.resize(where, "i64")
    is_constant = e.compare("ult", address, constant(WINDOW_BYTES, "i64"))
    return e.select(is_constant, e.op("add", address, constant(CONST_WINDOW, "i64")), address)


def store(  # noqa: PLR0913 - as load
    step: Step,
    space: Space,
    where: Value,
    values: Sequence[Value],
    *,
    mask: Value | None = None,
    observed: bool = True,
) -> None:
    """Store one element or several next to each other at each lane's address in a space."""
    access = _access(step, space, values[0].type, len(values))
    if observed:
        observe(step, "store", space, where, access.bytes, mask=mask)
    request = _request(step, space, where, mask)
    parts = (request.where, request.bits, request.site)
    given = [step.emitter.vector(v) for v in values]
    step.emitter.outlined(f"store.{access.name}", access.store, *parts, *given)


def lane_hosts(
    e: Emitter, space: Space, request: Request, type_: str, count: int = 1
) -> tuple[Value, Value]:
    """Give the host address of each lane's access, i64, and the bits of the lanes that may.

    For functions of their own, which go on lane by lane and may write.
    """
    access = Access(space, type_, count)
    where = e.vector(widened(e, request.where, space))
    whole = Request(where, request.bits, request.site)
    if e.module.check_shared and space in (Space.SHARED, Space.GENERIC):
        mark_initialised(e, whole, access.bytes, access.align, space)
    return access.lanes(e, whole, access.piece(e, whole), writes=True)


def _request(step: Step, space: Space, where: Value, mask: Value | None) -> Request:
    e = step.emitter
    bits = e.bits(step.mask if mask is None else mask)
    return Request(widened(e, where, space), bits, constant(step.site, "i64"))


def _access(step: Step, space: Space, type_: str, count: int) -> Access:
    reaches = space in (Space.SHARED, Space.GENERIC)
    return Access(space, type_, count, reaches and step.places.check_shared)
