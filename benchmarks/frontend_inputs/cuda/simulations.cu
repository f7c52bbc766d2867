// Numerical kernels: Fourier transforms in registers, n bodies, fractals, sparse and graph work.
#include <math_constants.h>
template <int N> __device__ __forceinline__ void transform(float2 (&v)[N]) {
  if constexpr (N > 1) {
    float2 even[N / 2], odd[N / 2];
#pragma unroll
    for (int i = 0; i < N / 2; ++i) { even[i] = v[2 * i]; odd[i] = v[2 * i + 1]; }
    transform<N / 2>(even);
    transform<N / 2>(odd);
#pragma unroll
    for (int i = 0; i < N / 2; ++i) {
      float s, c;
      __sincosf(-2.f * CUDART_PI_F * i / N, &s, &c);
      float2 t = {c * odd[i].x - s * odd[i].y, c * odd[i].y + s * odd[i].x};
      v[i] = {even[i].x + t.x, even[i].y + t.y};
      v[i + N / 2] = {even[i].x - t.x, even[i].y - t.y};
    }
  }
}
template <int N> __global__ void fourier(const float2 *in, float2 *out, int batch) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= batch) return;
  float2 v[N];
#pragma unroll
  for (int j = 0; j < N; ++j) v[j] = in[i + j * batch];
  transform<N>(v);
#pragma unroll
  for (int j = 0; j < N; ++j) out[i + j * batch] = v[j];
}
template __global__ void fourier<8>(const float2 *, float2 *, int);
template __global__ void fourier<16>(const float2 *, float2 *, int);
template __global__ void fourier<32>(const float2 *, float2 *, int);
template __global__ void fourier<64>(const float2 *, float2 *, int);

extern "C" __global__ void bodies(const float4 *__restrict__ p, float4 *v, float dt, int n) {
  extern __shared__ float4 near[];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float4 own = p[i];
  float3 force = {0, 0, 0};
  for (int tile = 0; tile < n; tile += blockDim.x) {
    near[threadIdx.x] = p[tile + threadIdx.x];
    __syncthreads();
#pragma unroll 32
    for (int j = 0; j < blockDim.x; ++j) {
      float dx = near[j].x - own.x, dy = near[j].y - own.y, dz = near[j].z - own.z;
      float r = rsqrtf(dx * dx + dy * dy + dz * dz + 1e-4f), f = near[j].w * r * r * r;
      force.x += f * dx; force.y += f * dy; force.z += f * dz;
    }
    __syncthreads();
  }
  v[i].x += dt * force.x; v[i].y += dt * force.y; v[i].z += dt * force.z;
}
template <typename T> __global__ void fractal(unsigned char *out, int w, int h, T x0, T y0, T step, int most) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  T cr = x0 + x * step, ci = y0 + y * step, zr = 0, zi = 0;
  int i = 0;
  for (; i < most && zr * zr + zi * zi < T(4); ++i) { T t = zr * zr - zi * zi + cr; zi = 2 * zr * zi + ci; zr = t; }
  out[y * w + x] = i == most ? 0 : i & 255;
}
template __global__ void fractal<float>(unsigned char *, int, int, float, float, float, int);
template __global__ void fractal<double>(unsigned char *, int, int, double, double, double, int);
template <typename T, int LANES> __global__ void sparse(const int *rows, const int *cols, const T *values, const T *x, T *y, int n) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / LANES, lane = threadIdx.x % LANES;
  T sum = 0;
  if (row < n) for (int j = rows[row] + lane; j < rows[row + 1]; j += LANES) sum += values[j] * __ldg(&x[cols[j]]);
#pragma unroll
  for (int s = LANES / 2; s > 0; s /= 2) sum += __shfl_down_sync(0xffffffff, sum, s, LANES);
  if (row < n && lane == 0) y[row] = sum;
}
template __global__ void sparse<float, 1>(const int *, const int *, const float *, const float *, float *, int);
template __global__ void sparse<float, 8>(const int *, const int *, const float *, const float *, float *, int);
template __global__ void sparse<double, 32>(const int *, const int *, const double *, const double *, double *, int);
extern "C" __global__ void breadth_first(const int *start, const int *edges, int *depth, const int *frontier, int *next, int *n_next, int n, int level) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int node = frontier[i];
  for (int e = start[node]; e < start[node + 1]; ++e)
    if (atomicCAS(&depth[edges[e]], -1, level + 1) == -1) next[atomicAdd(n_next, 1)] = edges[e];
}
