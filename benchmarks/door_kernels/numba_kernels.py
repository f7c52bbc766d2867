"""Kernels of numba with small launches, each with what NumPy says of its result."""

import math

import numpy as np
from numba import cuda, float32

from warpmill.benchmarks.door_kernels.cases import Case


def axpy(a, x, y):
    at = cuda.grid(1)
    if at < x.size:
        y[at] += a * x[at]


def strides(x, y):
    for at in range(cuda.grid(1), x.size, cuda.gridsize(1)):
        y[at] = math.sqrt(abs(x[at]))


def bodies(pos, acc, n):
    i = cuda.grid(1)
    if i < n:
        x = y = 0.0
        for j in range(n):
            dx = pos[j, 0] - pos[i, 0]
            dy = pos[j, 1] - pos[i, 1]
            inverse = 1.0 / math.sqrt(dx * dx + dy * dy + 1e-3)
            x += dx * inverse * inverse * inverse
            y += dy * inverse * inverse * inverse
        acc[i, 0] = x
        acc[i, 1] = y


def matmul(a, b, c):
    tile_a = cuda.shared.array((16, 16), float32)
    tile_b = cuda.shared.array((16, 16), float32)
    column, row = cuda.grid(2)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    total = float32(0)
    for start in range(0, a.shape[1], 16):
        tile_a[ty, tx] = a[row, start + tx]
        tile_b[ty, tx] = b[start + ty, column]
        cuda.syncthreads()
        for k in range(16):
            total += tile_a[ty, k] * tile_b[k, tx]
        cuda.syncthreads()
    c[row, column] = total


def block_sums(x, out):
    part = cuda.shared.array(128, float32)
    tid = cuda.threadIdx.x
    at = cuda.grid(1)
    part[tid] = x[at] if at < x.size else 0
    cuda.syncthreads()
    step = 64
    while step > 0:
        if tid < step:
            part[tid] += part[tid + step]
        cuda.syncthreads()
        step //= 2
    if tid == 0:
        out[cuda.blockIdx.x] = part[0]


def histogram(x, counts):
    at = cuda.grid(1)
    if at < x.size:
        cuda.atomic.add(counts, x[at], 1)


def mandelbrot(out, most):
    column, row = cuda.grid(2)
    if row < out.shape[0] and column < out.shape[1]:
        c = complex(column / out.shape[1] * 3 - 2, row / out.shape[0] * 2 - 1)
        z = 0j
        for n in range(most):
            z = z * z + c
            if z.real * z.real + z.imag * z.imag > 4:
                out[row, column] = n
                return
        out[row, column] = most


def columns(x, out):
    at = cuda.grid(1)
    if at < x.shape[1]:
        total = 0.0
        for row in range(x.shape[0]):
            total += x[row, at]
        out[at] = total


def warp_sums(x, out):
    at = cuda.grid(1)
    value = x[at]
    for step in (16, 8, 4, 2, 1):
        value += cuda.shfl_down_sync(0xFFFFFFFF, value, step)
    if cuda.laneid == 0:
        out[at // 32] = value


def heat(x, out):
    row, column = cuda.grid(2)
    if 0 < row < x.shape[0] - 1 and 0 < column < x.shape[1] - 1:
        around = x[row - 1, column] + x[row + 1, column] + x[row, column - 1] + x[row, column + 1]
        out[row, column] = 0.25 * around


def _escapes(rows, wide, most):
    found = np.full((rows, wide), most, np.int32)
    for row, column in np.ndindex(rows, wide):
        c, z = complex(column / wide * 3 - 2, row / rows * 2 - 1), 0j
        for n in range(most):
            z = z * z + c
            if abs(z) ** 2 > 4:
                found[row, column] = n
                break
    return found


def cases():
    """Every kernel with a launch, its arguments, and what they hold afterwards."""
    rng = np.random.default_rng(1)
    x, y = (rng.normal(size=1000).astype(np.float32) for _ in "xy")
    yield Case(axpy, (8, 128), (2.5, x, y), {}, {2: 2.5 * x + y})
    yield Case(strides, (2, 64), (x, np.zeros_like(x)), {}, {1: np.sqrt(abs(x))})
    pos = rng.normal(size=(70, 2)).astype(np.float32)
    d = pos[None].astype(np.float64) - pos[:, None]
    right = (d * ((d**2).sum(axis=-1) + 1e-3)[..., None] ** -1.5).sum(axis=1)
    yield Case(bodies, (3, 32), (pos, np.zeros_like(pos), 70), {}, {1: right}, 1e-3)
    a, b = (rng.normal(size=(32, 32)).astype(np.float32) for _ in "ab")
    yield Case(matmul, ((2, 2), (16, 16)), (a, b, np.zeros_like(a)), {}, {2: a @ b}, 1e-4)
    padded = np.concatenate([x, np.zeros(24, np.float32)]).reshape(8, 128)
    given = (x, np.zeros(8, np.float32))
    yield Case(block_sums, (8, 128), given, {}, {1: padded.sum(axis=1)}, 1e-4)
    bins = rng.integers(0, 10, 1000)
    given = (bins, np.zeros(10, np.int64))
    yield Case(histogram, (8, 128), given, {}, {1: np.bincount(bins, minlength=10)})
    given = (np.zeros((20, 30), np.int32), 20)
    yield Case(mandelbrot, ((4, 3), (8, 8)), given, {}, {0: _escapes(20, 30, 20)})
    wide = np.asfortranarray(rng.normal(size=(40, 50)))
    yield Case(columns, (1, 64), (wide, np.zeros(50)), {}, {1: wide.sum(axis=0)})
    given = (x[:128], np.zeros(4, np.float32))
    sums = x[:128].reshape(4, 32).sum(axis=1)
    yield Case(warp_sums, (2, 64), given, {}, {1: sums}, 1e-4)
    hot = rng.normal(size=(30, 40))
    right = np.zeros_like(hot)
    right[1:-1, 1:-1] = 0.25 * (hot[:-2, 1:-1] + hot[2:, 1:-1] + hot[1:-1, :-2] + hot[1:-1, 2:])
    yield Case(heat, ((4, 5), (8, 8)), (hot, np.zeros_like(hot)), {}, {1: right})
