"""Softmax of rows, for Triton: rows that fit in a block, and ragged ones of any length."""

import triton
import triton.language as tl


@triton.jit
def softmax(out, given, pitch, rows, columns, BLOCK: tl.constexpr):
    """Rows of one length, each held in registers whole; a program takes every n-th of them."""
    place = tl.arange(0, BLOCK)
    inside = place < columns
    for row in tl.range(tl.program_id(0), rows, tl.num_programs(0)):
        values = tl.load(given + row * pitch + place, mask=inside, other=-float("inf"))
        powers = tl.exp(values - tl.max(values, axis=0))
        tl.store(out + row * pitch + place, powers / tl.sum(powers, axis=0), mask=inside)


@triton.jit
def softmax_ragged(out, given, starts, BLOCK: tl.constexpr):
    """One row of any length a program: row i of the halves goes from starts[i] to starts[i + 1].

    The first loop keeps the largest value so far and the sum of powers relative to it, lane by
    lane; the second reads the row again.
    """
    row = tl.program_id(0)
    start = tl.load(starts + row)
    length = tl.load(starts + row + 1) - start
    lane = tl.arange(0, BLOCK)
    most = tl.full((BLOCK,), -float("inf"), tl.float32)
    total = tl.zeros((BLOCK,), tl.float32)
    for at in range(0, length, BLOCK):
        inside = at + lane < length
        values = tl.load(given + start + at + lane, mask=inside, other=-float("inf"))
        values = values.to(tl.float32)
        higher = tl.maximum(most, values)
        # a lane that has seen no value yet would take infinity from infinity
        old = tl.where(most == -float("inf"), 0.0, total * tl.exp(most - higher))
        total = tl.where(inside, old + tl.exp(values - higher), total)
        most = higher
    highest = tl.max(most, axis=0)
    whole = tl.sum(total * tl.exp(most - highest), axis=0)
    for at in range(0, length, BLOCK):
        inside = at + lane < length
        values = tl.load(given + start + at + lane, mask=inside, other=0.0).to(tl.float32)
        share = tl.exp(values - highest) / whole
        tl.store(out + start + at + lane, share.to(tl.float16), mask=inside)


BUILDS = {
    "softmax": {
        "kernel": softmax,
        "types": "*fp32:16 *fp32:16 i32:16 i32 i32",
        "constants": {"BLOCK": 1024},
        "warps": 8,
        "stages": 2,
    },
    "softmax_ragged": {
        "kernel": softmax_ragged,
        "types": "*fp16:16 *fp16:16 *i32:16",
        "constants": {"BLOCK": 128},
        "warps": 4,
        "stages": 1,
    },
}
