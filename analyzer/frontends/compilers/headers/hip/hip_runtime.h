// The words of HIP's device code for clang without ROCm. For a chip of NVIDIA they are CUDA's.
#pragma once

#if defined(__CUDA__) && !defined(__HIP__)

#include "../cuda_runtime.h"

#define HIP_DYNAMIC_SHARED(type, name) extern __shared__ type name[];
typedef cudaStream_t hipStream_t;

#undef __shfl
#undef __shfl_up
#undef __shfl_down
#undef __shfl_xor
#undef __any
#undef __all
#undef __ballot
#define __shfl(...) __shfl_sync(0xffffffffu, __VA_ARGS__)
#define __shfl_up(...) __shfl_up_sync(0xffffffffu, __VA_ARGS__)
#define __shfl_down(...) __shfl_down_sync(0xffffffffu, __VA_ARGS__)
#define __shfl_xor(...) __shfl_xor_sync(0xffffffffu, __VA_ARGS__)
#define __any(predicate) __any_sync(0xffffffffu, predicate)
#define __all(predicate) __all_sync(0xffffffffu, predicate)
#define __ballot(predicate) ((unsigned long long)__ballot_sync(0xffffffffu, predicate))

#else

// clang's own header has the words and the mathematics; so it asks nothing of a host's C library.
#pragma push_macro("__HIPCC_RTC__")
#define __HIPCC_RTC__ 1
#include <__clang_hip_runtime_wrapper.h>
#pragma pop_macro("__HIPCC_RTC__")

#include "../bare/math.h"
#include "../gpu_words.h"

#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __forceinline__ __inline__ __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __align__(bytes) __attribute__((aligned(bytes)))
#define HIP_DYNAMIC_SHARED(type, name) extern __shared__ type name[];
#define warpSize __builtin_amdgcn_wavefrontsize()

typedef struct ihipStream_t *hipStream_t;

#define WARPMILL_IDS(object, name)                                                          \
  WARPMILL_INDEX(object, __builtin_amdgcn_##name##_x(), __builtin_amdgcn_##name##_y(),      \
                 __builtin_amdgcn_##name##_z())
#define WARPMILL_GROUPS(axis) \
  (__builtin_amdgcn_grid_size_##axis() / __builtin_amdgcn_workgroup_size_##axis())
WARPMILL_IDS(threadIdx, workitem_id)
WARPMILL_IDS(blockIdx, workgroup_id)
WARPMILL_IDS(blockDim, workgroup_size)
WARPMILL_INDEX(gridDim, WARPMILL_GROUPS(x), WARPMILL_GROUPS(y), WARPMILL_GROUPS(z))
#undef WARPMILL_GROUPS
#undef WARPMILL_IDS

WARPMILL_DEVICE void __syncthreads() {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}
WARPMILL_DEVICE void __threadfence() { __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "agent"); }
WARPMILL_DEVICE void __threadfence_block() {
  __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "workgroup");
}

// ---- bits

WARPMILL_DEVICE int __popc(unsigned x) { return __builtin_popcount(x); }
WARPMILL_DEVICE int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
WARPMILL_DEVICE int __clz(int x) { return x == 0 ? 32 : __builtin_clz(x); }
WARPMILL_DEVICE int __clzll(long long x) { return x == 0 ? 64 : __builtin_clzll(x); }
WARPMILL_DEVICE int __ffs(int x) { return __builtin_ffs(x); }
WARPMILL_DEVICE int __ffsll(long long x) { return __builtin_ffsll(x); }
WARPMILL_DEVICE unsigned __brev(unsigned x) { return __builtin_bitreverse32(x); }
template <typename T> WARPMILL_DEVICE T __ldg(const T *p) { return *p; }

// ---- lanes of a warp

WARPMILL_DEVICE unsigned __lane_id() {
  return __builtin_amdgcn_mbcnt_hi(~0u, __builtin_amdgcn_mbcnt_lo(~0u, 0));
}
WARPMILL_DEVICE unsigned long long __ballot(int predicate) {
  return __builtin_amdgcn_ballot_w64(predicate != 0);
}
WARPMILL_DEVICE int __any(int predicate) { return __ballot(predicate) != 0; }
WARPMILL_DEVICE int __all(int predicate) { return __ballot(predicate == 0) == 0; }

WARPMILL_DEVICE int warpmill_from(int source, int lane, int outside, int value) {
  return __builtin_amdgcn_ds_bpermute((outside ? lane : source) << 2, value);
}
WARPMILL_DEVICE int __shfl(int v, int source, int width = 64) {
  int lane = __lane_id();
  return __builtin_amdgcn_ds_bpermute(((source & (width - 1)) | (lane & ~(width - 1))) << 2, v);
}
WARPMILL_DEVICE int __shfl_up(int v, unsigned delta, int width = 64) {
  int lane = __lane_id(), source = lane - (int)delta;
  return warpmill_from(source, lane, source < (lane & ~(width - 1)), v);
}
WARPMILL_DEVICE int __shfl_down(int v, unsigned delta, int width = 64) {
  int lane = __lane_id(), source = lane + (int)delta;
  return warpmill_from(source, lane, (lane & (width - 1)) + (int)delta >= width, v);
}
WARPMILL_DEVICE int __shfl_xor(int v, int mask, int width = 64) {
  int lane = __lane_id(), source = lane ^ mask;
  return warpmill_from(source, lane, source >= ((lane + width) & ~(width - 1)), v);
}

#define WARPMILL_SHUFFLE(name, kind)                                                        \
  WARPMILL_DEVICE float name(float v, kind by, int width = 64) {                            \
    return __builtin_bit_cast(float, name(__builtin_bit_cast(int, v), by, width));          \
  }                                                                                         \
  WARPMILL_DEVICE unsigned name(unsigned v, kind by, int width = 64) {                      \
    return name((int)v, by, width);                                                         \
  }
WARPMILL_SHUFFLE(__shfl, int)
WARPMILL_SHUFFLE(__shfl_up, unsigned)
WARPMILL_SHUFFLE(__shfl_down, unsigned)
WARPMILL_SHUFFLE(__shfl_xor, int)
#undef WARPMILL_SHUFFLE

#endif
