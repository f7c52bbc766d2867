"""What the lanes of a warp do together: shuffles, votes, matches, reductions.

Values are laid out as one row a warp, with a mask of the lanes that are there.
"""

from __future__ import annotations

import numpy as np

from tests.reference.numpy_executor.values import dtype_of, masks
from warpmill.analyzer.ir.kernel import Pair, Sink

BOOL, U32 = np.dtype(bool), np.dtype(np.uint32)


def rows(frame, value, fill=0):
    """Lay a value out by warps: (values, which lanes are there, the frame's places)."""
    width = frame.chunk.warp_size
    warps = frame.lane_numbers // width
    first, warp = np.unique(warps, return_inverse=True)
    lane = frame.lane_numbers % width
    whole = np.full((len(first), width), fill, value.dtype)
    there = np.zeros(whole.shape, bool)
    whole[warp, lane], there[warp, lane] = value, True
    return whole, there, (warp, lane)


def written(operands, destination):
    """Make functions that write the results of a pair, or of one destination."""
    both = (
        (destination.first, destination.second) if isinstance(destination, Pair) else (destination,)
    )
    return [None if isinstance(o, Sink) else operands.writer(o) for o in both]


def shuffle_step(instruction, operands):
    """shfl (PTX ISA 9.7.9.6): the source lane by mode, the segment by the third source."""
    words = instruction.operation.modifiers
    mode = next(w for w in words if w in ("up", "down", "bfly", "idx"))
    destination, *sources = instruction.operands
    read, by, bound = (operands.reader(o, U32) for o in sources[:3])
    writers = written(operands, destination)

    def shuffle(frame):
        values, there, (warp, lane) = rows(frame, read(frame))
        b, c = (np.broadcast_to(r(frame), frame.size).astype(np.int64) for r in (by, bound))
        b, segment, clamp = b & 31, c >> 8 & 31, c & 31
        lowest, limit = lane & segment, lane & segment | clamp & ~segment
        source = {
            "up": lane - b, "down": lane + b, "bfly": lane ^ b,
            "idx": lowest | b & ~segment,
        }[mode]  # fmt: skip
        inside = source >= limit if mode == "up" else source <= limit
        source = np.where(inside, source, lane)
        if not there[warp, source].all():
            source = np.where(there[warp, source], source, lane)  # undefined there
        writers[0](frame, values[warp, source])
        if len(writers) > 1 and writers[1] is not None:
            writers[1](frame, inside)

    return shuffle


def vote_step(instruction, operands):
    operation = instruction.operation
    mode = next(w for w in operation.modifiers if w in ("all", "any", "uni", "ballot"))
    destination, source = instruction.operands[:2]
    read, write = operands.reader(source, BOOL), operands.writer(destination)

    def vote(frame):
        values, there, (warp, _) = rows(frame, np.broadcast_to(read(frame), frame.size))
        if mode == "ballot":
            write(frame, masks(values).astype(np.uint32)[warp])
            return
        every, some = (values | ~there).all(axis=1), values.any(axis=1)
        write(frame, {"all": every, "any": some, "uni": every | ~some}[mode][warp])

    return vote


def activemask_step(instruction, operands):
    write = operands.writer(instruction.operands[0])

    def activemask(frame):
        _, there, (warp, _) = rows(frame, np.ones(frame.size, bool))
        write(frame, masks(there).astype(np.uint32)[warp])

    return activemask


def match_step(instruction, operands):
    words = instruction.operation.modifiers
    destination, source = instruction.operands[:2]
    read = operands.reader(source, dtype_of(instruction.operation.type))
    writers = written(operands, destination)

    def match(frame):
        values, there, (warp, lane) = rows(frame, np.broadcast_to(read(frame), frame.size))
        same = (values[warp] == values[warp, lane][:, None]) & there[warp]
        found = masks(same).astype(np.uint32)
        if "any" in words:
            writers[0](frame, found)
            return
        alike = (same == there[warp]).all(axis=1)
        writers[0](frame, np.where(alike, found, np.uint32(0)))
        if len(writers) > 1 and writers[1] is not None:
            writers[1](frame, alike)

    return match


REDUCTIONS = {
    "add": np.add, "min": np.minimum, "max": np.maximum, "and": np.bitwise_and,
    "or": np.bitwise_or, "xor": np.bitwise_xor,
}  # fmt: skip


def redux_step(instruction, operands):
    operation = instruction.operation
    dtype = dtype_of(operation.type)
    if dtype.kind == "f":
        raise NotImplementedError(operation.opcode)
    reduce = next(REDUCTIONS[w] for w in operation.modifiers if w in REDUCTIONS)
    destination, source = instruction.operands[:2]
    read, write = operands.reader(source, dtype), operands.writer(destination)

    def redux(frame):
        values, there, (warp, _) = rows(frame, np.broadcast_to(read(frame), frame.size))
        columns = [np.array(values[:, 0])]
        result, any_yet = columns[0], there[:, 0]
        for lane in range(1, values.shape[1]):
            joined = np.where(any_yet, reduce(result, values[:, lane]), values[:, lane])
            result = np.where(there[:, lane], joined, result).astype(dtype)
            any_yet = any_yet | there[:, lane]
        write(frame, result[warp])

    return redux


STEPS = {
    "shfl": shuffle_step,
    "vote": vote_step,
    "activemask": activemask_step,
    "match": match_step,
    "redux": redux_step,
}
