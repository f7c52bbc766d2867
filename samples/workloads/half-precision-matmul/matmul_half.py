"""Product of matrices of halves for Triton: tiles on the tensor cores, loads some steps ahead."""

import triton
import triton.language as tl


@triton.jit
def matmul_half(c, a, b, bias, height, width, inner, clipped, TALL: tl.constexpr,
                WIDE: tl.constexpr, DEEP: tl.constexpr, GROUP: tl.constexpr):  # fmt: skip
    """A tile of c = a * b + bias a program; what is below 0 is clipped where asked for.

    Programs go down GROUP rows of tiles before they go to the next column, so that those that run
    together share more of a and b.
    """
    program = tl.program_id(0)
    tiles_down, tiles_along = tl.cdiv(height, TALL), tl.cdiv(width, WIDE)
    of_group = GROUP * tiles_along
    first = program // of_group * GROUP
    in_group = tl.minimum(tiles_down - first, GROUP)
    row = (first + program % of_group % in_group) * TALL + tl.arange(0, TALL)
    column = program % of_group // in_group * WIDE + tl.arange(0, WIDE)
    deep = tl.arange(0, DEEP)
    # rows and columns outside are loaded from within, and never stored
    a_at = a + (row % height)[:, None] * inner + deep[None, :]
    b_at = b + deep[:, None] * width + (column % width)[None, :]
    total = tl.zeros((TALL, WIDE), tl.float32)
    for left in range(inner, 0, -DEEP):
        a_tile = tl.load(a_at, mask=deep[None, :] < left, other=0.0)
        b_tile = tl.load(b_at, mask=deep[:, None] < left, other=0.0)
        total = tl.dot(a_tile, b_tile, total)
        a_at += DEEP
        b_at += DEEP * width
    total += tl.load(bias + column, mask=column < width, other=0.0)[None, :]
    if clipped:
        total = tl.maximum(total, 0.0)
    inside = (row[:, None] < height) & (column[None, :] < width)
    tl.store(c + row[:, None] * width + column[None, :], total.to(tl.float16), mask=inside)


BUILDS = {
    "matmul_half": {
        "kernel": matmul_half,
        "types": "*fp16:16 *fp16:16 *fp16:16 *fp32:16 i32 i32:16 i32:16 i32",
        "constants": {"TALL": 64, "WIDE": 64, "DEEP": 32, "GROUP": 4},
        "warps": 4,
        "stages": 3,
    },
}
