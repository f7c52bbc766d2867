// The words of CUDA's device code for clang without a CUDA toolkit.
#pragma once

#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __managed__ __attribute__((managed))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __forceinline__ __inline__ __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __align__(bytes) __attribute__((aligned(bytes)))
#define __grid_constant__

#include "gpu_words.h"
#include "bare/math.h"

#define WARPMILL_REGISTER(object, name)                                                     \
  WARPMILL_INDEX(object, __nvvm_read_ptx_sreg_##name##_x(), __nvvm_read_ptx_sreg_##name##_y(), \
                 __nvvm_read_ptx_sreg_##name##_z())
WARPMILL_REGISTER(threadIdx, tid)
WARPMILL_REGISTER(blockIdx, ctaid)
WARPMILL_REGISTER(blockDim, ntid)
WARPMILL_REGISTER(gridDim, nctaid)
#undef WARPMILL_REGISTER

#define warpSize 32
typedef struct CUstream_st *cudaStream_t;
typedef unsigned cuuint32_t;

// What clang's own headers of CUDA's functions take from a toolkit.
#pragma push_macro("CUDA_VERSION")
#pragma push_macro("INT_MAX")
#pragma push_macro("INT_MIN")
#undef CUDA_VERSION
#undef INT_MAX
#undef INT_MIN
#define CUDA_VERSION 12000
#define INT_MAX __INT_MAX__
#define INT_MIN (-__INT_MAX__ - 1)
#include <__clang_cuda_libdevice_declares.h>
#include <__clang_cuda_device_functions.h>
#include <__clang_cuda_math.h>
#include <__clang_cuda_intrinsics.h>
#pragma pop_macro("INT_MIN")
#pragma pop_macro("INT_MAX")
#pragma pop_macro("CUDA_VERSION")

// C++'s overloads for float.
#define WARPMILL_FLOAT(name) \
  WARPMILL_DEVICE float name(float x) { return name##f(x); }
WARPMILL_FLOAT(sqrt)
WARPMILL_FLOAT(exp)
WARPMILL_FLOAT(exp2)
WARPMILL_FLOAT(log)
WARPMILL_FLOAT(log2)
WARPMILL_FLOAT(log10)
WARPMILL_FLOAT(sin)
WARPMILL_FLOAT(cos)
WARPMILL_FLOAT(tan)
WARPMILL_FLOAT(tanh)
WARPMILL_FLOAT(floor)
WARPMILL_FLOAT(ceil)
WARPMILL_FLOAT(fabs)
#undef WARPMILL_FLOAT
WARPMILL_DEVICE float abs(float x) { return fabsf(x); }
WARPMILL_DEVICE float pow(float x, float y) { return powf(x, y); }
WARPMILL_DEVICE float max(float x, float y) { return fmaxf(x, y); }
WARPMILL_DEVICE float min(float x, float y) { return fminf(x, y); }
WARPMILL_DEVICE double max(double x, double y) { return fmax(x, y); }
WARPMILL_DEVICE double min(double x, double y) { return fmin(x, y); }
