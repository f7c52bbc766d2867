"""Fragments of matrices: where elements lie in the registers of lanes, their products and moves.

A fragment is the part of a matrix that one lane holds: so many elements, packed into registers from
the low bits. All that is exchanged between lanes is known when code is written, so that a product
is constant shuffles and fused multiply-adds of whole vectors. Fragments move between memory and
lanes by ldmatrix, stmatrix, movmatrix, wmma.load and wmma.store.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

from warpmill.analyzer.ir.kernel import Address, Instruction, Operand
from warpmill.analyzer.ir.operation import Operation
from warpmill.analyzer.ir.types import TYPES, Space
from warpmill.executor.native.emitter import Emitter
from warpmill.executor.native.instructions import LlvmValue, constant, float_constant
from warpmill.executor.native.memory import address, load, store
from warpmill.executor.native.observing import observe
from warpmill.executor.native.rules.registry import refuses, rule
from warpmill.executor.native.step import LoweringStep

Place = tuple[int, int, int]
"""Block (of instructions that multiply several pairs at once, else 0), row and column."""

WARP = 32
"""Lanes that a matrix instruction of PTX is defined for; wider warps run it in each 32."""


@dataclass(frozen=True)
class FragmentLayout:
    """The place in its matrix of each element, by element and then by lane."""

    places: tuple[tuple[Place, ...], ...]

    @cached_property
    def holders(self) -> dict[Place, tuple[int, int]]:
        """The lane and the element that hold each place; the first where several do."""
        found: dict[Place, tuple[int, int]] = {}
        for element, lanes in enumerate(self.places):
            for lane, place in enumerate(lanes):
                found.setdefault(place, (lane, element))
        return found


def layout(count: int, place: Callable[[int, int], Place], lanes: int = WARP) -> FragmentLayout:
    """Make a layout of ``count`` elements a lane from ``place(lane, element)``."""
    return FragmentLayout(
        tuple(tuple(place(lane, i) for lane in range(lanes)) for i in range(count))
    )


@dataclass(frozen=True)
class MatrixShape:
    """Rows of A and D, columns of B and D, and the depth that is summed over."""

    m: int
    n: int
    k: int

    @classmethod
    def read(cls, word: str) -> MatrixShape:
        """Read ``m16n8k16``."""
        m, _, rest = word[1:].partition("n")
        n, _, k = rest.partition("k")
        return cls(int(m), int(n), int(k))


# The fragments of mma (PTX ISA 9.0, section 9.7.14.5, "Matrix Fragments"). Its many tables say one
# thing: eight groups of four lanes; a group has a row of A and of D or a column of B, the lanes
# within it take turns along the other side by registers of ``per`` elements (by two in D), and
# further registers go on eight rows down first, then to the side. wmma's fragments, which the
# manual leaves open, are laid out alike: more tiles of eight rows or columns in the same order.


@lru_cache(maxsize=256)
def left(shape: MatrixShape, per: int) -> FragmentLayout:
    """Lay out A with ``per`` elements to a register."""
    tiles = shape.m // 8

    def place(lane: int, i: int) -> Place:
        register, part = divmod(i, per)
        row = lane // 4 + 8 * (register % tiles)
        return 0, row, lane % 4 * per + part + 4 * per * (register // tiles)

    return layout(shape.m * shape.k // WARP, place)


@lru_cache(maxsize=256)
def right(shape: MatrixShape, per: int) -> FragmentLayout:
    """Lay out B with ``per`` elements to a register."""
    tiles = shape.k // (4 * per)

    def place(lane: int, i: int) -> Place:
        register, part = divmod(i, per)
        row = lane % 4 * per + part + 4 * per * (register % tiles)
        return 0, row, lane // 4 + 8 * (register // tiles)

    return layout(shape.k * shape.n // WARP, place)


@lru_cache(maxsize=64)
def result(shape: MatrixShape) -> FragmentLayout:
    """Lay out C and D."""
    tiles = shape.m // 8

    def place(lane: int, i: int) -> Place:
        tile, part = divmod(i, 2)
        row = lane // 4 + 8 * (tile % tiles)
        return 0, row, lane % 4 * 2 + part + 8 * (tile // tiles)

    return layout(shape.m * shape.n // WARP, place)


@dataclass
class Fragment:
    """The elements of a matrix that is spread over the lanes."""

    emitter: Emitter
    layout: FragmentLayout
    elements: Sequence[LlvmValue]
    _picked: dict[tuple[tuple[int, int], ...], LlvmValue] = field(default_factory=dict)

    def pick(self, places: Sequence[Place]) -> LlvmValue:
        """Element at a place of its own in each lane."""
        key = tuple([self.layout.holders[place] for place in places])
        if key not in self._picked:
            self._picked[key] = self._exchange(key)
        return self._picked[key]

    def _exchange(self, holders: tuple[tuple[int, int], ...]) -> LlvmValue:
        e, span = self.emitter, len(holders)
        order = [lane - lane % span + holders[lane % span][0] for lane in range(e.lanes)]
        needed = sorted({element for _, element in holders})
        moved = None
        for element in needed:
            value = e.vector(self.elements[element])
            value = value if order == list(range(e.lanes)) else e.permute(value, order)
            mine = [holders[lane % span][1] == element for lane in range(e.lanes)]
            moved = value if moved is None else e.select(lane_mask(mine), value, moved)
        assert moved is not None
        return moved


def lane_mask(lanes: Sequence[bool]) -> LlvmValue:
    """A constant i1 a lane."""
    return LlvmValue(f"<{', '.join(['i1 true' if on else 'i1 false' for on in lanes])}>", "i1")


def lane_constants(e: Emitter, numbers: Sequence[int], type_: str) -> LlvmValue:
    """Constant of each lane; those of fewer lanes repeat."""
    words = [f"{type_} {numbers[lane % len(numbers)]}" for lane in range(e.lanes)]
    return LlvmValue(f"<{', '.join(words)}>", type_)


Accumulate = Callable[[LlvmValue, LlvmValue, LlvmValue], LlvmValue]
"""Adds the product of two elements to a sum: ``accumulate(a, b, total)``."""


def product(
    a: Fragment,
    b: Fragment,
    out: FragmentLayout,
    start: Sequence[LlvmValue],
    depth: int,
    add: Accumulate,
) -> list[LlvmValue]:
    """The elements of ``start + a × b``, laid out by ``out``.

    Each element starts from that of ``start`` and takes its ``depth`` products one by one, in the
    order of A's columns.
    """
    sums = list(start)
    for k in range(depth):
        for i, places in enumerate(out.places):
            x = a.pick([(block, row, k) for block, row, _ in places])
            y = b.pick([(block, k, column) for block, _, column in places])
            sums[i] = add(x, y, sums[i])
    return sums


# Fragments as instructions name them.

WMMA_SHAPES: dict[str, frozenset[str]] = {
    **dict.fromkeys(("f16", "bf16", "s8", "u8"), frozenset({"m16n16k16", "m8n32k16", "m32n8k16"})),
    "tf32": frozenset({"m16n16k8"}),
    "f64": frozenset({"m8n8k4"}),
    **dict.fromkeys(("s4", "u4"), frozenset({"m8n8k32"})),
    "b1": frozenset({"m8n8k128"}),
}
"""The shapes of wmma, by the type of A."""


def shape_word(operation: Operation) -> str:
    """The shape as the opcode writes it."""
    return next(w for w in operation.modifiers if re.fullmatch(r"m\d+n\d+k\d+", w))


def read_registers(step: LoweringStep, operand: Operand, type_: str) -> list[LlvmValue]:
    """Read the registers of a fragment as bits, one number a lane."""
    wanted = TYPES["b64" if type_ == "f64" else "b32"]
    return [step.emitter.vector(step.read(o, wanted)) for o in step.elements(operand)]


def give_registers(step: LoweringStep, operand: Operand, values: Sequence[LlvmValue]) -> None:
    """Write the registers of a fragment."""
    for destination, value in zip(step.elements(operand), values, strict=True):
        step.write(destination, value)


# Matrices moved between memory and lanes: ldmatrix, stmatrix, movmatrix, wmma.load, wmma.store.
#
# The first three take matrices of 8 × 8 (PTX ISA 9.0, sections 9.7.14.5.15 to 9.7.14.5.17). Lane 8
# m + r gives the address of row r of matrix m; lane l holds two neighbours of row l / 4, from
# column 2 (l mod 4) on, or transposed of a column.

_HALVES = layout(2, lambda lane, i: (0, lane // 4, lane % 4 * 2 + i))
_TURNED = layout(2, lambda lane, i: (0, lane % 4 * 2 + i, lane // 4))


def _rows(e: Emitter, base: LlvmValue, matrix: int, places: tuple[Place, ...]) -> LlvmValue:
    """Address of each lane's element: that of the row, then along it."""
    givers = [8 * matrix + row for _, row, _ in places]
    order = [lane - lane % WARP + givers[lane % WARP] for lane in range(e.lanes)]
    along = lane_constants(e, [2 * column for _, _, column in places], base.type)
    return e.op("add", e.permute(base, order), along)


@rule("ldmatrix")
def lower_load(step: LoweringStep) -> None:
    """Load one, two or four matrices, a register each."""
    result, place = step.instruction.operands
    assert isinstance(place, Address)
    e, base = step.emitter, address(step, place)
    space, modifiers = step.operation.space or Space.GENERIC, step.operation.modifiers
    wanted, loaded = len(step.elements(result)), []
    for matrix in range(wanted):
        if "m8n16" in modifiers:
            loaded.append(_load_narrow(step, space, base, matrix))
        elif "trans" in modifiers:
            # one pass over the rows, as without transposing
            observe(step, "load", space, _rows(e, base, matrix, _HALVES.places[0]), 4)
            parts = [
                load(step, space, _rows(e, base, matrix, places), "i16", observed=False)[0]
                for places in _TURNED.places
            ]
            loaded += join(e, parts)
        else:
            where = _rows(e, base, matrix, _HALVES.places[0])
            loaded += load(step, space, where, "i32")
    give_registers(step, result, loaded)


def _load_narrow(step: LoweringStep, space: Space, base: LlvmValue, matrix: int) -> LlvmValue:
    """Load four numbers of 4 or 6 bits a lane and give each a byte.

    A row of 16 bytes begins with its 16 numbers packed, and ends with padding. Of rows of four
    lanes the bits of lane l begin at bit 4 × (4 or 6) × (l mod 4).
    """
    e = step.emitter
    bits = 4 if "b4x16_p64" in step.operation.modifiers else 6
    starts = [4 * bits * (lane % 4) for lane in range(WARP)]
    givers = [8 * matrix + lane // 4 for lane in range(WARP)]
    order = [lane - lane % WARP + givers[lane % WARP] for lane in range(e.lanes)]
    row = e.permute(base, order)
    parts: list[LlvmValue] = []
    for half in range(2):
        along = lane_constants(e, [s // 8 + half for s in starts], base.type)
        parts += load(step, space, e.op("add", row, along), "i8")
    if bits == 6:
        along = lane_constants(e, [s // 8 + 2 for s in starts], base.type)
        parts += load(step, space, e.op("add", row, along), "i8")
    word = constant(0, "i32")
    for at, part in enumerate(parts):
        high = e.op("shl", e.resize(part, "i32"), constant(8 * at, "i32"))
        word = e.op("or", word, high)
    mask = constant((1 << bits) - 1, "i32")
    numbers = [
        e.resize(e.op("and", e.op("lshr", word, constant(bits * k, "i32")), mask), "i8")
        for k in range(4)
    ]
    return join(e, numbers)[0]


@rule("stmatrix")
def lower_store(step: LoweringStep) -> None:
    """Store one, two or four matrices."""
    place, source = step.instruction.operands
    assert isinstance(place, Address)
    e, base = step.emitter, address(step, place)
    space, trans = step.operation.space or Space.GENERIC, "trans" in step.operation.modifiers
    for matrix, value in enumerate(read_registers(step, source, "b32")):
        if not trans:
            store(step, space, _rows(e, base, matrix, _HALVES.places[0]), (value,))
            continue
        observe(step, "store", space, _rows(e, base, matrix, _HALVES.places[0]), 4)
        for places, part in zip(_TURNED.places, fields(e, value, 16), strict=True):
            store(step, space, _rows(e, base, matrix, places), (part,), observed=False)


@rule("movmatrix")
def lower_transpose(step: LoweringStep) -> None:
    """Transpose a matrix that the lanes hold."""
    result, source = step.instruction.operands
    e = step.emitter
    parts = fields(e, read_registers(step, source, "b32")[0], 16)
    held = Fragment(e, _HALVES, parts)
    give_registers(step, result, join(e, [held.pick(places) for places in _TURNED.places]))


@refuses("ldmatrix", "stmatrix")
def refuse_move(instruction: Instruction) -> str | None:
    """Name what has no code: the forms of bytes whose layout the manual gives as a figure."""
    modifiers = instruction.operation.modifiers
    shape = next((w for w in modifiers if w in ("m16n16", "m16n8")), None)
    return None if shape is None else f"matrices of {shape} in bytes"


# wmma.load and wmma.store: matrices between memory and the fragments of wmma.mma.
#
# The manual leaves open which lane holds what (PTX ISA 9.0, section 9.7.14.4). Here the fragments
# are those of mma carried on, more tiles of eight rows or columns (``matrix_fragments``), whether
# the matrix lies in memory by rows or by columns. Where f16 has more registers than that takes,
# they repeat the first ones.


@dataclass(frozen=True)
class Move:
    """Elements that wmma.load or wmma.store moves."""

    type: str
    layout: FragmentLayout
    by_rows: bool
    packs: bool  # whether a register's elements are neighbours in memory
    stride: int  # elements from one row (or column) to the next where the instruction gives none

    @property
    def register_bits(self) -> int:
        """Size of a register."""
        return 64 if self.type == "f64" else 32

    @property
    def element_bits(self) -> int:
        """Size of an element in memory."""
        return 1 if self.type == "b1" else FORMATS[self.type].bits

    @property
    def pieces(self) -> list[tuple[Place, ...]]:
        """The places, by lane, of what one access moves: a register or an element."""
        step = FORMATS[self.type].per if self.packs else 1
        return list(self.layout.places[::step])


@lru_cache(maxsize=256)
def decode_wmma_move(operation: Operation) -> Move:
    """Read the opcode."""
    which, type_ = operation.modifiers[1], operation.types[0].name
    shape, per = MatrixShape.read(shape_word(operation)), FORMATS[type_].per
    inner = MatrixShape(shape.m, shape.n, shape.k // 32) if type_ == "b1" else shape
    by_rows = "row" in operation.modifiers
    if which == "a":
        layout, rows, columns = left(inner, per), shape.m, shape.k
    elif which == "b":
        layout, rows, columns = right(inner, per), shape.k, shape.n
    else:
        layout, rows, columns = result(inner), shape.m, shape.n
    packs = per == 1 or by_rows == (which != "b")
    return Move(type_, layout, by_rows, packs, columns if by_rows else rows)


def _addresses(
    step: LoweringStep, what: Move, base: LlvmValue, stride: Operand | None
) -> list[LlvmValue]:
    """The addresses of all pieces, a number a lane."""
    e, type_ = step.emitter, base.type
    if stride is None:
        pitch = constant(what.stride * what.element_bits // 8, type_)
    else:
        elements = e.resize(step.read(stride, TYPES["b32"]), type_)
        bits = e.op("mul", elements, constant(what.element_bits, type_))
        pitch = e.op("lshr", bits, constant(3, type_))
    return [_address(e, what, base, pitch, places) for places in what.pieces]


def _address(
    e: Emitter, what: Move, base: LlvmValue, pitch: LlvmValue, places: tuple[Place, ...]
) -> LlvmValue:
    lines = [(row, column) if what.by_rows else (column, row) for _, row, column in places]
    unit = 32 if what.type == "b1" else what.element_bits
    along = lane_constants(e, [minor * unit // 8 for _, minor in lines], base.type)
    across = lane_constants(e, [major for major, _ in lines], base.type)
    return e.op("add", e.op("add", base, e.op("mul", across, pitch)), along)


@rule("wmma.load")
def lower_wmma_load(step: LoweringStep) -> None:
    """Load a fragment, by registers where their elements are neighbours, else one by one."""
    what, (result, place, *rest) = decode_wmma_move(step.operation), step.instruction.operands
    assert isinstance(place, Address)
    space = step.operation.space or Space.GENERIC
    type_ = f"i{what.register_bits if what.packs else what.element_bits}"
    where = _addresses(step, what, address(step, place), rest[0] if rest else None)
    loaded = [load(step, space, w, type_)[0] for w in where]
    registers = loaded if what.packs else join(step.emitter, loaded)
    wanted = len(step.elements(result))
    give_registers(step, result, [registers[k % len(registers)] for k in range(wanted)])


@rule("wmma.store")
def lower_wmma_store(step: LoweringStep) -> None:
    """Store a fragment of D."""
    what, (place, source, *rest) = decode_wmma_move(step.operation), step.instruction.operands
    assert isinstance(place, Address)
    e, space = step.emitter, step.operation.space or Space.GENERIC
    where = _addresses(step, what, address(step, place), rest[0] if rest else None)
    values = read_registers(step, source, what.type)
    if not what.packs:
        values = [part for v in values for part in fields(e, v, what.element_bits)]
    for at, value in zip(where, values, strict=True):
        store(step, space, at, (value,))


@refuses("wmma.load", "wmma.store")
def refuse_wmma_move(instruction: Instruction) -> str | None:
    """Name what has no code: shapes beyond the table."""
    operation = instruction.operation
    type_, word = operation.types[0].name, shape_word(operation)
    if operation.modifiers[1] in ("a", "b"):
        return None if word in WMMA_SHAPES.get(type_, ()) else f"matrices of {word} with {type_}"
    return None


# The number formats of matrix instructions: packed registers to numbers, and back.


@dataclass(frozen=True)
class ElementFormat:
    """How an element lies in a register: ``bits`` of its place, ``per`` of them in a register."""

    bits: int
    per: int


FORMATS = {
    "f16": ElementFormat(16, 2), "bf16": ElementFormat(16, 2), "tf32": ElementFormat(32, 1),
    "f32": ElementFormat(32, 1), "f64": ElementFormat(64, 1), "s32": ElementFormat(32, 1),
    "e4m3": ElementFormat(8, 4), "e5m2": ElementFormat(8, 4), "e3m2": ElementFormat(8, 4),
    "e2m3": ElementFormat(8, 4), "e2m1": ElementFormat(8, 4),
    "s8": ElementFormat(8, 4), "u8": ElementFormat(8, 4),
    "s4": ElementFormat(4, 8), "u4": ElementFormat(4, 8), "b1": ElementFormat(32, 1),
}  # fmt: skip
"""The formats by PTX's names. Single bits are taken 32 at a time."""

_NARROW = {
    "e5m2": (2, 0, 0),
    "e4m3": (3, 8, 0),
    "e3m2": (2, 12, 0),
    "e2m3": (3, 14, 0),
    "e2m1": (1, 14, 2),
}
"""Floats in bytes: bits of the fraction, how far the bias is below half's, bits below it all.

The number of 6 bits fills the low ones of its byte, that of 4 bits the middle ones.
"""

_MAGNITUDE = {"e5m2": 7, "e4m3": 7, "e3m2": 5, "e2m3": 5, "e2m1": 3}


def unpack(e: Emitter, registers: Sequence[LlvmValue], type_: str) -> list[LlvmValue]:
    """The elements of registers, as numbers that products are exact in.

    Double for f64, whole words for single bits, else float: it holds every element of 19 bits or
    fewer, and fma rounds only the sum. Sums of integers stay far below 2^24, so they are exact.
    """
    return [element for r in registers for element in _unpack_one(e, r, type_)]


def _unpack_one(e: Emitter, register: LlvmValue, type_: str) -> list[LlvmValue]:
    if type_ == "f64":
        return [e.bitcast(register, "double")]
    if type_ == "b1":
        return [register]
    if type_ in ("tf32", "f32"):
        kept = register if type_ == "f32" else e.op("and", register, constant(~0x1FFF, "i32"))
        return [e.bitcast(kept, "float")]
    if type_ == "bf16":
        high = e.op("and", register, constant(0xFFFF0000, "i32"))
        low = e.op("shl", register, constant(16, "i32"))
        return [e.bitcast(low, "float"), e.bitcast(high, "float")]
    if type_ == "f16":
        return [
            e.cast("fpext", e.bitcast(half, "half"), "float") for half in fields(e, register, 16)
        ]
    if type_[0] in "su":
        return _integers(e, register, type_)
    return [_narrow_float(e, byte, type_) for byte in fields(e, register, 8)]


def fields(e: Emitter, register: LlvmValue, bits: int) -> list[LlvmValue]:
    """The parts of 32 bits, from the lowest."""
    shifted = [
        e.op("lshr", register, constant(at, "i32")) if at else register for at in range(0, 32, bits)
    ]
    return [e.resize(value, f"i{bits}") for value in shifted]


def _integers(e: Emitter, register: LlvmValue, type_: str) -> list[LlvmValue]:
    bits, signed = FORMATS[type_].bits, type_[0] == "s"
    numbers = []
    for at in range(0, 32, bits):
        up = constant(32 - bits - at, "i32")
        top = e.op("shl", register, up) if at < 32 - bits else register
        whole = e.op("ashr" if signed else "lshr", top, constant(32 - bits, "i32"))
        numbers.append(e.cast("sitofp", whole, "float"))
    return numbers


def _narrow_float(e: Emitter, byte: LlvmValue, type_: str) -> LlvmValue:
    """A float of 8 bits or fewer: the bits of a half whose exponent is off, then scaled."""
    fraction, bias, below = _NARROW[type_]
    width = _MAGNITUDE[type_]
    wide = e.resize(byte, "i16")
    wide = e.op("lshr", wide, constant(below, "i16")) if below else wide
    size = e.op("and", wide, constant((1 << width) - 1, "i16"))
    sign = e.op("and", e.op("lshr", wide, constant(width, "i16")), constant(1, "i16"))
    bits = e.op(
        "or",
        e.op("shl", sign, constant(15, "i16")),
        e.op("shl", size, constant(10 - fraction, "i16")),
    )
    number = e.cast("fpext", e.bitcast(bits, "half"), "float")
    number = e.op("fmul", number, constant(2.0**bias, "float")) if bias else number
    if type_ != "e4m3":
        return number
    nan = e.compare("eq", size, constant(0x7F, "i16"))
    return e.select(nan, float_constant(0x7FFFFFFF, "float"), number)


def pack_halves(e: Emitter, numbers: Sequence[LlvmValue]) -> list[LlvmValue]:
    """Round floats to halves and put two in a register."""
    halves = [e.bitcast(e.cast("fptrunc", x, "half"), "i16") for x in numbers]
    return join(e, halves)


def join(e: Emitter, parts: Sequence[LlvmValue]) -> list[LlvmValue]:
    """Registers of 32 bits from integers of fewer bits, from the lowest bits."""
    bits, registers = parts[0].bits, []
    if bits >= 32:
        return list(parts)
    for start in range(0, len(parts), 32 // bits):
        whole = e.resize(parts[start], "i32")
        for at, part in enumerate(parts[start + 1 : start + 32 // bits], start=1):
            high = e.op("shl", e.resize(part, "i32"), constant(at * bits, "i32"))
            whole = e.op("or", whole, high)
        registers.append(whole)
    return registers
