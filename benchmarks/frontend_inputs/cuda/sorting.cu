// Sorting: bitonic networks in shared memory and registers, radix counting, merging by search.
template <typename K> __device__ __forceinline__ void exchange(K &a, K &b, bool up) {
  if ((a > b) == up) { K t = a; a = b; b = t; }
}
template <typename K, int N> __global__ void bitonic(K *keys) {
  __shared__ K tile[N];
  for (int i = threadIdx.x; i < N; i += blockDim.x) tile[i] = keys[blockIdx.x * N + i];
#pragma unroll 1
  for (int size = 2; size <= N; size *= 2)
    for (int stride = size / 2; stride > 0; stride /= 2) {
      __syncthreads();
      int at = 2 * threadIdx.x - (threadIdx.x & (stride - 1));
      exchange(tile[at], tile[at + stride], (at & size) == 0);
    }
  __syncthreads();
  for (int i = threadIdx.x; i < N; i += blockDim.x) keys[blockIdx.x * N + i] = tile[i];
}
template <typename K, int N> __global__ void in_registers(K *keys) {
  K own[N];
  int base = (blockIdx.x * blockDim.x + threadIdx.x) * N;
#pragma unroll
  for (int i = 0; i < N; ++i) own[i] = keys[base + i];
#pragma unroll
  for (int size = 2; size <= N; size *= 2)
#pragma unroll
    for (int stride = size / 2; stride > 0; stride /= 2)
#pragma unroll
      for (int i = 0; i < N; ++i)
        if ((i & stride) == 0) exchange(own[i], own[i | stride], (i & size) == 0);
#pragma unroll
  for (int i = 0; i < N; ++i) keys[base + i] = own[i];
}
template <int BITS> __global__ void radix_count(const unsigned *keys, unsigned *counts, int n, int shift) {
  __shared__ unsigned local[1 << BITS];
  for (int i = threadIdx.x; i < 1 << BITS; i += blockDim.x) local[i] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&local[(keys[i] >> shift) & ((1 << BITS) - 1)], 1);
  __syncthreads();
  for (int i = threadIdx.x; i < 1 << BITS; i += blockDim.x) counts[i * gridDim.x + blockIdx.x] = local[i];
}
template <typename K> __global__ void merge(const K *a, const K *b, K *out, int na, int nb) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= na + nb) return;
  int low = max(0, i - nb), high = min(i, na);
  while (low < high) {
    int middle = (low + high) / 2;
    if (a[middle] <= b[i - middle - 1]) low = middle + 1; else high = middle;
  }
  int j = i - low;
  out[i] = j >= nb || (low < na && a[low] <= b[j]) ? a[low] : b[j];
}
#define KEYS(K) \
  template __global__ void bitonic<K, 512>(K *); template __global__ void bitonic<K, 2048>(K *); \
  template __global__ void in_registers<K, 8>(K *); template __global__ void in_registers<K, 16>(K *); \
  template __global__ void in_registers<K, 32>(K *); template __global__ void merge<K>(const K *, const K *, K *, int, int);
KEYS(int)
KEYS(unsigned long long)
KEYS(float)
KEYS(double)
template __global__ void radix_count<4>(const unsigned *, unsigned *, int, int);
template __global__ void radix_count<8>(const unsigned *, unsigned *, int, int);
