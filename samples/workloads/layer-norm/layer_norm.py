"""Layer normalisation for Triton: forward, and backward in two kernels, with halves in memory."""

import triton
import triton.language as tl


@triton.jit
def layer_norm(out, given, weight, bias, means, scales, columns, epsilon, BLOCK: tl.constexpr):
    """A row a program, in blocks: once for its mean, once for its variance, once to write."""
    row = tl.program_id(0)
    given += row * columns
    out += row * columns
    lane = tl.arange(0, BLOCK)
    total = tl.zeros((BLOCK,), tl.float32)
    for at in range(0, columns, BLOCK):
        place = at + lane
        total += tl.load(given + place, mask=place < columns, other=0.0).to(tl.float32)
    mean = tl.sum(total, axis=0) / columns
    squares = tl.zeros((BLOCK,), tl.float32)
    for at in range(0, columns, BLOCK):
        place = at + lane
        values = tl.load(given + place, mask=place < columns, other=0.0).to(tl.float32)
        off = tl.where(place < columns, values - mean, 0.0)
        squares += off * off
    scale = 1 / tl.sqrt(tl.sum(squares, axis=0) / columns + epsilon)
    tl.store(means + row, mean)
    tl.store(scales + row, scale)
    for at in range(0, columns, BLOCK):
        place = at + lane
        inside = place < columns
        values = tl.load(given + place, mask=inside, other=0.0).to(tl.float32)
        normal = (values - mean) * scale
        moved = normal * tl.load(weight + place, mask=inside) + tl.load(bias + place, mask=inside)
        tl.store(out + place, moved.to(tl.float16), mask=inside)


@triton.jit
def layer_norm_back(d_given, parts_weight, parts_bias, d_out, given, weight, means, scales, rows,
                    columns, BLOCK: tl.constexpr):  # fmt: skip
    """Gradients of the rows that a program takes, and their part of the weights' and biases'.

    A row fits in a block. Parts are added by the next kernel, so that their order is fixed.
    """
    program = tl.program_id(0)
    place = tl.arange(0, BLOCK)
    inside = place < columns
    of_weight = tl.zeros((BLOCK,), tl.float32)
    of_bias = tl.zeros((BLOCK,), tl.float32)
    weights = tl.load(weight + place, mask=inside, other=0.0)
    for row in range(program, rows, tl.num_programs(0)):
        values = tl.load(given + row * columns + place, mask=inside, other=0.0).to(tl.float32)
        slope = tl.load(d_out + row * columns + place, mask=inside, other=0.0).to(tl.float32)
        scale = tl.load(scales + row)
        normal = tl.where(inside, (values - tl.load(means + row)) * scale, 0.0)
        weighted = weights * slope
        along = tl.sum(normal * weighted, axis=0) / columns
        level = tl.sum(weighted, axis=0) / columns
        back = (weighted - (normal * along + level)) * scale
        tl.store(d_given + row * columns + place, back.to(tl.float16), mask=inside)
        of_weight += slope * normal
        of_bias += slope
    tl.store(parts_weight + program * columns + place, of_weight, mask=inside)
    tl.store(parts_bias + program * columns + place, of_bias, mask=inside)


@triton.jit
def layer_norm_sum(d_weight, d_bias, parts_weight, parts_bias, parts, columns, ROWS: tl.constexpr,
                   COLUMNS: tl.constexpr):  # fmt: skip
    """Add the parts of some columns, a tile of rows and columns at a time."""
    place = tl.program_id(0) * COLUMNS + tl.arange(0, COLUMNS)
    of_weight = tl.zeros((ROWS, COLUMNS), tl.float32)
    of_bias = tl.zeros((ROWS, COLUMNS), tl.float32)
    for at in range(0, parts, ROWS):
        part = at + tl.arange(0, ROWS)
        inside = (part[:, None] < parts) & (place[None, :] < columns)
        offset = part[:, None] * columns + place[None, :]
        of_weight += tl.load(parts_weight + offset, mask=inside, other=0.0)
        of_bias += tl.load(parts_bias + offset, mask=inside, other=0.0)
    tl.store(d_weight + place, tl.sum(of_weight, axis=0), mask=place < columns)
    tl.store(d_bias + place, tl.sum(of_bias, axis=0), mask=place < columns)


BUILDS = {
    "layer_norm": {
        "kernel": layer_norm,
        "types": "*fp16:16 *fp16:16 *fp32:16 *fp32:16 *fp32:16 *fp32:16 i32:16 fp32",
        "constants": {"BLOCK": 256},
        "warps": 4,
        "stages": 1,
    },
    "layer_norm_back": {
        "kernel": layer_norm_back,
        "types": "*fp16:16 *fp32:16 *fp32:16 *fp16:16 *fp16:16 *fp32:16 *fp32:16 *fp32:16"
        " i32 i32:16",
        "constants": {"BLOCK": 1024},
        "warps": 4,
        "stages": 1,
    },
    "layer_norm_sum": {
        "kernel": layer_norm_sum,
        "types": "*fp32:16 *fp32:16 *fp32:16 *fp32:16 i32 i32:16",
        "constants": {"ROWS": 32, "COLUMNS": 32},
        "warps": 4,
        "stages": 1,
    },
}
