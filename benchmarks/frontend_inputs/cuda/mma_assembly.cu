// Tensor cores, asynchronous copies and matrix loads through inline assembly; unrolled pipelines.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

__device__ __forceinline__ unsigned shared_address(const void *p) {
  return (unsigned)__cvta_generic_to_shared(p);
}

__device__ __forceinline__ void mma_16816(float (&d)[4], const unsigned (&a)[4], const unsigned (&b)[2]) {
#if __CUDA_ARCH__ >= 800
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};\n"
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
#else
  asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5}, {%6}, {%0,%1,%2,%3};\n"
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
               : "r"(a[0]), "r"(a[1]), "r"(b[0]));
#endif
}

__device__ __forceinline__ void copy_16(void *to, const void *from, bool wanted) {
#if __CUDA_ARCH__ >= 800
  int bytes = wanted ? 16 : 0;
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;\n" ::"r"(shared_address(to)), "l"(from), "r"(bytes));
#else
  if (wanted) *(int4 *)to = *(const int4 *)from;
#endif
}
__device__ __forceinline__ void commit() {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.commit_group;\n" ::);
#endif
}
template <int N> __device__ __forceinline__ void wait() {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.wait_group %0;\n" ::"n"(N));
#endif
}
__device__ __forceinline__ void load_matrix(unsigned (&r)[4], const void *p) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];\n"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(shared_address(p)));
}
__device__ __forceinline__ void load_matrix_t(unsigned (&r)[2], const void *p) {
  asm volatile("{\n\t.reg .b32 t;\n\tmov.b32 t, %2;\n\tldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0,%1}, [t];\n\t}\n"
               : "=r"(r[0]), "=r"(r[1]) : "r"(shared_address(p)));
}

template <int BM, int BN, int BK, int STAGES>
__global__ void __launch_bounds__(128) pipelined(const __half *a, const __half *b, float *c, int m, int n, int k) {
  extern __shared__ __align__(16) __half memory[];
  __half *tile_a = memory, *tile_b = memory + STAGES * BM * BK;
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  float sum[BM / 32][BN / 16][4] = {};
  auto fetch = [&](int stage, int step) {
#pragma unroll
    for (int i = 0; i < BM * BK / 8 / 128; ++i) {
      int at = (i * 128 + threadIdx.x) * 8, row = at / BK, col = at % BK;
      copy_16(tile_a + stage * BM * BK + at, a + (blockIdx.y * BM + row) * k + step + col, step + col < k);
    }
#pragma unroll
    for (int i = 0; i < BN * BK / 8 / 128; ++i) {
      int at = (i * 128 + threadIdx.x) * 8, row = at / BN, col = at % BN;
      copy_16(tile_b + stage * BN * BK + at, b + (step + row) * n + blockIdx.x * BN + col, step + row < k);
    }
    commit();
  };
#pragma unroll
  for (int s = 0; s < STAGES - 1; ++s) fetch(s, s * BK);
  for (int step = 0, stage = 0; step < k; step += BK, stage = (stage + 1) % STAGES) {
    wait<STAGES - 2>();
    __syncthreads();
#pragma unroll
    for (int q = 0; q < BK; q += 16) {
      unsigned fa[BM / 32][4], fb[BN / 16][2];
#pragma unroll
      for (int i = 0; i < BM / 32; ++i)
        load_matrix(fa[i], tile_a + stage * BM * BK + ((warp / 2) * (BM / 2) + i * 16 + lane % 16) * BK + q + lane / 16 * 8);
#pragma unroll
      for (int j = 0; j < BN / 16; ++j)
        load_matrix_t(fb[j], tile_b + stage * BN * BK + (q + lane % 16) * BN + (warp % 2) * (BN / 2) + j * 8);
#pragma unroll
      for (int i = 0; i < BM / 32; ++i)
#pragma unroll
        for (int j = 0; j < BN / 16; ++j) mma_16816(sum[i][j], fa[i], fb[j]);
    }
    fetch((stage + STAGES - 1) % STAGES, step + (STAGES - 1) * BK);
  }
#pragma unroll
  for (int i = 0; i < BM / 32; ++i)
#pragma unroll
    for (int j = 0; j < BN / 16; ++j) {
      int row = blockIdx.y * BM + (warp / 2) * (BM / 2) + i * 16 + lane / 4;
      int col = blockIdx.x * BN + (warp % 2) * (BN / 2) + j * 8 + lane % 4 * 2;
      if (row < m && col < n) *(float2 *)(c + row * n + col) = make_float2(sum[i][j][0], sum[i][j][1]);
      if (row + 8 < m && col < n) *(float2 *)(c + (row + 8) * n + col) = make_float2(sum[i][j][2], sum[i][j][3]);
    }
}
#define PIPELINED(BM, BN, BK, S) template __global__ void pipelined<BM, BN, BK, S>(const __half *, const __half *, float *, int, int, int);
PIPELINED(64, 64, 32, 2)
PIPELINED(128, 128, 32, 3)
PIPELINED(128, 64, 32, 4)
PIPELINED(64, 128, 64, 3)

extern "C" __global__ void other_shapes(const unsigned *in, float *out, int *out_int) {
  unsigned a0 = in[threadIdx.x], a1 = in[threadIdx.x + 32], b0 = in[threadIdx.x + 64];
  int s0 = 0, s1 = 0;
  float f0 = 0, f1 = 0, f2 = 0, f3 = 0;
  asm volatile("mma.sync.aligned.m8n8k16.row.col.satfinite.s32.s8.s8.s32 {%0,%1}, {%2}, {%3}, {%0,%1};"
               : "+r"(s0), "+r"(s1) : "r"(a0), "r"(b0));
#if __CUDA_ARCH__ >= 800
  unsigned a2 = in[threadIdx.x + 96], a3 = in[threadIdx.x + 128], b1 = in[threadIdx.x + 160];
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
               : "+f"(f0), "+f"(f1), "+f"(f2), "+f"(f3) : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "r"(b0), "r"(b1));
  asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
               : "+f"(f0), "+f"(f1), "+f"(f2), "+f"(f3) : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "r"(b0), "r"(b1));
  asm volatile("mma.sp.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9,%10,%11}, {%0,%1,%2,%3}, %12, 0x0;"
               : "+f"(f0), "+f"(f1), "+f"(f2), "+f"(f3)
               : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "r"(b0), "r"(b1), "r"(a0), "r"(a1), "r"(a2));
#endif
#if __CUDA_ARCH__ >= 890
  asm volatile("mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e5m2.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
               : "+f"(f0), "+f"(f1), "+f"(f2), "+f"(f3) : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "r"(b0), "r"(b1));
#endif
#if __CUDA_ARCH__ >= 900
  unsigned shared = in[200];
  asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1,%2,%3,%4};" ::"r"(shared), "r"(a0), "r"(a1), "r"(a2), "r"(a3));
#endif
#if __CUDA_ARCH__ >= 750
  unsigned t = 0;
  asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(t) : "r"(a1));
  f0 += t;
#endif
  out[threadIdx.x] = f0 + f1 + f2 + f3;
  out_int[threadIdx.x] = s0 + s1;
}
