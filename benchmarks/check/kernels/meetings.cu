// CTAs that work together: tickets, flags, queues, barriers of the grid.
#include <cooperative_groups.h>
#include <cuda/atomic>
namespace cg = cooperative_groups;
#define THREADS 64

// The last CTA adds up what the others left.
extern "C" __global__ void last_block(const int *in, int *parts, unsigned *ticket, int *out) {
  __shared__ int sums[THREADS];
  __shared__ bool is_last;
  int t = threadIdx.x;
  sums[t] = in[blockIdx.x * THREADS + t];
  __syncthreads();
  for (int half = THREADS / 2; half; half /= 2) {
    if (t < half) sums[t] += sums[t + half];
    __syncthreads();
  }
  if (t == 0) {
    parts[blockIdx.x] = sums[0];
    __threadfence();
    is_last = atomicAdd(ticket, 1u) == gridDim.x - 1;
  }
  __syncthreads();
  if (is_last && t == 0) {
    __threadfence();
    int sum = 0;
    for (int k = 0; k < gridDim.x; ++k) sum += parts[k];
    *out = sum;
  }
}

// The same, where every thread leaves a part and the last CTA reads them all.
extern "C" __global__ void last_block_wide(const float *in, float *parts, unsigned *ticket, float *out) {
  __shared__ unsigned taken;
  int t = threadIdx.x;
  parts[blockIdx.x * THREADS + t] = in[blockIdx.x * THREADS + t] * 2;
  __threadfence();
  __syncthreads();
  if (t == 0) taken = atomicInc(ticket, gridDim.x - 1);
  __syncthreads();
  if (taken == gridDim.x - 1) {
    __threadfence();
    float most = 0;
    for (int k = 0; k < gridDim.x; ++k) most = fmaxf(most, __ldcg(parts + k * THREADS + t));
    out[t] = most;
  }
}

// The ticket alone orders: it releases and acquires.
extern "C" __global__ void ordering_ticket(const int *in, int *parts, unsigned *ticket, int *out) {
  cuda::atomic_ref<unsigned, cuda::thread_scope_device> taken(*ticket);
  if (threadIdx.x == 0) {
    parts[blockIdx.x] = in[blockIdx.x] * 7;
    if (taken.fetch_add(1, cuda::memory_order_acq_rel) == gridDim.x - 1) {
      int sum = 0;
      for (int k = 0; k < gridDim.x; ++k) sum += parts[k];
      *out = sum;
    }
  }
}

// Scan with look-back: each CTA adds what the one before it has told, by a flag that releases.
extern "C" __global__ void look_back(const int *in, int *out, int *sums, int *flags) {
  __shared__ int values[THREADS], before;
  int t = threadIdx.x, b = blockIdx.x;
  values[t] = in[b * THREADS + t];
  __syncthreads();
  for (int step = 1; step < THREADS; step *= 2) {
    int add = t >= step ? values[t - step] : 0;
    __syncthreads();
    values[t] += add;
    __syncthreads();
  }
  if (t == 0) {
    int sum = 0;
    if (b > 0) {
      cuda::atomic_ref<int, cuda::thread_scope_device> told(flags[b - 1]);
      while (told.load(cuda::memory_order_acquire) == 0) {}
      sum = sums[b - 1];
    }
    before = sum;
    sums[b] = sum + values[THREADS - 1];
    cuda::atomic_ref<int, cuda::thread_scope_device>(flags[b]).store(1, cuda::memory_order_release);
  }
  __syncthreads();
  out[b * THREADS + t] = values[t] + before;
}

// The same with volatile flags and fences, as before there were acquiring loads.
extern "C" __global__ void look_back_fences(const int *in, int *out, volatile int *sums, volatile int *flags) {
  __shared__ int values[THREADS], before;
  int t = threadIdx.x, b = blockIdx.x;
  values[t] = in[b * THREADS + t];
  __syncthreads();
  if (t == 0) {
    int sum = 0;
    for (int k = 0; k < THREADS; ++k) sum += values[k];
    int earlier = 0;
    if (b > 0) {
      while (flags[b - 1] == 0) {}
      __threadfence();
      earlier = sums[b - 1];
    }
    before = earlier;
    sums[b] = earlier + sum;
    __threadfence();
    flags[b] = 1;
  }
  __syncthreads();
  out[b * THREADS + t] = values[t] + before;
}

// Sum and count in one word of 64 bits, which needs no order.
extern "C" __global__ void packed_state(const int *in, unsigned long long *state, int *out) {
  int b = blockIdx.x;
  if (threadIdx.x == 0) {
    cuda::atomic_ref<unsigned long long, cuda::thread_scope_device> own(state[b]);
    unsigned long long sum = 0;
    if (b > 0) {
      cuda::atomic_ref<unsigned long long, cuda::thread_scope_device> other(state[b - 1]);
      unsigned long long seen;
      while (((seen = other.load(cuda::memory_order_relaxed)) >> 32) == 0) {}
      sum = seen & 0xffffffff;
    }
    own.store(1ull << 32 | (sum + in[b]), cuda::memory_order_relaxed);
    out[b] = (int)sum;
  }
}

// A CTA that makes and others that take: a flag a part.
extern "C" __global__ void made_and_taken(const int *in, int *data, int *flags, int *out) {
  int t = threadIdx.x;
  if (blockIdx.x == 0) {
    for (int k = 1; k < gridDim.x; ++k) {
      data[k * THREADS + t] = in[k * THREADS + t] * k;
      __threadfence();
      __syncthreads();
      if (t == 0) atomicExch(&flags[k], 1);
    }
  } else {
    if (t == 0)
      while (atomicAdd(&flags[blockIdx.x], 0) == 0) {}
    __syncthreads();
    __threadfence();
    out[blockIdx.x * THREADS + t] = data[blockIdx.x * THREADS + (t ^ 1)];
  }
}

// Two passes with a barrier of the whole grid between them, by cooperative groups.
extern "C" __global__ void whole_grid(const int *in, int *middle, int *out, int n) {
  cg::grid_group grid = cg::this_grid();
  int i = blockIdx.x * THREADS + threadIdx.x;
  middle[i] = in[i] * 2;
  grid.sync();
  out[i] = middle[(i + THREADS) % n] + middle[n - 1 - i];
  grid.sync();
  middle[i] = out[(i + 5 * THREADS / 2) % n];
}

// Histogram of all CTAs in global memory, and the largest value.
extern "C" __global__ void counted(const unsigned *in, unsigned *bins, unsigned *most, unsigned *bits) {
  unsigned value = in[blockIdx.x * THREADS + threadIdx.x];
  atomicAdd(&bins[value % 8], 1u);
  atomicMax(most, value);
  atomicOr(&bits[value % 4], 1u << (value / 8 % 32));
}

// What passes a test, appended to a queue; its order is not kept.
extern "C" __global__ void appended(const int *in, int *queue, int *size) {
  int value = in[blockIdx.x * THREADS + threadIdx.x];
  if (value % 3 == 0) queue[atomicAdd(size, 1)] = value;
}

// Numbers added by comparing and swapping, and the least of each column.
extern "C" __global__ void swapped(const double *in, unsigned long long *sum, int *least) {
  double value = in[blockIdx.x * THREADS + threadIdx.x];
  unsigned long long old = 0, now;
  do {
    now = old;
    old = atomicCAS(sum, now, __double_as_longlong(value + __longlong_as_double(now)));
  } while (old != now);
  atomicMin(&least[threadIdx.x], (int)value);
  atomicAnd(&least[THREADS], ~(1 << (int)value % 32));
}

// A lock around a sum in global memory, taken by one thread of each CTA.
extern "C" __global__ void locked(const int *in, int *lock, int *sum) {
  if (threadIdx.x == 0) {
    while (atomicCAS(lock, 0, 1) != 0) {}
    __threadfence();
    *sum += in[blockIdx.x];
    __threadfence();
    atomicExch(lock, 0);
  }
}

// The same by a lock that acquires and releases.
extern "C" __global__ void locked_in_order(const int *in, int *lock, int *sum) {
  if (threadIdx.x == 0) {
    cuda::atomic_ref<int, cuda::thread_scope_device> own(*lock);
    while (own.exchange(1, cuda::memory_order_acquire) != 0) {}
    *sum += in[blockIdx.x] * 2;
    own.store(0, cuda::memory_order_release);
  }
}
