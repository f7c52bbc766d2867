"""CUDA C++ in strings, as CuPy's users and load_inline have it, with what NumPy says of it."""

import numpy as np

from warpmill.benchmarks.door_kernels.cases import Case

TRANSPOSE = r"""
extern "C" __global__ void transpose(const float *in, float *out, int n) {
    __shared__ float tile[16][17];
    const int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    if (x < n && y < n) tile[threadIdx.y][threadIdx.x] = in[y * n + x];
    __syncthreads();
    const int a = blockIdx.y * 16 + threadIdx.x, b = blockIdx.x * 16 + threadIdx.y;
    if (a < n && b < n) out[b * n + a] = tile[threadIdx.x][threadIdx.y];
}
"""
GELU = r"""
#include <torch/extension.h>
#include <cuda_runtime.h>
__global__ void gelu(const float *x, float *y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) { const float v = x[i]; y[i] = 0.5f * v * (1.f + erff(v * 0.70710678f)); }
}
torch::Tensor gelu_of(torch::Tensor x) {
    auto y = torch::empty_like(x);
    gelu<<<(x.numel() + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());
    return y;
}
"""
SCALE = r"""
template <typename T, int N> __global__ void scale(T *x, T by, int n) {
    const int i = (blockIdx.x * blockDim.x + threadIdx.x) * N;
    for (int k = 0; k < N; ++k) if (i + k < n) x[i + k] *= by;
}
"""
POINTS = r"""
struct Point { float x, y; int weight; };
extern "C" __global__ void moved(const Point *p, float *out, Point by, int n) {
    const int i = threadIdx.x;
    if (i < n) out[i] = (p[i].x + by.x) * (p[i].y + by.y) * (p[i].weight + by.weight);
}
"""
SUMS = r"""
extern "C" __global__ void sums(const float *x, float *out, int n) {
    extern __shared__ float part[];
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    part[t] = i < n ? x[i] : 0.f;
    for (int step = blockDim.x / 2; step; step /= 2) {
        __syncthreads();
        if (t < step) part[t] += part[t + step];
    }
    if (!t) atomicAdd(out, part[0]);
}
"""
MATMUL = r"""
extern "C" __global__ void matmul(const double *a, const double *b, double *c, int n) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= n || y >= n) return;
    double total = 0;
    for (int k = 0; k < n; ++k) total += a[y * n + k] * b[k * n + x];
    c[y * n + x] = total;
}
"""
WARP = r"""
extern "C" __global__ void warp_max(const int *x, int *out) {
    int v = x[blockIdx.x * 32 + threadIdx.x];
    for (int k = 16; k; k /= 2) v = max(v, __shfl_xor_sync(~0u, v, k));
    if (!threadIdx.x) out[blockIdx.x] = v;
}
"""
SEARCH = r"""
__device__ int first_at_least(const long long *sorted, int n, long long v) {
    int low = 0, high = n;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (sorted[middle] < v) low = middle + 1; else high = middle;
    }
    return low;
}
extern "C" __global__ void search(const long long *sorted, int n, const long long *v,
                                  int *at, int m) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < m) at[i] = first_at_least(sorted, n, v[i]);
}
"""


def cases():
    """Every kernel as (source, name), with (grid, block, shared), arguments and results."""
    rng = np.random.default_rng(1)
    square = rng.normal(size=(50, 50)).astype(np.float32)
    given = (square, np.zeros_like(square), 50)
    yield Case((TRANSPOSE, "transpose"), ((4, 4), (16, 16), 0), given, {}, {1: square.T})
    from scipy.special import erf  # noqa: PLC0415 - slow to load

    x = rng.normal(size=1000).astype(np.float32)
    right = 0.5 * x * (1 + erf(x * 0.5**0.5))
    yield Case((GELU, "gelu"), (4, 256, 0), (x, np.zeros_like(x), 1000), {}, {1: right})
    wide = x.astype(np.float64)
    yield Case((SCALE, "scale<double, 4>"), (4, 64, 0), (wide, 2.5, 1000), {}, {0: wide * 2.5})
    kind = np.dtype([("x", "f4"), ("y", "f4"), ("weight", "i4")], align=True)
    points = np.zeros(20, kind)
    points["x"], points["y"], points["weight"] = x[:20], x[20:40], np.arange(20)
    by = np.array((1, 2, 3), kind)[()]
    right = (points["x"] + 1) * (points["y"] + 2) * (points["weight"] + 3)
    given = (points, np.zeros(20, np.float32), by, 20)
    yield Case((POINTS, "moved"), (1, 32, 0), given, {}, {1: right})
    given = (x, np.zeros(1, np.float32), 1000)
    yield Case((SUMS, "sums"), (8, 128, 512), given, {}, {1: x.sum(keepdims=True)}, 1e-3)
    a, b = rng.normal(size=(2, 20, 20))
    given = (a, b, np.zeros_like(a), 20)
    yield Case((MATMUL, "matmul"), ((3, 3), (8, 8), 0), given, {}, {2: a @ b})
    whole = rng.integers(-99, 99, 128, np.int32)
    given = (whole, np.zeros(4, np.int32))
    yield Case((WARP, "warp_max"), (4, 32, 0), given, {}, {1: whole.reshape(4, 32).max(axis=1)})
    ordered, wanted = np.sort(rng.integers(0, 999, 100)), rng.integers(0, 999, 70)
    given = (ordered, np.int32(100), wanted, np.zeros(70, np.int32), 70)
    right = np.searchsorted(ordered, wanted)
    yield Case((SEARCH, "search"), (3, 32, 0), given, {}, {3: right})
