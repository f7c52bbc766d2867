// Tensor cores through the wmma interface: shapes, layouts and types.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <mma.h>
using namespace nvcuda;

template <typename T, typename Acc, typename LA, typename LB, int M, int N, int K, int WARPS>
__global__ void wmma_gemm(const T *a, const T *b, Acc *c, int m, int n, int k) {
  using namespace wmma;
  int warp = threadIdx.x / 32;
  int row = (blockIdx.y * WARPS + warp) * M, col = blockIdx.x * N;
  fragment<matrix_a, M, N, K, T, LA> fa;
  fragment<matrix_b, M, N, K, T, LB> fb;
  fragment<accumulator, M, N, K, Acc> fc, fd;
  fill_fragment(fc, Acc(0));
  constexpr bool a_rows = __is_same(LA, row_major), b_rows = __is_same(LB, row_major);
  for (int step = 0; step < k; step += K) {
    load_matrix_sync(fa, a + (a_rows ? row * k + step : step * m + row), a_rows ? k : m);
    load_matrix_sync(fb, b + (b_rows ? step * n + col : col * k + step), b_rows ? n : k);
    mma_sync(fc, fa, fb, fc);
  }
  load_matrix_sync(fd, c + row * n + col, n, mem_row_major);
#pragma unroll
  for (int i = 0; i < fc.num_elements; ++i) fd.x[i] = fd.x[i] + fc.x[i] * Acc(2);
  store_matrix_sync(c + row * n + col, fd, n, mem_row_major);
}

#define WMMA(T, ACC, LA, LB, M, N, K)                                                    \
  template __global__ void wmma_gemm<T, ACC, wmma::LA, wmma::LB, M, N, K, 4>(const T *, const T *, \
                                                                             ACC *, int, int, int);
WMMA(__half, float, row_major, col_major, 16, 16, 16)
WMMA(__half, float, col_major, row_major, 32, 8, 16)
WMMA(__half, __half, row_major, row_major, 8, 32, 16)
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 720
WMMA(signed char, int, row_major, col_major, 16, 16, 16)
WMMA(unsigned char, int, row_major, col_major, 32, 8, 16)
#endif
#if __CUDA_ARCH__ >= 800
WMMA(__nv_bfloat16, float, row_major, col_major, 16, 16, 16)
WMMA(__nv_bfloat16, float, row_major, row_major, 8, 32, 16)
WMMA(double, double, row_major, col_major, 8, 8, 4)

extern "C" __global__ void tf32_product(const float *a, const float *b, float *c, int k) {
  using namespace wmma;
  fragment<matrix_a, 16, 16, 8, precision::tf32, row_major> fa;
  fragment<matrix_b, 16, 16, 8, precision::tf32, col_major> fb;
  fragment<accumulator, 16, 16, 8, float> fc;
  fill_fragment(fc, 0.0f);
  for (int step = 0; step < k; step += 8) {
    load_matrix_sync(fa, a + step, k);
    load_matrix_sync(fb, b + step, k);
    for (int i = 0; i < fa.num_elements; ++i) fa.x[i] = __float_to_tf32(fa.x[i]);
    for (int i = 0; i < fb.num_elements; ++i) fb.x[i] = __float_to_tf32(fb.x[i]);
    mma_sync(fc, fa, fb, fc);
  }
  store_matrix_sync(c, fc, 16, mem_col_major);
}
#endif
