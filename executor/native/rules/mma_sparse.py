"""mma.sp: products with a matrix A of which half is stored (PTX ISA 9.0, section 9.7.14.6).

Of each chunk of A's row two of four elements are stored (tf32: one of two; numbers of 4 bits: two
pairs of four), in the fragments of mma with half the depth; metadata tell which. A pair of bits is
an element's place in its chunk, in the order of what is stored; tf32 has four bits, of which the
second lowest tells the place. The manual shows in figures where they lie: the quad of lanes that
has rows g and g + 8 of A has their metadata, in as many lanes as that takes, of which the selector
names the first group. Halves and tf32 have 16 bits of row g and above them 16 of row g + 8 in a
lane, further lanes go on to the right; of bytes and 4 bits a lane has 32 bits of row g, the next of
row g + 8.

Arithmetic is that of mma; the products are taken in the order of what is stored.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from warpmill.analyzer.ir.kernel import Imm, Instruction
from warpmill.analyzer.ir.operation import Operation
from warpmill.analyzer.ir.types import TYPES
from warpmill.executor.native.emitter import Emitter
from warpmill.executor.native.rules import matrix_fragments as mf
from warpmill.executor.native.rules.matrix_elements import FORMATS, pack_halves, unpack
from warpmill.executor.native.rules.mma import (
    four_types,
    give_registers,
    read_registers,
    shape_word,
)
from warpmill.executor.native.rules.registry import refuses, rule
from warpmill.executor.native.step import Step
from warpmill.executor.native.values import Value, constant

_SHAPES: dict[str, frozenset[str]] = {
    **dict.fromkeys(("f16", "bf16"), frozenset({"m16n8k16", "m16n8k32"})),
    "tf32": frozenset({"m16n8k8", "m16n8k16"}),
    **dict.fromkeys(("s8", "u8"), frozenset({"m16n8k32", "m16n8k64"})),
    **dict.fromkeys(("e4m3", "e5m2", "e3m2", "e2m3", "e2m1"), frozenset({"m16n8k64"})),
    **dict.fromkeys(("s4", "u4"), frozenset({"m16n8k64", "m16n8k128"})),
}
"""The shapes by the type of A."""

_WORD = 32


@dataclass(frozen=True)
class Metadata:
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
        """Give the lane that has the place of a stored element, and its lowest bit there."""
        position, lower = stored // self.together * self.bits, int(row >= 8)
        if FORMATS[self.type].bits >= FORMATS["f16"].bits:
            beside, bit = divmod(position, _WORD // 2)
            bit += lower * _WORD // 2
        else:
            beside, bit = divmod(position, _WORD)
            beside = 2 * beside + lower
        return row % 8 * 4 + self.selector * self.lanes + beside, bit

    def columns(self, stored: int) -> list[int]:
        """Give the columns of A that a stored element may stand in, by its place."""
        number, part = divmod(stored, self.together)
        choices = 2 * self.stored_of_chunk
        chunk = number // self.stored_of_chunk * choices
        return [(chunk + place) * self.together + part for place in range(choices)]


@dataclass(frozen=True)
class Sparse:
    """What a sparse product is, as the instruction says."""

    shape: mf.Shape
    types: tuple[str, str, str, str]
    saturate: bool
    metadata: Metadata


def decode(operation: Operation, selector: int) -> Sparse:
    """Read the opcode."""
    shape, types = mf.Shape.read(shape_word(operation)), four_types(operation)
    metadata = Metadata(types[1], shape.k // 2, selector)
    return Sparse(shape, types, "satfinite" in operation.modifiers, metadata)


def _places(
    e: Emitter, metadata: Metadata, word: Value, rows: Sequence[int], stored: int
) -> list[Value]:
    """Give the bits of the place that a stored element of each lane's row has, lowest first."""
    found = [metadata.find(row, stored) for row in rows]
    order = [lane - lane % mf.WARP + found[lane % mf.WARP][0] for lane in range(e.lanes)]
    moved = e.permute(word, order)
    first = 1 if metadata.type == "tf32" else 0
    bits = []
    for k in range(metadata.stored_of_chunk):
        masks = mf.lane_constants(e, [1 << (bit + first + k) for _, bit in found], "i32")
        bits.append(e.compare("ne", e.op("and", moved, masks), constant(0, "i32")))
    return bits


def multiply(
    what: Sparse, counts: tuple[int, int], e: Emitter, *registers: Value
) -> tuple[Value, ...]:
    """Write D's registers from the metadata and the registers of A, B (``counts``) and C."""
    word, *rest = registers
    (d, a, b, c), shape = what.types, what.shape
    out = mf.result(shape)
    half = mf.Shape(shape.m, shape.n, shape.k // 2)
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
def lower_sparse(step: Step) -> None:
    """Multiply matrices: a function for each opcode and selector."""
    d, a, b, c, metadata, selector = step.instruction.operands
    assert isinstance(selector, Imm)
    what = decode(step.operation, selector.value)
    left, right = read_registers(step, a, what.types[1]), read_registers(step, b, what.types[2])
    start = read_registers(step, c, what.types[3])
    word = step.emitter.vector(step.read(metadata, TYPES["b32"]))
    body = partial(multiply, what, (len(left), len(right)))
    name = f"{step.operation.opcode.replace('::', '_')}.{selector.value}"
    give_registers(step, d, step.emitter.outlined(name, body, word, *left, *right, *start))


@refuses("mma.sp")
def refuse_sparse(instruction: Instruction) -> str | None:
    """Name what a sparse product has no code for."""
    operation = instruction.operation
    if "block_scale" in operation.modifiers:
        return "matrix products with scaled blocks"
    word, types = shape_word(operation), operation.types
    if len(types) != 4 or word not in _SHAPES.get(types[1].name, ()):
        return f"the form `{operation.opcode}`"
    selector = instruction.operands[-1]
    if not isinstance(selector, Imm):
        return "a sparsity selector that is no constant"
    metadata = decode(operation, selector.value).metadata
    if not 0 <= selector.value < 4 // metadata.lanes:
        return f"the sparsity selector {selector.value}"
    return None
