// Register-tiled matrix products: one template, many tile sizes and types; long unrolled bodies.
#include <cuda_fp16.h>

template <typename T> struct Accumulator { using type = T; };
template <> struct Accumulator<__half> { using type = float; };
template <> struct Accumulator<signed char> { using type = int; };

template <typename A> __device__ __forceinline__ A widen(__half value) { return __half2float(value); }
template <typename A, typename T> __device__ __forceinline__ A widen(T value) { return A(value); }

template <typename T, int BM, int BN, int BK, int TM, int TN>
__global__ void __launch_bounds__((BM / TM) * (BN / TN))
gemm(const T *__restrict__ a, const T *__restrict__ b,
     typename Accumulator<T>::type *__restrict__ c, int m, int n, int k,
     typename Accumulator<T>::type alpha, typename Accumulator<T>::type beta) {
  using Acc = typename Accumulator<T>::type;
  constexpr int kThreads = (BM / TM) * (BN / TN);
  __shared__ T tile_a[BK][BM + 1];
  __shared__ T tile_b[BK][BN];
  const int row = (threadIdx.x / (BN / TN)) * TM, col = (threadIdx.x % (BN / TN)) * TN;
  const int row0 = blockIdx.y * BM, col0 = blockIdx.x * BN;
  Acc sum[TM][TN] = {};
  for (int step = 0; step < k; step += BK) {
#pragma unroll
    for (int i = threadIdx.x; i < BM * BK; i += kThreads) {
      int r = i / BK, q = i % BK;
      tile_a[q][r] = row0 + r < m && step + q < k ? a[(long long)(row0 + r) * k + step + q] : T(0);
    }
#pragma unroll
    for (int i = threadIdx.x; i < BK * BN; i += kThreads) {
      int q = i / BN, s = i % BN;
      tile_b[q][s] = step + q < k && col0 + s < n ? b[(long long)(step + q) * n + col0 + s] : T(0);
    }
    __syncthreads();
#pragma unroll
    for (int q = 0; q < BK; ++q) {
      Acc left[TM], right[TN];
#pragma unroll
      for (int i = 0; i < TM; ++i) left[i] = widen<Acc>(tile_a[q][row + i]);
#pragma unroll
      for (int j = 0; j < TN; ++j) right[j] = widen<Acc>(tile_b[q][col + j]);
#pragma unroll
      for (int i = 0; i < TM; ++i)
#pragma unroll
        for (int j = 0; j < TN; ++j) sum[i][j] += left[i] * right[j];
    }
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < TM; ++i)
#pragma unroll
    for (int j = 0; j < TN; ++j) {
      int r = row0 + row + i, s = col0 + col + j;
      if (r < m && s < n) {
        Acc &out = c[(long long)r * n + s];
        out = alpha * sum[i][j] + beta * out;
      }
    }
}

#define GEMM(T, ACC, BM, BN, BK, TM, TN)                                                       \
  template __global__ void gemm<T, BM, BN, BK, TM, TN>(const T *, const T *, ACC *, int, int, \
                                                       int, ACC, ACC);
GEMM(float, float, 64, 64, 8, 4, 4)
GEMM(float, float, 128, 128, 8, 8, 8)
GEMM(float, float, 64, 128, 16, 4, 8)
GEMM(double, double, 32, 32, 8, 2, 2)
GEMM(double, double, 64, 64, 8, 4, 4)
GEMM(__half, float, 64, 64, 16, 4, 4)
GEMM(signed char, int, 64, 64, 16, 4, 4)
GEMM(int, int, 32, 64, 8, 2, 4)
