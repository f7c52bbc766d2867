// Reductions and scans: shuffles, votes, matches, shared memory, templates over types and sizes.
#define FULL 0xffffffffu

struct Sum { template <typename T> __device__ T operator()(T a, T b) const { return a + b; } };
struct Largest { template <typename T> __device__ T operator()(T a, T b) const { return a < b ? b : a; } };
struct Mixed { template <typename T> __device__ T operator()(T a, T b) const { return a * T(3) + b; } };

template <typename T, typename Op> __device__ T warp_reduce(T value, Op op) {
#pragma unroll
  for (int step = 16; step > 0; step /= 2) value = op(value, __shfl_xor_sync(FULL, value, step));
  return value;
}

template <typename T, typename Op, int THREADS>
__global__ void reduce(const T *in, T *out, int n, T start) {
  __shared__ T partial[THREADS / 32];
  Op op;
  T value = start;
  for (int i = blockIdx.x * THREADS + threadIdx.x; i < n; i += gridDim.x * THREADS) value = op(value, in[i]);
  value = warp_reduce(value, op);
  if (threadIdx.x % 32 == 0) partial[threadIdx.x / 32] = value;
  __syncthreads();
  if (threadIdx.x < 32) {
    value = threadIdx.x < THREADS / 32 ? partial[threadIdx.x] : start;
    value = warp_reduce(value, op);
    if (threadIdx.x == 0) out[blockIdx.x] = value;
  }
}

template <typename T, int THREADS, int ITEMS>
__global__ void inclusive_scan(const T *in, T *out, T *block_sums, int n) {
  __shared__ T sums[THREADS / 32];
  T items[ITEMS], running = T(0);
  const int base = (blockIdx.x * THREADS + threadIdx.x) * ITEMS;
#pragma unroll
  for (int i = 0; i < ITEMS; ++i) {
    running += base + i < n ? in[base + i] : T(0);
    items[i] = running;
  }
  T scanned = running;
#pragma unroll
  for (int step = 1; step < 32; step *= 2) {
    T below = __shfl_up_sync(FULL, scanned, step);
    if (threadIdx.x % 32 >= step) scanned += below;
  }
  if (threadIdx.x % 32 == 31) sums[threadIdx.x / 32] = scanned;
  __syncthreads();
  T before = scanned - running;
  for (int w = 0; w < threadIdx.x / 32; ++w) before += sums[w];
#pragma unroll
  for (int i = 0; i < ITEMS; ++i)
    if (base + i < n) out[base + i] = before + items[i];
  if (threadIdx.x == THREADS - 1) block_sums[blockIdx.x] = before + running;
}

#define TYPE(T)                                                          \
  template __global__ void reduce<T, Sum, 128>(const T *, T *, int, T);  \
  template __global__ void reduce<T, Largest, 256>(const T *, T *, int, T); \
  template __global__ void reduce<T, Mixed, 512>(const T *, T *, int, T); \
  template __global__ void inclusive_scan<T, 128, 4>(const T *, T *, T *, int); \
  template __global__ void inclusive_scan<T, 256, 8>(const T *, T *, T *, int);
TYPE(int)
TYPE(unsigned)
TYPE(long long)
TYPE(float)
TYPE(double)

extern "C" __global__ void votes(const int *in, unsigned *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int value = i < n ? in[i] : 0;
  unsigned active = __activemask();
  unsigned odd = __ballot_sync(active, value & 1);
  unsigned same = __match_any_sync(active, value);
  int all_same;
  unsigned everyone = __match_all_sync(active, value, &all_same);
  unsigned lanes_below;
  asm("mov.u32 %0, %%lanemask_lt;" : "=r"(lanes_below));
  unsigned rank = __popc(odd & lanes_below);
  if (__any_sync(active, value > 5) && !__all_sync(active, value > 7)) rank += 100;
#if __CUDA_ARCH__ >= 800
  rank += __reduce_add_sync(active, unsigned(value)) + __reduce_max_sync(active, value);
  rank ^= __reduce_xor_sync(active, unsigned(value)) | __reduce_and_sync(active, unsigned(value));
#endif
  int counted = __syncthreads_count(value > 3) + __syncthreads_or(value) + __syncthreads_and(value);
  if (i < n) out[i] = odd ^ same ^ everyone ^ rank ^ counted ^ all_same;
  __nanosleep(20);
  __syncwarp();
}
