"""mma.sync, mma.sp, mfma: D = A × B + C by a warp together (mma: PTX ISA 9.0, section 9.7.14.5).

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

from warpmill.analyzer.ir.kernel import Imm, Instruction, Operand, Vector
from warpmill.analyzer.ir.operation import Operation
from warpmill.analyzer.ir.types import TYPES
from warpmill.executor.native.emitter import Emitter
from warpmill.executor.native.instructions import LlvmValue, constant
from warpmill.executor.native.rules import matrix_fragments as mf
from warpmill.executor.native.rules.matrix_fragments import (
    FORMATS,
    WMMA_SHAPES,
    give_registers,
    pack_halves,
    read_registers,
    shape_word,
    unpack,
)
from warpmill.executor.native.rules.registry import refuses, rule
from warpmill.executor.native.step import LoweringStep

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


@dataclass(frozen=True)
class Multiply:
    """Matrix product by its opcode: types, layouts, and what to do at the end."""

    shape: mf.MatrixShape
    d: str
    a: str
    b: str
    c: str
    layout_a: mf.FragmentLayout
    layout_b: mf.FragmentLayout
    layout_c: mf.FragmentLayout
    layout_d: mf.FragmentLayout
    saturate: bool
    combine: str  # of single bits: xor, and

    @property
    def depth(self) -> int:
        """How many elements are summed; 32 single bits are one."""
        return self.shape.k // 32 if self.a == "b1" else self.shape.k


def four_types(operation: Operation) -> tuple[str, str, str, str]:
    """The types of D, A, B and C; those of wmma with halves stand for D and C alone."""
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
    whole = mf.MatrixShape.read(word)
    if word == "m8n8k4" and a == "f16":
        order_a, order_b = [w for w in operation.modifiers if w in ("row", "col")]
        layouts = (quad_left(order_a), quad_right(order_b), quad_result(c), quad_result(d))
    else:
        inner = mf.MatrixShape(whole.m, whole.n, whole.k // 32) if a == "b1" else whole
        left, right = mf.left(inner, FORMATS[a].per), mf.right(inner, FORMATS[b].per)
        layouts = (left, right, mf.result(inner), mf.result(inner))
    combine = "xor" if "xor" in operation.modifiers else "and"
    return Multiply(whole, d, a, b, c, *layouts, "satfinite" in operation.modifiers, combine)


# m8n8k4 of halves multiplies four pairs of matrices at once, each held by a quad of lanes and the
# one 16 lanes further on (PTX ISA 9.0, section 9.7.14.5.1).


def _quad(lane: int) -> int:
    return lane % 16 // 4


@lru_cache(maxsize=2)
def quad_left(order: str) -> mf.FragmentLayout:
    """Lay out A of 8 × 4: a lane has a row, or four rows of a column."""

    def place(lane: int, i: int) -> mf.Place:
        inner, half = lane % 4, lane // 16 * 4
        return (_quad(lane), inner + half, i) if order == "row" else (_quad(lane), i + half, inner)

    return mf.layout(4, place)


@lru_cache(maxsize=2)
def quad_right(order: str) -> mf.FragmentLayout:
    """Lay out B of 4 × 8: a lane has four columns of a row, or a column."""

    def place(lane: int, i: int) -> mf.Place:
        inner, half = lane % 4, lane // 16 * 4
        return (_quad(lane), inner, i + half) if order == "row" else (_quad(lane), i, inner + half)

    return mf.layout(4, place)


@lru_cache(maxsize=2)
def quad_result(type_: str) -> mf.FragmentLayout:
    """Lay out C or D of 8 × 8, differently for f16 and f32."""

    def place(lane: int, i: int) -> mf.Place:
        half = lane // 16 * 4
        if type_ == "f16":
            return _quad(lane), lane % 4 + half, i
        return _quad(lane), (lane & 1) + (i & 2) + half, (i & 4) + (lane & 2) + (i & 1)

    return mf.layout(8, place)


# Code.


def multiply(
    what: Multiply, counts: tuple[int, int], e: Emitter, *registers: LlvmValue
) -> tuple[LlvmValue, ...]:
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
    e: Emitter, what: Multiply, a: mf.Fragment, b: mf.Fragment, c: Sequence[LlvmValue]
) -> list[LlvmValue]:
    if what.a == "b1":
        zeros = [e.vector(constant(0, "i32"))] * len(c)

        def count(x: LlvmValue, y: LlvmValue, total: LlvmValue) -> LlvmValue:
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


@rule("mma", "wmma.mma")
def lower_mma(step: LoweringStep) -> None:
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


# mma.sp: products with a matrix A of which half is stored (PTX ISA 9.0, section 9.7.14.6).
#
# Of each chunk of A's row two of four elements are stored (tf32: one of two; numbers of 4 bits:
# two pairs of four), in the fragments of mma with half the depth; metadata tell which. A pair of
# bits is an element's place in its chunk, in the order of what is stored; tf32 has four bits, of
# which the second lowest tells the place. The manual shows in figures where they lie: the quad of
# lanes that has rows g and g + 8 of A has their metadata, in as many lanes as that takes, of which
# the selector names the first group. Halves and tf32 have 16 bits of row g and above them 16 of
# row g + 8 in a lane, further lanes go on to the right; of bytes and 4 bits a lane has 32 bits of
# row g, the next of row g + 8.
#
# Arithmetic is that of mma; the products are taken in the order of what is stored.

_SPARSE_SHAPES: dict[str, frozenset[str]] = {
    **dict.fromkeys(("f16", "bf16"), frozenset({"m16n8k16", "m16n8k32"})),
    "tf32": frozenset({"m16n8k8", "m16n8k16"}),
    **dict.fromkeys(("s8", "u8"), frozenset({"m16n8k32", "m16n8k64"})),
    **dict.fromkeys(("e4m3", "e5m2", "e3m2", "e2m3", "e2m1"), frozenset({"m16n8k64"})),
    **dict.fromkeys(("s4", "u4"), frozenset({"m16n8k64", "m16n8k128"})),
}
"""The shapes by the type of A."""

_WORD = 32


@dataclass(frozen=True)
class SparseMetadata:
    """How the places of stored elements are written down, by the type of A."""

    type: str
    depth: int  # stored elements of a row
    selector: int

    @property
    def together(self) -> int:
        """Stored elements that have one place: pairs of 4 bits."""
        return 2 if FORMATS[self.type].bits == FORMATS["s4"].bits else 1

    @property
    def bits(self) -> int:
        """Bits of a place."""
        return 4 if self.type == "tf32" else 2

    @property
    def stored_of_chunk(self) -> int:
        """Places that a chunk has metadata for."""
        return 1 if self.type == "tf32" else 2

    @property
    def lanes(self) -> int:
        """Lanes of a quad that the metadata of its two rows take."""
        return max(1, 2 * self.depth // self.together * self.bits // _WORD)

    def find(self, row: int, stored: int) -> tuple[int, int]:
        """The lane that has the place of a stored element, and its lowest bit there."""
        position, lower = stored // self.together * self.bits, int(row >= 8)
        if FORMATS[self.type].bits >= FORMATS["f16"].bits:
            beside, bit = divmod(position, _WORD // 2)
            bit += lower * _WORD // 2
        else:
            beside, bit = divmod(position, _WORD)
            beside = 2 * beside + lower
        return row % 8 * 4 + self.selector * self.lanes + beside, bit

    def columns(self, stored: int) -> list[int]:
        """The columns of A that a stored element may stand in, by its place."""
        number, part = divmod(stored, self.together)
        choices = 2 * self.stored_of_chunk
        chunk = number // self.stored_of_chunk * choices
        return [(chunk + place) * self.together + part for place in range(choices)]


@dataclass(frozen=True)
class Sparse:
    """Sparse product as the instruction states it."""

    shape: mf.MatrixShape
    types: tuple[str, str, str, str]
    saturate: bool
    metadata: SparseMetadata


def decode_sparse(operation: Operation, selector: int) -> Sparse:
    """Read the opcode."""
    shape, types = mf.MatrixShape.read(shape_word(operation)), four_types(operation)
    metadata = SparseMetadata(types[1], shape.k // 2, selector)
    return Sparse(shape, types, "satfinite" in operation.modifiers, metadata)


def _places(
    e: Emitter, metadata: SparseMetadata, word: LlvmValue, rows: Sequence[int], stored: int
) -> list[LlvmValue]:
    """The bits of the place that a stored element of each lane's row has, lowest first."""
    found = [metadata.find(row, stored) for row in rows]
    order = [lane - lane % mf.WARP + found[lane % mf.WARP][0] for lane in range(e.lanes)]
    moved = e.permute(word, order)
    first = 1 if metadata.type == "tf32" else 0
    bits = []
    for k in range(metadata.stored_of_chunk):
        masks = mf.lane_constants(e, [1 << (bit + first + k) for _, bit in found], "i32")
        bits.append(e.compare("ne", e.op("and", moved, masks), constant(0, "i32")))
    return bits


def multiply_sparse(
    what: Sparse, counts: tuple[int, int], e: Emitter, *registers: LlvmValue
) -> tuple[LlvmValue, ...]:
    """Write D's registers from the metadata and the registers of A, B (``counts``) and C."""
    word, *rest = registers
    (d, a, b, c), shape = what.types, what.shape
    out = mf.result(shape)
    half = mf.MatrixShape(shape.m, shape.n, shape.k // 2)
    left = mf.Fragment(e, mf.left(half, FORMATS[a].per), unpack(e, rest[: counts[0]], a))
    b_registers, c_registers = rest[counts[0] : sum(counts)], rest[sum(counts) :]
    right = mf.Fragment(e, mf.right(shape, FORMATS[b].per), unpack(e, b_registers, b))
    if c == "s32":
        sums = [e.vector(constant(0, "float"))] * len(c_registers)
    else:
        sums = unpack(e, c_registers, c)
    for stored in range(half.k):
        for i, places in enumerate(out.places):
            x = left.pick([(0, row, stored) for _, row, _ in places])
            candidates = [
                right.pick([(0, k, column) for _, _, column in places])
                for k in what.metadata.columns(stored)
            ]
            rows = [row for _, row, _ in places]
            for bit in _places(e, what.metadata, word, rows, stored):
                pairs = zip(candidates[::2], candidates[1::2], strict=True)
                candidates = [e.select(bit, high, low) for low, high in pairs]
            sums[i] = e.call("llvm.fma", x, candidates[0], sums[i])
    if c != "s32":
        return tuple(pack_halves(e, sums) if d == "f16" else sums)
    whole = [e.cast("fptosi", x, "i32") for x in sums]
    add = partial(e.call, "llvm.sadd.sat") if what.saturate else partial(e.op, "add")
    return tuple(add(x, y) for x, y in zip(whole, c_registers, strict=True))


@rule("mma.sp")
def lower_sparse(step: LoweringStep) -> None:
    """Multiply matrices: a function for each opcode and selector."""
    d, a, b, c, metadata, selector = step.instruction.operands
    assert isinstance(selector, Imm)
    what = decode_sparse(step.operation, selector.value)
    left, right = read_registers(step, a, what.types[1]), read_registers(step, b, what.types[2])
    start = read_registers(step, c, what.types[3])
    word = step.emitter.vector(step.read(metadata, TYPES["b32"]))
    body = partial(multiply_sparse, what, (len(left), len(right)))
    name = f"{step.operation.opcode.replace('::', '_')}.{selector.value}"
    give_registers(step, d, step.emitter.outlined(name, body, word, *left, *right, *start))


@refuses("mma.sp")
def refuse_sparse(instruction: Instruction) -> str | None:
    """Name what a sparse product has no code for."""
    operation = instruction.operation
    if "block_scale" in operation.modifiers:
        return "matrix products with scaled blocks"
    word, types = shape_word(operation), operation.types
    if len(types) != 4 or word not in _SPARSE_SHAPES.get(types[1].name, ()):
        return f"the form `{operation.opcode}`"
    selector = instruction.operands[-1]
    if not isinstance(selector, Imm):
        return "a sparsity selector that is no constant"
    metadata = decode_sparse(operation, selector.value).metadata
    if not 0 <= selector.value < 4 // metadata.lanes:
        return f"the sparsity selector {selector.value}"
    return None


# AMD's matrix cores: ``mfma.f32.16x16x16f16``, on wavefronts of 64 lanes.
#
# One instruction multiplies one pair of matrices or several (blocks). Lane i + M (b + B g), of M
# rows and B blocks, has row i of A's block b, from column ``per`` g on as many elements as it
# holds; B likewise by columns. Of D a lane has one column, four rows in a row and then those of
# the other lanes in between; doubles lie one row at a time (AMD's "CDNA3" instruction set manual,
# chapter "Matrix Arithmetic Instructions"). Arithmetic is that of mma: products exact, summed from
# C on in single precision (f64: double), each step rounded, k rising. The instruction's control
# fields are taken to be 0: the IR does not have them.

_OPCODE = re.compile(
    r"mfma\.(?P<d>f32|f64|s32)\.(?P<m>\d+)x(?P<n>\d+)x(?P<k>\d+)\.?"
    r"(?P<types>f16|bf16(?:\.1k)?|f32|f64|i8)"
)
_MFMA_FORMATS = {"i8": "s8", "bf16.1k": "bf16"}
_WAVE = 64
_ROWS = 4  # of D that a lane has next to each other


@dataclass(frozen=True)
class MatrixCore:
    """One form of the instruction."""

    shape: mf.MatrixShape
    type: str
    total: str
    blocks: int

    @property
    def elements(self) -> int:
        """Elements of A, and of B, that a lane has."""
        return self.shape.m * self.shape.k * self.blocks // _WAVE

    def factor(self, *, is_left: bool) -> mf.FragmentLayout:
        """Lay out A, or B."""
        return _factor(self, is_left=is_left)

    def result(self) -> mf.FragmentLayout:
        """Lay out C and D."""
        return _result(self)


@lru_cache(maxsize=64)
def _factor(core: MatrixCore, *, is_left: bool) -> mf.FragmentLayout:
    rows, per = core.shape.m, core.elements

    def place(lane: int, i: int) -> mf.Place:
        group, k = lane // rows, lane // rows // core.blocks * per + i
        block, line = group % core.blocks, lane % rows
        return (block, line, k) if is_left else (block, k, line)

    return mf.layout(per, place, _WAVE)


@lru_cache(maxsize=64)
def _result(core: MatrixCore) -> mf.FragmentLayout:
    rows, columns, blocks = core.shape.m, core.shape.n, core.blocks
    count = rows * columns * blocks // _WAVE

    def place(lane: int, i: int) -> mf.Place:
        column, group = lane % columns, lane // columns
        if core.total == "f64":
            beside = min(blocks, _WAVE // columns)
            return group % beside, i * _ROWS + group // beside, column
        if rows == _ROWS:
            return group, i, column
        block, inner = divmod(i, count // blocks)
        groups = _WAVE // columns
        row = inner // _ROWS * _ROWS * groups + group * _ROWS + inner % _ROWS
        return block, row, column

    return mf.layout(count, place, _WAVE)


def decode_mfma(opcode: str, results: int) -> MatrixCore | None:
    """Read the opcode, given how many registers D has; None where there is no code."""
    found = _OPCODE.fullmatch(opcode)
    if found is None:
        return None
    shape = mf.MatrixShape(int(found["m"]), int(found["n"]), int(found["k"]))
    blocks = results * _WAVE // (shape.m * shape.n)
    core = MatrixCore(shape, _MFMA_FORMATS.get(found["types"], found["types"]), found["d"], blocks)
    is_known = shape.m in (4, 16, 32) and shape.m == shape.n and blocks and core.elements
    return core if is_known else None


def multiply_blocks(
    core: MatrixCore, count: int, e: Emitter, *registers: LlvmValue
) -> tuple[LlvmValue, ...]:
    """Write D's registers from those of A, B (``count`` each) and C."""
    a_elements = unpack(e, registers[:count], core.type)
    b_elements = unpack(e, registers[count : 2 * count], core.type)
    a = mf.Fragment(e, core.factor(is_left=True), a_elements)
    b = mf.Fragment(e, core.factor(is_left=False), b_elements)
    c, out, add = registers[2 * count :], core.result(), partial(e.call, "llvm.fma")
    if core.total != "s32":
        start = unpack(e, c, core.total)
        return tuple(mf.product(a, b, out, start, core.shape.k, add))
    none = [e.vector(constant(0, "float"))] * len(c)
    sums = mf.product(a, b, out, none, core.shape.k, add)
    return tuple(e.op("add", e.cast("fptosi", x, "i32"), y) for x, y in zip(sums, c, strict=True))


def _read(step: LoweringStep, operand: Operand, type_: str) -> list[LlvmValue]:
    """Read registers as words of 32 bits (f64: of 64); wider ones are taken apart."""
    e, words = step.emitter, []
    for part in step.elements(operand):
        value = e.vector(step.read(part))
        value = e.bitcast(value, f"i{value.bits}")
        if value.bits == FORMATS["f64"].bits and type_ != "f64":
            high = e.op("lshr", value, constant(32, "i64"))
            words += [e.resize(value, "i32"), e.resize(high, "i32")]
        else:
            words.append(value)
    return words


@rule("mfma")
def lower_mfma(step: LoweringStep) -> None:
    """Multiply matrices: a function for each opcode and number of blocks."""
    d, *sources = step.instruction.operands[:4]
    core = decode_mfma(step.operation.opcode, len(step.elements(d)))
    assert core is not None
    assert step.emitter.lanes == _WAVE
    a, b = (_read(step, source, core.type) for source in sources[:2])
    c = _read(step, sources[2], core.total)
    function = partial(multiply_blocks, core, len(a))
    name = f"{step.operation.opcode}.{core.blocks}"
    give_registers(step, d, step.emitter.outlined(name, function, *a, *b, *c))


@refuses("mfma")
def refuse_mfma(instruction: Instruction) -> str | None:
    """Name the forms that have no code: sparse ones, 8-bit floats and xf32, RDNA's wmma."""
    destination = instruction.operands[0]
    count = len(destination.elements) if isinstance(destination, Vector) else 1
    if decode_mfma(instruction.operation.opcode, count) is None:
        return f"the matrix instruction `{instruction.operation.opcode}`"
    return None
