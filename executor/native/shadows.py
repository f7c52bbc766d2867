"""Shadows: for each byte of a value or of memory one that says whether it is defined.

0 is defined, ``UNDEFINED`` is what nobody has written, ones in all bits what was computed from
such. A predicate has one for its shadow, and so has a value that is never copied byte by byte.
"""

from __future__ import annotations

from collections.abc import Sequence

from warpmill.executor.device_memory import COMPUTED_BIT, UNDEFINED
from warpmill.executor.native.emitter import Emitter, when
from warpmill.executor.native.instructions import LlvmValue, constant
from warpmill.executor.native.translation import Request

__all__ = [
    "UNDEFINED", "any_bit", "note_results", "note_undefined", "repeated", "spread",
    "unwritten_as_computed",
]  # fmt: skip


def repeated(byte: int, type_: str) -> LlvmValue:
    """The constant whose bytes are all the same."""
    return constant(int.from_bytes(bytes([byte]) * (int(type_[1:]) // 8), "little"), type_)


def any_bit(e: Emitter, shadow: LlvmValue) -> LlvmValue:
    """Whether any byte is undefined, as an i1."""
    if shadow.type == "i1":
        return shadow
    return e.compare("ne", shadow, constant(0, shadow.type))


def spread(e: Emitter, shadow: LlvmValue, type_: str) -> LlvmValue:
    """Ones in all bits of a type where any byte is undefined."""
    truth = any_bit(e, shadow)
    return truth if type_ == "i1" else e.cast("sext", truth, type_)


def unwritten_as_computed(e: Emitter, shadow: LlvmValue) -> LlvmValue:
    """The shadow of an element, as that of a computed value where no byte of it is defined.

    Elements of a tile in shared memory are there to be used, and a copy in global memory is a
    result; a struct's padding mostly lies beside bytes that are defined.
    """
    is_unwritten = e.compare("eq", shadow, repeated(UNDEFINED, shadow.type))
    return e.select(is_unwritten, constant(-1, shadow.type), shadow)


def _tell(e: Emitter, name: str, request: Request, lanes: LlvmValue) -> None:
    """Call a callback with the site, the bits of lanes, and all addresses, if there are any."""

    def tell() -> None:
        places = e.spill(e.resize(request.where, "i64"))
        parts = (request.site, e.resize(lanes, "i64"), LlvmValue(places, "ptr", uniform=True))
        e.callback(name, *parts)

    when(e, e.compare("ne", lanes, constant(0, lanes.type)), tell)


def _lanes(e: Emitter, request: Request, shadows: Sequence[LlvmValue], byte: int) -> LlvmValue:
    """The bits of the lanes that have a bit of ``byte`` in any of the shadows."""
    joined = shadows[0]
    for shadow in shadows[1:]:
        joined = e.op("or", joined, shadow)
    if byte != 0xFF:
        joined = e.op("and", joined, repeated(byte, joined.type))
    return e.op("and", e.bits(any_bit(e, joined)), request.bits)


def note_undefined(e: Emitter, request: Request, shadows: Sequence[LlvmValue]) -> None:
    """Take down where the lanes have loaded what is undefined."""
    _tell(e, "warpmill.initcheck.load", request, _lanes(e, request, shadows, 0xFF))


def note_results(e: Emitter, request: Request, shadows: Sequence[LlvmValue]) -> None:
    """Take down where the lanes store what was computed from undefined bytes."""
    _tell(e, "warpmill.initcheck.result", request, _lanes(e, request, shadows, COMPUTED_BIT))
