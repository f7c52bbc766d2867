"""``prmt``: four bytes out of eight. Source: PTX ISA 9.0, section 9.7.9.7."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from warpmill.analyzer.ir.operation import Operation
from warpmill.executor.native.emitter import Emitter
from warpmill.executor.native.rules.registry import pure
from warpmill.executor.native.rules.support import number
from warpmill.executor.native.values import Value, constant

_MODES: dict[str, Callable[[int, int], int]] = {
    "f4e": lambda way, place: way + place,
    "b4e": lambda way, place: (way - place) % 8,
    "rc8": lambda way, _: way,
    "ecl": max,
    "ecr": min,
    "rc16": lambda way, place: 2 * (way & 1) + (place & 1),
}
"""Which of the eight bytes comes to each of the four places, by the selector's two low bits."""

_SIGN = 8  # in a selector: the byte's sign in all eight bits


@pure("prmt")
def prmt(e: Emitter, operation: Operation, a: Value, b: Value, selector: Value) -> Value:
    """Pick four of the eight bytes of ``b:a``."""
    mode = next((word for word in operation.modifiers if word in _MODES), None)
    known = number(selector)
    if known is not None:
        return pick(e, a, b, _selected(mode, known))
    if mode is None:
        return e.outlined("prmt", _by_nibbles, a, b, selector)[0]
    ways = [pick(e, a, b, _selected(mode, way)) for way in range(4)]
    low, high = (
        e.compare("ne", e.op("and", selector, constant(bit, "i32")), constant(0, "i32"))
        for bit in (1, 2)
    )
    return e.select(high, e.select(low, ways[3], ways[2]), e.select(low, ways[1], ways[0]))


def _selected(mode: str | None, selector: int) -> list[int]:
    if mode is not None:
        return [_MODES[mode](selector & 3, place) for place in range(4)]
    return [selector >> 4 * place & 15 for place in range(4)]


def pick(e: Emitter, a: Value, b: Value, nibbles: Sequence[int]) -> Value:
    """Give four bytes that are known here; 8 and more stand for a byte's sign."""
    a, b = (e.vector(a), e.vector(b)) if not (a.uniform and b.uniform) else (a, b)
    bytes_a, bytes_b = _bytes(e, a), _bytes(e, b)
    result = _shuffled(e, a, (bytes_a, bytes_b), [n % 8 for n in nibbles])
    signs = [n >= _SIGN for n in nibbles]
    if any(signs):
        result = _with_signs(e, result, signs)
    return result


def _lanes(e: Emitter, value: Value) -> int:
    return 1 if value.uniform else e.lanes


def _bytes(e: Emitter, value: Value) -> str:
    name = e.name()
    e.raw(f"  {name} = bitcast {e.typed(value)} to <{4 * _lanes(e, value)} x i8>")
    return name


def _shuffled(e: Emitter, like: Value, names: tuple[str, str], places: Sequence[int]) -> Value:
    count = 4 * _lanes(e, like)
    order = [
        4 * lane + place % 4 + (count if place >= 4 else 0)
        for lane in range(count // 4)
        for place in places
    ]
    words = ", ".join([f"i32 {n}" for n in order])
    whole, name = f"<{count} x i8>", e.name()
    e.raw(
        f"  {name} = shufflevector {whole} {names[0]}, {whole} {names[1]}, "
        f"<{count} x i32> <{words}>"
    )
    return e.define(f"bitcast {whole} {name} to {e.llvm_type(like)}", "i32", uniform=like.uniform)


def _with_signs(e: Emitter, value: Value, signs: Sequence[bool]) -> Value:
    """Replace bytes by their signs, as 0x00 or 0xff."""
    tops = constant(sum(0x80 << 8 * k for k, sign in enumerate(signs) if sign), "i32")
    kept = constant(sum(0xFF << 8 * k for k, sign in enumerate(signs) if not sign), "i32")
    set_ = e.op("lshr", e.op("and", value, tops), constant(7, "i32"))
    filled = e.op("mul", set_, constant(0xFF, "i32"))
    return e.op("or", filled, e.op("and", value, kept))


def _by_nibbles(e: Emitter, a: Value, b: Value, selector: Value) -> Value:
    """Pick bytes by a selector that is known at run time only."""
    low, high = (e.cast("zext", v, "i64") for v in (a, b))
    both = e.op("or", low, e.op("shl", high, constant(32, "i64")))
    wide = e.cast("zext", selector, "i64")
    result = constant(0, "i32")
    for place in range(4):
        nibble = e.op("lshr", wide, constant(4 * place, "i64"))
        amount = e.op("shl", e.op("and", nibble, constant(7, "i64")), constant(3, "i64"))
        byte = e.resize(e.op("lshr", both, amount), "i8")
        sign = e.op("ashr", byte, constant(7, "i8"))
        wants_sign = e.compare("ne", e.op("and", nibble, constant(8, "i64")), constant(0, "i64"))
        chosen = e.resize(e.select(wants_sign, sign, byte), "i32")
        result = e.op("or", result, e.op("shl", chosen, constant(8 * place, "i32")))
    return result
