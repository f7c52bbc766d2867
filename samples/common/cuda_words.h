// The few words of CUDA that the samples use, for clang without a CUDA toolkit.
//
// Under nvcc, and under clang with the toolkit's headers, this file is empty: the words are there
// already.  Under clang with -nocudainc each word becomes an attribute or one of clang's NVVM
// builtins, so that the LLVM IR holds the plain llvm.nvvm.* intrinsics.
#pragma once

#if !defined(__NVCC__) && !defined(__CLANG_CUDA_RUNTIME_WRAPPER_H__)

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#define __launch_bounds__(threads) __attribute__((launch_bounds(threads)))

// Reading `.x` of such an object calls its getter, which reads one special register.
#define WARPMILL_AXIS(axis, register_name)                                       \
  __declspec(property(get = read_##axis)) unsigned axis;                         \
  __device__ __attribute__((always_inline)) static unsigned read_##axis() {      \
    return __nvvm_read_ptx_sreg_##register_name##_##axis();                      \
  }

#define WARPMILL_INDEX(object, register_name)                                    \
  struct warpmill_##register_name {                                              \
    WARPMILL_AXIS(x, register_name)                                              \
    WARPMILL_AXIS(y, register_name)                                              \
    WARPMILL_AXIS(z, register_name)                                              \
  };                                                                             \
  extern __device__ const warpmill_##register_name object;

WARPMILL_INDEX(threadIdx, tid)
WARPMILL_INDEX(blockIdx, ctaid)
WARPMILL_INDEX(blockDim, ntid)
WARPMILL_INDEX(gridDim, nctaid)

#undef WARPMILL_INDEX
#undef WARPMILL_AXIS

#endif
