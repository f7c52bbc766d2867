// The few words of HIP that the CUDA sources next door use, by clang's builtins for AMD's targets.
#pragma once
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __forceinline__ inline __attribute__((always_inline))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))

#define AXIS(axis, value)                               \
  __declspec(property(get = read_##axis)) unsigned axis; \
  __device__ __forceinline__ static unsigned read_##axis() { return value; }
struct ThreadIndex { AXIS(x, __builtin_amdgcn_workitem_id_x()) AXIS(y, __builtin_amdgcn_workitem_id_y()) };
struct BlockIndex { AXIS(x, __builtin_amdgcn_workgroup_id_x()) AXIS(y, __builtin_amdgcn_workgroup_id_y()) };
struct BlockSize { AXIS(x, __builtin_amdgcn_workgroup_size_x()) AXIS(y, __builtin_amdgcn_workgroup_size_y()) };
struct GridSize { AXIS(x, __builtin_amdgcn_grid_size_x() / blockSize()) static __device__ unsigned blockSize() { return __builtin_amdgcn_workgroup_size_x(); } };
extern __device__ const ThreadIndex threadIdx;
extern __device__ const BlockIndex blockIdx;
extern __device__ const BlockSize blockDim;
extern __device__ const GridSize gridDim;

__device__ __forceinline__ void __syncthreads() {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}
template <typename T> __device__ __forceinline__ T min(T a, T b) { return b < a ? b : a; }
template <typename T> __device__ __forceinline__ T max(T a, T b) { return a < b ? b : a; }
__device__ __forceinline__ int abs(int a) { return a < 0 ? -a : a; }
__device__ __forceinline__ unsigned atomicAdd(unsigned *at, unsigned value) { return __atomic_fetch_add(at, value, __ATOMIC_RELAXED); }
