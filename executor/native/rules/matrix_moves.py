"""ldmatrix, stmatrix and movmatrix: matrices of 8 × 8 between shared memory and lanes.

PTX ISA 9.0, sections 9.7.14.5.15 to 9.7.14.5.17. Lane 8 m + r gives the address of row r of matrix
m; lane l holds two neighbours of row l / 4, from column 2 (l mod 4) on, or transposed of a column.
"""

from __future__ import annotations

from warpmill.analyzer.ir.kernel import Address, Instruction
from warpmill.analyzer.ir.types import Space
from warpmill.executor.native.emitter import Emitter
from warpmill.executor.native.memory import address, load, store
from warpmill.executor.native.observing import observe
from warpmill.executor.native.rules import matrix_fragments as mf
from warpmill.executor.native.rules.matrix_elements import fields, join
from warpmill.executor.native.rules.mma import give_registers, read_registers
from warpmill.executor.native.rules.registry import refuses, rule
from warpmill.executor.native.step import Step
from warpmill.executor.native.values import Value, constant

_HALVES = mf.layout(2, lambda lane, i: (0, lane // 4, lane % 4 * 2 + i))
_TURNED = mf.layout(2, lambda lane, i: (0, lane % 4 * 2 + i, lane // 4))


def _rows(e: Emitter, base: Value, matrix: int, places: tuple[mf.Place, ...]) -> Value:
    """Give each lane the address of its element: that of the row, then along it."""
    givers = [8 * matrix + row for _, row, _ in places]
    order = [lane - lane % mf.WARP + givers[lane % mf.WARP] for lane in range(e.lanes)]
    along = mf.lane_constants(e, [2 * column for _, _, column in places], base.type)
    return e.op("add", e.permute(base, order), along)


@rule("ldmatrix")
def lower_load(step: Step) -> None:
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


def _load_narrow(step: Step, space: Space, base: Value, matrix: int) -> Value:
    """Load four numbers of 4 or 6 bits a lane and give each a byte.

    A row of 16 bytes begins with its 16 numbers packed, and ends with padding. Of rows of four
    lanes the bits of lane l begin at bit 4 × (4 or 6) × (l mod 4).
    """
    e = step.emitter
    bits = 4 if "b4x16_p64" in step.operation.modifiers else 6
    starts = [4 * bits * (lane % 4) for lane in range(mf.WARP)]
    givers = [8 * matrix + lane // 4 for lane in range(mf.WARP)]
    order = [lane - lane % mf.WARP + givers[lane % mf.WARP] for lane in range(e.lanes)]
    row = e.permute(base, order)
    parts: list[Value] = []
    for half in range(2):
        along = mf.lane_constants(e, [s // 8 + half for s in starts], base.type)
        parts += load(step, space, e.op("add", row, along), "i8")
    if bits == 6:
        along = mf.lane_constants(e, [s // 8 + 2 for s in starts], base.type)
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
def lower_store(step: Step) -> None:
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
def lower_transpose(step: Step) -> None:
    """Transpose a matrix that the lanes hold."""
    result, source = step.instruction.operands
    e = step.emitter
    parts = fields(e, read_registers(step, source, "b32")[0], 16)
    held = mf.Fragment(e, _HALVES, parts)
    give_registers(step, result, join(e, [held.pick(places) for places in _TURNED.places]))


@refuses("ldmatrix", "stmatrix")
def refuse_move(instruction: Instruction) -> str | None:
    """Name what has no code: the forms of bytes whose layout the manual gives as a figure."""
    modifiers = instruction.operation.modifiers
    shape = next((w for w in modifiers if w in ("m16n16", "m16n8")), None)
    return None if shape is None else f"matrices of {shape} in bytes"
