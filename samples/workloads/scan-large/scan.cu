// Exclusive prefix sums of an array of any length. A CTA scans a part in shared memory, two
// elements a thread, by sweeps up and down a balanced tree; the parts' sums are scanned in the same
// way, over as many levels as it takes, and added to all elements of the parts that follow.
#ifndef TRIPS
#define TRIPS(n) (n)
#endif
#ifndef LOG_BANKS
#define LOG_BANKS 4  // 16 banks of shared memory, as GPUs had; 31 pads nothing
#endif

// Where an element of a part lies in shared memory: a word further for every 16 before it, so that
// steps by a power of two meet different banks.
inline __device__ int padded(int place) { return place + (place >> LOG_BANKS); }

// Adds up from the leaves to the root: after the level of `step`, every 2 * step-th element is the
// sum of as many. With each level half of the threads are left. Returns twice the last step.
inline __device__ int sweep_up(float *tree, int levels) {
  int active = blockDim.x;
  int step = 1;
  for (int level = 0; level < TRIPS(levels); ++level) {
    __syncthreads();
    if (threadIdx.x < active) {
      const int left = 2 * step * threadIdx.x + step - 1;
      tree[padded(left + step)] += tree[padded(left)];
    }
    active /= 2;
    step *= 2;
  }
  return step;
}

// Goes back to the leaves: a node hands its sum so far to the left, and to the right with what is
// left of it added.
inline __device__ void sweep_down(float *tree, int levels, int step) {
  int active = 1;
  for (int level = 0; level < TRIPS(levels); ++level) {
    step /= 2;
    __syncthreads();
    if (threadIdx.x < active) {
      const int left = 2 * step * threadIdx.x + step - 1;
      const float before = tree[padded(left + step)];
      tree[padded(left + step)] = before + tree[padded(left)];
      tree[padded(left)] = before;
    }
    active *= 2;
  }
  __syncthreads();
}

// Scans one part of `count` elements from `first` on. The threads are a power of two; a part that
// is not WHOLE has fewer elements than twice as many. With KEEP_SUM the part's sum is kept.
template <bool KEEP_SUM, bool WHOLE>
inline __device__ void scan_part(float *scanned, const float *values, float *sums, int count,
                                 int part, int first) {
  extern __shared__ float tree[];
  const int low = threadIdx.x;
  const int high = threadIdx.x + blockDim.x;
  const bool has_high = WHOLE || high < count;
  tree[padded(low)] = values[first + low];
  tree[padded(high)] = has_high ? values[first + high] : 0.0f;

  const int levels = 32 - __clz(blockDim.x);
  const int step = sweep_up(tree, levels);
  if (threadIdx.x == 0) {  // the thread that has just written the sum of all
    const int root = padded(2 * blockDim.x - 1);
    if (KEEP_SUM) {
      sums[part] = tree[root];
    }
    tree[root] = 0.0f;
  }
  sweep_down(tree, levels, step);

  scanned[first + low] = tree[padded(low)];
  if (has_high) {
    scanned[first + high] = tree[padded(high)];
  }
}

// All whole parts of an array, a CTA each.
extern "C" __global__ void scan_parts(float *scanned, const float *values, float *sums) {
  const int size = 2 * blockDim.x;
  scan_part<true, true>(scanned, values, sums, size, blockIdx.x, blockIdx.x * size);
}

// What is left behind the whole parts: one CTA.
extern "C" __global__ void scan_rest(float *scanned, const float *values, float *sums, int count,
                                     int part, int first) {
  scan_part<true, false>(scanned, values, sums, count, part, first);
}

// An array that is one part: of all the elements that a CTA can have, or of fewer.
extern "C" __global__ void scan_whole(float *scanned, const float *values) {
  scan_part<false, true>(scanned, values, nullptr, 2 * blockDim.x, 0, 0);
}

extern "C" __global__ void scan_few(float *scanned, const float *values, int count) {
  scan_part<false, false>(scanned, values, nullptr, count, 0, 0);
}

// Adds to every element of a part what all parts before it sum up to. The last part, with fewer
// elements, is a launch of its own.
extern "C" __global__ void add_sums(float *scanned, const float *sums, int count, int part,
                                    int first) {
  __shared__ float before;
  if (threadIdx.x == 0) {
    before = sums[blockIdx.x + part];
  }
  const int low = 2 * blockDim.x * blockIdx.x + first + threadIdx.x;
  __syncthreads();
  scanned[low] += before;
  if (threadIdx.x + blockDim.x < count) {
    scanned[low + blockDim.x] += before;
  }
}
