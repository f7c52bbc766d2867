// Atomics of every type, space and scope, fences, and loops around compare-and-swap.
#include <cuda_fp16.h>
__device__ unsigned counter;
__device__ unsigned long long tickets[64];

extern "C" __global__ void histogram(const unsigned char *in, unsigned *out, int n) {
  __shared__ unsigned bins[256];
  for (int i = threadIdx.x; i < 256; i += blockDim.x) bins[i] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) atomicAdd(&bins[in[i]], 1u);
  __syncthreads();
  for (int i = threadIdx.x; i < 256; i += blockDim.x) atomicAdd(&out[i], bins[i]);
}
extern "C" __global__ void all_kinds(int *i, unsigned *u, unsigned long long *l, long long *s, float *f, double *d, __half2 *h, int v) {
  __shared__ int shared[32];
  int t = threadIdx.x;
  shared[t % 32] = v;
  __syncthreads();
  int r = atomicAdd(i, v) + atomicSub(i + 1, v) + atomicExch(i + 2, v) + atomicMin(i + 3, v) + atomicMax(i + 4, v);
  r += atomicAnd(i + 5, v) + atomicOr(i + 6, v) + atomicXor(i + 7, v) + atomicCAS(i + 8, v, r);
  r += atomicInc(u, 77) + atomicDec(u + 1, 99) + atomicMax(u + 2, v) + atomicMin(u + 3, v);
  r += atomicAdd(l, v) + atomicCAS(l + 1, v, r) + atomicExch(l + 2, v) + atomicMax(l + 3, v) + atomicAnd(l + 4, v) + atomicMin(s, (long long)v);
  r += atomicAdd(f, 1.5f) + atomicExch(f + 1, 2.f) + atomicAdd(d, 2.5);
  r += atomicAdd(&shared[v & 31], 3) + atomicCAS(&shared[t & 31], 1, 2) + atomicMax(&shared[5], r);
  r += atomicAdd_block(i + 9, v) + atomicAdd_system(i + 10, v) + atomicCAS_block(i + 11, v, 3);
  atomicAdd(h, __float2half2_rn(1.f));
  i[100 + t] = r;
  unsigned ticket = atomicInc(&counter, gridDim.x);
  __threadfence();
  if (ticket == gridDim.x - 1) atomicAdd(&tickets[t % 64], 1ull);
  __threadfence_block();
  __threadfence_system();
}
__device__ double largest(double *at, double value) {
  unsigned long long *bits = (unsigned long long *)at, old = *bits, seen;
  do {
    seen = old;
    old = atomicCAS(bits, seen, __double_as_longlong(fmax(value, __longlong_as_double(seen))));
  } while (seen != old);
  return __longlong_as_double(old);
}
extern "C" __global__ void spin(int *lock, double *shared_value, const double *in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) largest(shared_value, in[i]);
  if (threadIdx.x == 0) {
    while (atomicCAS(lock, 0, 1) != 0) __threadfence_block();
    shared_value[1] += in[i];
    __threadfence();
    atomicExch(lock, 0);
  }
}
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 750
extern "C" __global__ void scopes(int *p, int *out, int v) {
  int a, b, c;
  asm volatile("ld.acquire.gpu.s32 %0, [%1];" : "=r"(a) : "l"(p) : "memory");
  asm volatile("st.release.sys.s32 [%0], %1;" ::"l"(p + 1), "r"(v) : "memory");
  asm volatile("atom.acq_rel.gpu.global.add.s32 %0, [%1], %2;" : "=r"(b) : "l"(p + 2), "r"(v) : "memory");
  asm volatile("atom.relaxed.cta.cas.b32 %0, [%1], %2, %3;" : "=r"(c) : "l"(p + 3), "r"(v), "r"(a) : "memory");
  asm volatile("red.release.gpu.global.or.b32 [%0], %1;" ::"l"(p + 4), "r"(v) : "memory");
  asm volatile("fence.acq_rel.gpu; fence.sc.sys;" ::: "memory");
  asm volatile("ld.relaxed.sys.global.s32 %0, [%1];" : "=r"(a) : "l"(p + 5) : "memory");
  asm volatile("st.volatile.global.v2.s32 [%0], {%1, %2};" ::"l"(out + 4), "r"(a), "r"(b) : "memory");
  asm volatile("prefetch.global.L2 [%0];" ::"l"(p));
  asm volatile("ld.global.nc.L1::no_allocate.L2::128B.v4.s32 {%0, %1, %2, %0}, [%3];" : "=r"(a), "=r"(b), "=r"(c) : "l"(p));
  out[threadIdx.x] = a + b + c;
}
#endif
