"""Kernels of Triton with small launches, each with what NumPy says of its result."""

import numpy as np
import triton
import triton.language as tl

from warpmill.benchmarks.door_kernels.cases import Case


@triton.jit
def vector_add(x, y, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + at, tl.load(x + at, mask=at < n) + tl.load(y + at, mask=at < n), mask=at < n)


@triton.jit
def gelu(x, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + at, mask=at < n)
    tl.store(out + at, v * tl.sigmoid(1.702 * v), mask=at < n)


@triton.jit
def erf_gelu(x, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + at, mask=at < n)
    tl.store(out + at, 0.5 * v * (1 + tl.erf(v * 0.7071067811865476)), mask=at < n)


@triton.jit
def softmax(x, out, stride, columns, BLOCK: tl.constexpr):
    row, at = tl.program_id(0), tl.arange(0, BLOCK)
    v = tl.load(x + row * stride + at, mask=at < columns, other=-float("inf"))
    e = tl.exp(v - tl.max(v, axis=0))
    tl.store(out + row * stride + at, e / tl.sum(e, axis=0), mask=at < columns)


@triton.jit
def log_sum_exp(x, out, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    most = -float("inf")
    total = 0.0
    for start in range(0, columns, BLOCK):
        at = start + tl.arange(0, BLOCK)
        v = tl.load(x + row * columns + at, mask=at < columns, other=-float("inf"))
        new = tl.maximum(most, tl.max(v, axis=0))
        total = total * tl.exp(most - new) + tl.sum(tl.exp(v - new), axis=0)
        most = new
    tl.store(out + row, most + tl.log(total))


@triton.jit
def layer_norm(x, out, weight, bias, columns, eps, BLOCK: tl.constexpr):
    row, at = tl.program_id(0), tl.arange(0, BLOCK)
    inside = at < columns
    v = tl.load(x + row * columns + at, mask=inside, other=0.0)
    mean = tl.sum(v, axis=0) / columns
    d = tl.where(inside, v - mean, 0.0)
    scale = 1 / tl.sqrt(tl.sum(d * d, axis=0) / columns + eps)
    w, b = tl.load(weight + at, mask=inside), tl.load(bias + at, mask=inside)
    tl.store(out + row * columns + at, d * scale * w + b, mask=inside)


@triton.jit
def rms_norm(x, out, weight, columns, eps, BLOCK: tl.constexpr):
    row, at = tl.program_id(0), tl.arange(0, BLOCK)
    v = tl.load(x + row * columns + at, mask=at < columns, other=0.0).to(tl.float32)
    scale = tl.rsqrt(tl.sum(v * v, axis=0) / columns + eps)
    w = tl.load(weight + at, mask=at < columns)
    tl.store(out + row * columns + at, (v * scale * w).to(tl.float16), mask=at < columns)


@triton.jit
def _merge(mean_a, m2_a, count_a, mean_b, m2_b, count_b):
    d = mean_b - mean_a
    count = count_a + count_b
    part = tl.where(count == 0, 0.0, count_b / count)
    return mean_a + d * part, m2_a + m2_b + d * d * count_a * part, count


@triton.jit
def welford(x, out, BLOCK: tl.constexpr):
    row, at = tl.program_id(0), tl.arange(0, BLOCK)
    v = tl.load(x + row * BLOCK + at)
    mean, m2, count = tl.reduce((v, v * 0, v * 0 + 1), 0, _merge)
    tl.store(out + 2 * row, mean)
    tl.store(out + 2 * row + 1, m2 / count)


@triton.jit
def _tile(a, b, K, N, rm, rn, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rk = tl.arange(0, BK)
    pa, pb = a + rm[:, None] * K + rk[None, :], b + rk[:, None] * N + rn[None, :]
    total = tl.zeros((BM, BN), dtype=tl.float32)
    for _ in range(0, K, BK):
        total = tl.dot(tl.load(pa), tl.load(pb), total)
        pa += BK
        pb += BK * N
    return total


@triton.jit
def matmul(a, b, c, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rm = tl.program_id(0) * BM + tl.arange(0, BM)
    rn = tl.program_id(1) * BN + tl.arange(0, BN)
    total = _tile(a, b, K, N, rm, rn, BM, BN, BK)
    tl.store(c + rm[:, None] * N + rn[None, :], total.to(c.dtype.element_ty))


@triton.jit
def matmul_int8(a, b, c, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rm = tl.program_id(0) * BM + tl.arange(0, BM)
    rn = tl.program_id(1) * BN + tl.arange(0, BN)
    rk = tl.arange(0, BK)
    total = tl.zeros((BM, BN), dtype=tl.int32)
    for k in range(0, K, BK):
        x = tl.load(a + rm[:, None] * K + k + rk[None, :])
        y = tl.load(b + (k + rk[:, None]) * N + rn[None, :])
        total = tl.dot(x, y, total)
    tl.store(c + rm[:, None] * N + rn[None, :], total)


@triton.jit
def matmul_descriptors(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    m, n = tl.program_id(0) * BM, tl.program_id(1) * BN
    da = tl.make_tensor_descriptor(a, (M, K), (K, 1), (BM, BK))
    db = tl.make_tensor_descriptor(b, (K, N), (N, 1), (BK, BN))
    dc = tl.make_tensor_descriptor(c, (M, N), (N, 1), (BM, BN))
    total = tl.zeros((BM, BN), dtype=tl.float32)
    for k in range(0, K, BK):
        total = tl.dot(da.load([m, k]), db.load([k, n]), total)
    dc.store([m, n], total.to(tl.float16))


@triton.jit
def matmul_persistent(
    a, b, c, M, N, K, CTAS: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr
):
    wide = tl.cdiv(N, BN)
    for tile in range(tl.program_id(0), tl.cdiv(M, BM) * wide, CTAS):
        rm = tile // wide * BM + tl.arange(0, BM)
        rn = tile % wide * BN + tl.arange(0, BN)
        total = _tile(a, b, K, N, rm, rn, BM, BN, BK)
        tl.store(c + rm[:, None] * N + rn[None, :], total.to(tl.float16))


@triton.jit
def matmul_split_k(a, b, c, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rm, rn = tl.arange(0, BM), tl.program_id(0) * BN + tl.arange(0, BN)
    rk = tl.program_id(1) * BK + tl.arange(0, BK)
    x = tl.load(a + rm[:, None] * K + rk[None, :])
    total = tl.dot(x, tl.load(b + rk[:, None] * N + rn[None, :]))
    tl.atomic_add(c + rm[:, None] * N + rn[None, :], total)


@triton.jit
def attention(q, k, v, out, scale, N, D: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr):
    rows, inner, keys = tl.program_id(0) * BM + tl.arange(0, BM), tl.arange(0, D), tl.arange(0, BN)
    x = tl.load(q + rows[:, None] * D + inner[None, :])
    most = tl.full((BM,), -float("inf"), tl.float32)
    total = tl.zeros((BM,), tl.float32)
    found = tl.zeros((BM, D), tl.float32)
    for start in range(0, N, BN):
        y = tl.load(k + (start + keys)[None, :] * D + inner[:, None])
        s = tl.dot(x, y) * scale
        s = tl.where(rows[:, None] >= (start + keys)[None, :], s, -float("inf"))
        new = tl.maximum(most, tl.max(s, axis=1))
        p, shrink = tl.exp(s - new[:, None]), tl.exp(most - new)
        total, most = total * shrink + tl.sum(p, axis=1), new
        z = tl.load(v + (start + keys)[:, None] * D + inner[None, :])
        found = tl.dot(p.to(tl.float16), z, found * shrink[:, None])
    tl.store(out + rows[:, None] * D + inner[None, :], (found / total[:, None]).to(tl.float16))


@triton.jit
def dropout(x, out, n, share, seed, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    kept = tl.rand(seed, at) > share
    v = tl.load(x + at, mask=at < n)
    tl.store(out + at, tl.where(kept, v / (1 - share), 0.0), mask=at < n)


@triton.jit
def total(x, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.atomic_add(out, tl.sum(tl.load(x + at, mask=at < n, other=0), axis=0))


@triton.jit
def column_sums(x, out, rows, columns, BR: tl.constexpr, BC: tl.constexpr):
    c = tl.program_id(0) * BC + tl.arange(0, BC)
    found = tl.zeros((BC,), tl.float32)
    for start in range(0, rows, BR):
        r = start + tl.arange(0, BR)
        inside = (r < rows)[:, None] & (c < columns)[None, :]
        v = tl.load(x + r[:, None] * columns + c[None, :], mask=inside, other=0.0)
        found += tl.sum(v, axis=0)
    tl.store(out + c, found, mask=c < columns)


@triton.jit
def argmax(x, out, columns, BLOCK: tl.constexpr):
    row, at = tl.program_id(0), tl.arange(0, BLOCK)
    v = tl.load(x + row * columns + at, mask=at < columns, other=-float("inf"))
    tl.store(out + row, tl.argmax(v, axis=0))


@triton.jit
def running_sum(x, out, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + at, tl.cumsum(tl.load(x + at), axis=0))


@triton.jit
def _greater(a, b):
    return tl.maximum(a, b)


@triton.jit
def running_max(x, out, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + at, tl.associative_scan(tl.load(x + at), 0, _greater))


@triton.jit
def sort(x, out, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + at, tl.sort(tl.load(x + at)))


@triton.jit
def histogram(x, out, BLOCK: tl.constexpr, BINS: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.atomic_add(out + tl.arange(0, BINS), tl.histogram(tl.load(x + at), BINS))


@triton.jit
def scatter_add(x, index, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    to = tl.load(index + at, mask=at < n)
    tl.atomic_add(out + to, tl.load(x + at, mask=at < n), mask=at < n)


@triton.jit
def embedding(table, index, out, width, BLOCK: tl.constexpr):
    row, at = tl.program_id(0), tl.arange(0, BLOCK)
    v = tl.load(table + tl.load(index + row) * width + at, mask=at < width)
    tl.store(out + row * width + at, v, mask=at < width)


@triton.jit
def transpose(x, out, N, BLOCK: tl.constexpr):
    r = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    c = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + r[:, None] * N + c[None, :])
    tl.store(out + c[:, None] * N + r[None, :], tl.trans(v))


@triton.jit
def cross_entropy(x, label, out, columns, BLOCK: tl.constexpr):
    row, at = tl.program_id(0), tl.arange(0, BLOCK)
    v = tl.load(x + row * columns + at, mask=at < columns, other=-float("inf"))
    most = tl.max(v, axis=0)
    right = tl.load(x + row * columns + tl.load(label + row))
    tl.store(out + row, most + tl.log(tl.sum(tl.exp(v - most), axis=0)) - right)


@triton.jit
def rotary(x, cos, sin, out, HALF: tl.constexpr):
    row, at = tl.program_id(0), tl.arange(0, HALF)
    a, b = tl.load(x + row * 2 * HALF + at), tl.load(x + row * 2 * HALF + HALF + at)
    c, s = tl.load(cos + row * HALF + at), tl.load(sin + row * HALF + at)
    tl.store(out + row * 2 * HALF + at, a * c - b * s)
    tl.store(out + row * 2 * HALF + HALF + at, b * c + a * s)


@triton.jit
def swiglu(gate, up, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    g = tl.load(gate + at, mask=at < n).to(tl.float32)
    u = tl.load(up + at, mask=at < n)
    tl.store(out + at, (g * tl.sigmoid(g)).to(tl.float16) * u, mask=at < n)


@triton.jit
def stencil(x, out, N, BLOCK: tl.constexpr):
    row = tl.program_id(0) + 1
    at = 1 + tl.arange(0, BLOCK)
    here = x + row * N + at
    inside = at < N - 1
    v = tl.load(here - 1, mask=inside) + tl.load(here + 1, mask=inside)
    v += tl.load(here - N, mask=inside) + tl.load(here + N, mask=inside)
    tl.store(out + row * N + at, 0.25 * v, mask=inside)


@triton.jit
def convolution(x, weight, out, n, TAPS: tl.constexpr, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    found = tl.zeros((BLOCK,), tl.float32)
    for tap in tl.static_range(TAPS):
        found += tl.load(x + at + tap, mask=at < n) * tl.load(weight + tap)
    tl.store(out + at, found, mask=at < n)


@triton.jit
def quantise(x, out, scales, columns, BLOCK: tl.constexpr):
    row, at = tl.program_id(0), tl.arange(0, BLOCK)
    v = tl.load(x + row * columns + at, mask=at < columns, other=0.0)
    scale = tl.max(tl.abs(v), axis=0) / 127.0
    tl.store(scales + row, scale)
    q = tl.floor(v / scale + 0.5).to(tl.int8)
    tl.store(out + row * columns + at, q, mask=at < columns)


@triton.jit
def interleave(x, y, out, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    both = tl.interleave(tl.load(x + at), tl.load(y + at))
    tl.store(out + tl.arange(0, 2 * BLOCK), both)


def _normal(*shape, dtype=np.float32, seed=1):
    return np.random.default_rng(seed).normal(size=shape).astype(dtype)


def _sigmoid(x):
    return 1 / (1 + np.exp(-x))


def _softmax(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def cases():
    """Every kernel with a launch, its arguments, and what its last ones hold afterwards."""
    n = 1000
    x, y = _normal(n), _normal(n, seed=2)
    rows, w, b = _normal(6, 300), _normal(300, seed=3), _normal(300, seed=4)
    deep = rows.astype(np.float64)
    out, same = np.zeros(n, np.float32), np.zeros_like(rows)
    each = np.zeros(6, np.float32)
    yield Case(vector_add, 4, (x, y, out, n), {"BLOCK": 256}, {2: x + y})
    yield Case(gelu, 4, (x, out, n), {"BLOCK": 256}, {1: x * _sigmoid(1.702 * x)})
    erf = _erf(x * 0.5**0.5)
    yield Case(erf_gelu, 4, (x, out, n), {"BLOCK": 256}, {1: 0.5 * x * (1 + erf)})
    yield Case(softmax, 6, (rows, same, 300, 300), {"BLOCK": 512}, {1: _softmax(deep)})
    most = deep.max(axis=1)
    lse = most + np.log(np.exp(deep - most[:, None]).sum(axis=1))
    yield Case(log_sum_exp, 6, (rows, each, 300), {"BLOCK": 128}, {1: lse})
    centred = deep - deep.mean(axis=1, keepdims=True)
    normed = centred / np.sqrt((centred**2).mean(axis=1, keepdims=True) + 1e-5)
    given = (rows, same, w, b, 300, 1e-5)
    yield Case(layer_norm, 6, given, {"BLOCK": 512}, {1: normed * w + b})
    halves = rows.astype(np.float16)
    rms = halves.astype(np.float64)
    rms = rms / np.sqrt((rms**2).mean(axis=1, keepdims=True) + 1e-5) * w
    given = (halves, np.zeros_like(halves), w, 300, 1e-5)
    yield Case(rms_norm, 6, given, {"BLOCK": 512}, {1: rms}, 2e-3)
    square = _normal(4, 256)
    moments = np.stack([square.mean(axis=1), square.var(axis=1)], axis=1)
    yield Case(welford, 4, (square, np.zeros((4, 2), np.float32)), {"BLOCK": 256}, {1: moments})
    yield from _products()
    yield from _others(n, x, rows, deep)


def _erf(x):
    from scipy.special import erf  # noqa: PLC0415 - slow to load

    return erf(x)


def _products():
    a, b = (_normal(128, 128, dtype=np.float16, seed=s) for s in (5, 6))
    wide = a.astype(np.float64) @ b.astype(np.float64)
    c = np.zeros((128, 128), np.float16)
    tiles = {"BM": 64, "BN": 64, "BK": 32}
    yield Case(matmul, (2, 2), (a, b, c, 128, 128), tiles, {2: wide}, 2e-2)
    single = a.astype(np.float32), b.astype(np.float32), np.zeros((128, 128), np.float32)
    yield Case(matmul, (2, 2), (*single, 128, 128), tiles, {2: wide}, 2e-2, name="matmul_tf32")
    bytes_ = [np.random.default_rng(s).integers(-9, 9, (128, 128), np.int8) for s in (7, 8)]
    exact = bytes_[0].astype(np.int32) @ bytes_[1].astype(np.int32)
    given = (*bytes_, np.zeros_like(exact), 128, 128)
    yield Case(matmul_int8, (2, 2), given, tiles, {2: exact})
    given = (a, b, c, 128, 128, 128)
    yield Case(matmul_descriptors, (2, 2), given, tiles, {2: wide}, 2e-2)
    yield Case(matmul_persistent, 3, given, {**tiles, "CTAS": 3}, {2: wide}, 2e-2)
    part = (a[:64], b, np.zeros((64, 128), np.float32), 128, 128)
    yield Case(matmul_split_k, (2, 4), part, tiles, {2: wide[:64]}, 2e-2)
    q, k, v = (_normal(128, 64, dtype=np.float16, seed=s) for s in (9, 10, 11))
    scores = q.astype(np.float64) @ k.astype(np.float64).T * 0.125
    scores[np.triu_indices(128, 1)] = -np.inf
    given = (q, k, v, np.zeros_like(q), 0.125, 128)
    meta = {"D": 64, "BM": 64, "BN": 32}
    yield Case(attention, 2, given, meta, {3: _softmax(scores) @ v.astype(np.float64)}, 2e-2)


def _others(n, x, rows, deep):
    out, each = np.zeros(n, np.float32), np.zeros(6, np.int32)
    rng = np.random.default_rng(12)
    yield Case(dropout, 4, (x, out, n, 0.3, 42), {"BLOCK": 256}, {})
    yield Case(total, 4, (x, out[:1], n), {"BLOCK": 256}, {1: x.sum(keepdims=True)}, 1e-3)
    given = (rows, np.zeros(300, np.float32), 6, 300)
    yield Case(column_sums, 5, given, {"BR": 4, "BC": 64}, {1: deep.sum(axis=0)})
    yield Case(argmax, 6, (rows, each, 300), {"BLOCK": 512}, {1: rows.argmax(axis=1)})
    line = _normal(1024)
    lines, empty = line.reshape(4, 256), np.zeros_like(line)
    sums = lines.cumsum(axis=1, dtype=np.float64).ravel()
    yield Case(running_sum, 4, (line, empty), {"BLOCK": 256}, {1: sums}, 1e-3)
    most = np.maximum.accumulate(lines, axis=1).ravel()
    yield Case(running_max, 4, (line, empty), {"BLOCK": 256}, {1: most})
    yield Case(sort, 4, (line, empty), {"BLOCK": 256}, {1: np.sort(lines, axis=1).ravel()})
    bins = rng.integers(0, 64, 1024, np.int32)
    counts = np.bincount(bins, minlength=64)
    given = (bins, np.zeros(64, np.int32))
    yield Case(histogram, 4, given, {"BLOCK": 256, "BINS": 64}, {1: counts})
    given = (line, bins, np.zeros(64, np.float32), 1024)
    sums = np.bincount(bins, line, 64)
    yield Case(scatter_add, 4, given, {"BLOCK": 256}, {2: sums}, 1e-3)
    table, index = _normal(50, 96), rng.integers(0, 50, 20)
    given = (table, index, np.zeros((20, 96), np.float32), 96)
    yield Case(embedding, 20, given, {"BLOCK": 128}, {2: table[index]})
    square = _normal(128, 128)
    given = (square, np.zeros_like(square), 128)
    yield Case(transpose, (4, 4), given, {"BLOCK": 32}, {1: square.T})
    labels = rng.integers(0, 300, 6)
    loss = np.log(np.exp(deep).sum(axis=1)) - deep[np.arange(6), labels]
    given = (rows, labels, np.zeros(6, np.float32), 300)
    yield Case(cross_entropy, 6, given, {"BLOCK": 512}, {2: loss})
    heads, cos, sin = _normal(8, 128), _normal(8, 64, seed=2), _normal(8, 64, seed=3)
    a, b = heads[:, :64], heads[:, 64:]
    turned = np.concatenate([a * cos - b * sin, b * cos + a * sin], axis=1)
    yield Case(rotary, 8, (heads, cos, sin, np.zeros_like(heads)), {"HALF": 64}, {3: turned})
    g, u = (_normal(n, dtype=np.float16, seed=s) for s in (1, 2))
    wide = g.astype(np.float64)
    given = (g, u, np.zeros_like(g), n)
    yield Case(swiglu, 4, given, {"BLOCK": 256}, {2: wide * _sigmoid(wide) * u}, 5e-3)
    around = np.zeros_like(square)
    around[1:-1, 1:-1] = 0.25 * (
        square[1:-1, :-2] + square[1:-1, 2:] + square[:-2, 1:-1] + square[2:, 1:-1]
    )
    given = (square, np.zeros_like(square), 128)
    yield Case(stencil, 126, given, {"BLOCK": 128}, {1: around})
    taps = _normal(7)
    given = (line, taps, np.zeros(1018, np.float32), 1018)
    right = np.correlate(line.astype(np.float64), taps)
    yield Case(convolution, 4, given, {"TAPS": 7, "BLOCK": 256}, {2: right}, 1e-4)
    scales = np.abs(rows).max(axis=1) / np.float32(127)
    levels = np.floor(rows / scales[:, None] + 0.5)
    given = (rows, np.zeros(rows.shape, np.int8), np.zeros(6, np.float32), 300)
    yield Case(quantise, 6, given, {"BLOCK": 512}, {1: levels, 2: scales}, 1.01)
    both = np.stack([line[:256], line[256:512]], axis=1).ravel()
    given = (line[:256], line[256:512], np.zeros(512, np.float32))
    yield Case(interleave, 1, given, {"BLOCK": 256}, {2: both})
