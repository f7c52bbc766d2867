"""mma.sync: D = A × B + C by the lanes of a warp together (PTX ISA 9.0, section 9.7.14.5).

Arithmetic. Products are exact. Floats are summed in single precision, each element from C on, one
product after another in the order of A's columns, rounded at each step; those of f16 results are
rounded to f16 once, at the end. f64 is a chain of fma. tf32 takes the upper 19 bits of its operand.
Integers are exact: the products are summed first and added to C once, modulo 2^32 or, with
.satfinite, clamped. Hardware sums in an order, and rounds in a way, that the manual leaves open.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache, partial

from warpmill.analyzer.ir.kernel import Instruction, Operand
from warpmill.analyzer.ir.operation import Operation
from warpmill.analyzer.ir.types import TYPES
from warpmill.executor.native.emitter import Emitter
from warpmill.executor.native.rules import matrix_fragments as mf
from warpmill.executor.native.rules.matrix_elements import FORMATS, pack_halves, unpack
from warpmill.executor.native.rules.registry import refuses, rule
from warpmill.executor.native.step import Step
from warpmill.executor.native.values import Value, constant

_FLOAT8 = ("e4m3", "e5m2")
_SHAPES: dict[str, frozenset[str]] = {
    "f16": frozenset({"m8n8k4", "m16n8k8", "m16n8k16"}),
    "bf16": frozenset({"m16n8k8", "m16n8k16"}),
    "tf32": frozenset({"m16n8k4", "m16n8k8"}),
    "f64": frozenset({"m8n8k4", "m16n8k4", "m16n8k8", "m16n8k16"}),
    **dict.fromkeys(_FLOAT8, frozenset({"m16n8k16", "m16n8k32"})),
    **dict.fromkeys(("e3m2", "e2m3", "e2m1"), frozenset({"m16n8k32"})),
    **dict.fromkeys(("s8", "u8"), frozenset({"m8n8k16", "m16n8k16", "m16n8k32"})),
    **dict.fromkeys(("s4", "u4"), frozenset({"m8n8k32", "m16n8k32", "m16n8k64"})),
    "b1": frozenset({"m8n8k128", "m16n8k128", "m16n8k256"}),
}
"""The shapes of mma, by the type of A."""

WMMA_SHAPES: dict[str, frozenset[str]] = {
    **dict.fromkeys(("f16", "bf16", "s8", "u8"), frozenset({"m16n16k16", "m8n32k16", "m32n8k16"})),
    "tf32": frozenset({"m16n16k8"}),
    "f64": frozenset({"m8n8k4"}),
    **dict.fromkeys(("s4", "u4"), frozenset({"m8n8k32"})),
    "b1": frozenset({"m8n8k128"}),
}
"""The shapes of wmma, by the type of A."""


@dataclass(frozen=True)
class Multiply:
    """What a matrix product is, as its opcode says: types, layouts, and what to do at the end."""

    shape: mf.Shape
    d: str
    a: str
    b: str
    c: str
    layout_a: mf.Layout
    layout_b: mf.Layout
    layout_c: mf.Layout
    layout_d: mf.Layout
    saturate: bool
    combine: str  # of single bits: xor, and

    @property
    def depth(self) -> int:
        """How many elements are summed; 32 single bits are one."""
        return self.shape.k // 32 if self.a == "b1" else self.shape.k


def shape_word(operation: Operation) -> str:
    """Give the shape as the opcode writes it."""
    return next(w for w in operation.modifiers if re.fullmatch(r"m\d+n\d+k\d+", w))


def four_types(operation: Operation) -> tuple[str, str, str, str]:
    """Give the types of D, A, B and C; those of wmma with halves stand for D and C alone."""
    names = [t.name for t in operation.types]
    if len(names) == 2:
        return names[0], "f16", "f16", names[1]
    d, a, b, c = names[:4]
    return d, a, b, c


@lru_cache(maxsize=256)
def decode(operation: Operation) -> Multiply:
    """Read the opcode of mma or wmma.mma."""
    word = shape_word(operation)
    d, a, b, c = four_types(operation)
    whole = mf.Shape.read(word)
    if word == "m8n8k4" and a == "f16":
        order_a, order_b = [w for w in operation.modifiers if w in ("row", "col")]
        layouts = (quad_left(order_a), quad_right(order_b), quad_result(c), quad_result(d))
    else:
        inner = mf.Shape(whole.m, whole.n, whole.k // 32) if a == "b1" else whole
        left, right = mf.left(inner, FORMATS[a].per), mf.right(inner, FORMATS[b].per)
        layouts = (left, right, mf.result(inner), mf.result(inner))
    combine = "xor" if "xor" in operation.modifiers else "and"
    return Multiply(whole, d, a, b, c, *layouts, "satfinite" in operation.modifiers, combine)


# m8n8k4 of halves multiplies four pairs of matrices at once, each held by a quad of lanes and the
# one 16 lanes further on (PTX ISA 9.0, section 9.7.14.5.1).


def _quad(lane: int) -> int:
    return lane % 16 // 4


@lru_cache(maxsize=2)
def quad_left(order: str) -> mf.Layout:
    """Lay out A of 8 × 4: a lane has a row, or four rows of a column."""

    def place(lane: int, i: int) -> mf.Place:
        inner, half = lane % 4, lane // 16 * 4
        return (_quad(lane), inner + half, i) if order == "row" else (_quad(lane), i + half, inner)

    return mf.layout(4, place)


@lru_cache(maxsize=2)
def quad_right(order: str) -> mf.Layout:
    """Lay out B of 4 × 8: a lane has four columns of a row, or a column."""

    def place(lane: int, i: int) -> mf.Place:
        inner, half = lane % 4, lane // 16 * 4
        return (_quad(lane), inner, i + half) if order == "row" else (_quad(lane), i, inner + half)

    return mf.layout(4, place)


@lru_cache(maxsize=2)
def quad_result(type_: str) -> mf.Layout:
    """Lay out C or D of 8 × 8, differently for f16 and f32."""

    def place(lane: int, i: int) -> mf.Place:
        half = lane // 16 * 4
        if type_ == "f16":
            return _quad(lane), lane % 4 + half, i
        return _quad(lane), (lane & 1) + (i & 2) + half, (i & 4) + (lane & 2) + (i & 1)

    return mf.layout(8, place)


# Code.


def multiply(
    what: Multiply, counts: tuple[int, int], e: Emitter, *registers: Value
) -> tuple[Value, ...]:
    """Write D's registers from those of A, B and C, of which A and B have ``counts``."""
    a_registers = registers[: counts[0]]
    b_registers = registers[counts[0] : sum(counts)]
    c_registers = registers[sum(counts) :]
    a = mf.Fragment(e, what.layout_a, unpack(e, a_registers, what.a))
    b = mf.Fragment(e, what.layout_b, unpack(e, b_registers, what.b))
    if what.c == "s32":
        return tuple(_integer_product(e, what, a, b, c_registers))
    c = mf.Fragment(e, what.layout_c, unpack(e, c_registers, what.c))
    start = [c.pick(places) for places in what.layout_d.places]
    add = partial(e.call, "llvm.fma")
    sums = mf.product(a, b, what.layout_d, start, what.depth, add)
    return tuple(pack_halves(e, sums) if what.d == "f16" else sums)


def _integer_product(
    e: Emitter, what: Multiply, a: mf.Fragment, b: mf.Fragment, c: Sequence[Value]
) -> list[Value]:
    if what.a == "b1":
        zeros = [e.vector(constant(0, "i32"))] * len(c)

        def count(x: Value, y: Value, total: Value) -> Value:
            return e.op("add", total, e.call("llvm.ctpop", e.op(what.combine, x, y)))

        sums = mf.product(a, b, what.layout_d, zeros, what.depth, count)
    else:
        none = [e.vector(constant(0, "float"))] * len(c)
        add = partial(e.call, "llvm.fma")
        floats = mf.product(a, b, what.layout_d, none, what.depth, add)
        sums = [e.cast("fptosi", x, "i32") for x in floats]
    if what.saturate:
        return [e.call("llvm.sadd.sat", x, y) for x, y in zip(sums, c, strict=True)]
    return [e.op("add", x, y) for x, y in zip(sums, c, strict=True)]


def read_registers(step: Step, operand: Operand, type_: str) -> list[Value]:
    """Read the registers of a fragment as bits, one number a lane."""
    wanted = TYPES["b64" if type_ == "f64" else "b32"]
    return [step.emitter.vector(step.read(o, wanted)) for o in step.elements(operand)]


def give_registers(step: Step, operand: Operand, values: Sequence[Value]) -> None:
    """Write the registers of a fragment."""
    for destination, value in zip(step.elements(operand), values, strict=True):
        step.write(destination, value)


@rule("mma", "wmma.mma")
def lower_mma(step: Step) -> None:
    """Multiply matrices: a function for each opcode."""
    what = decode(step.operation)
    d, a, b, c = step.instruction.operands[:4]
    left, right = read_registers(step, a, what.a), read_registers(step, b, what.b)
    start = read_registers(step, c, what.c)
    left = left[: len(what.layout_a.places) // FORMATS[what.a].per]  # wmma repeats halves
    right = right[: len(what.layout_b.places) // FORMATS[what.b].per]
    body = partial(multiply, what, (len(left), len(right)))
    name = step.operation.opcode.replace("::", "_")
    give_registers(step, d, step.emitter.outlined(name, body, *left, *right, *start))


@refuses("mma", "wmma.mma")
def refuse_mma(instruction: Instruction) -> str | None:
    """Name what a product has no code for."""
    operation = instruction.operation
    if "block_scale" in operation.modifiers:
        return "matrix products with scaled blocks"
    if {"rz", "rm", "rp"} & set(operation.modifiers):
        return "matrix products that do not round to nearest"
    words = [w for w in operation.modifiers if re.fullmatch(r"m\d+n\d+k\d+", w)]
    if not words or len(operation.types) not in (2, 4):
        return f"the form `{operation.opcode}`"
    type_ = four_types(operation)[1]
    table = WMMA_SHAPES if operation.name == "wmma.mma" else _SHAPES
    if words[0] not in table.get(type_, ()):
        return f"matrices of {words[0]} with {type_}"
    return None
