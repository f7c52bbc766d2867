// Gridding of MRI data: samples that lie anywhere in k-space are spread over a Cartesian grid with
// a Kaiser-Bessel window. Samples are sorted by bin, one bin for each cell of the grid, so that a
// tile of grid points can gather what lies around it: no two CTAs write to one point, and every
// point adds up in the same order each time.

#define SCAN_THREADS 256   // at most, for 2 elements each
#define SORT_THREADS 128
#define KEYS 4             // of a thread
#define DIGIT_BITS 4       // of a sorting pass
#define DIGITS (1 << DIGIT_BITS)
#define NUMERATOR 8        // degrees of the window's two polynomials
#define DENOMINATOR 3
#define TILE_X 8
#define TILE_Y 8
#ifndef TILE_Z
#define TILE_Z 4           // points of a thread, one above the other
#endif
#ifndef STAGED
#define STAGED 64          // samples in shared memory, at most one for each thread
#endif
#define REACH 2            // bins that a tile looks beyond its edges

struct Sample {
  float real, imaginary;
  float x, y, z;   // in cells
  float density;   // compensates for samples that lie close together
};

__constant__ int size[3];         // of the grid: x runs fastest
__constant__ float cutoff2;       // square of the window's radius
__constant__ float over_cutoff2;  // and one over it
__constant__ float numerator[NUMERATOR + 1];  // coefficients, from the constant one on
__constant__ float denominator[DENOMINATOR + 1];

// The Kaiser-Bessel window: a Bessel function of v, which is 1 at the sample and 0 at the window's
// edge. The function is even, so that both polynomials are in the square of v.
inline __device__ float window_of(float v) {
  const float z = v * v;
  float over = numerator[NUMERATOR], under = denominator[DENOMINATOR];
#pragma unroll
  for (int k = NUMERATOR - 1; k >= 0; --k) over = over * z + numerator[k];
#pragma unroll
  for (int k = DENOMINATOR - 1; k >= 0; --k) under = under * z + denominator[k];
  return __fdividef(over, under);
}

// Notes the bin of each sample, and counts the samples of each bin. The keys that fill up the last
// sorting chunk are higher than those of all bins, and stay behind them.
extern "C" __global__ void gridding_bin(const Sample *__restrict__ samples, int sample_count,
                                        unsigned int *keys, unsigned int *values,
                                        unsigned int *counts, unsigned int filler) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned int bin = filler;
  if (i < sample_count) {
    const Sample sample = samples[i];
    bin = ((int)sample.z * size[1] + (int)sample.y) * size[0] + (int)sample.x;
    atomicAdd(&counts[bin], 1u);
  }
  keys[i] = bin;
  values[i] = i;
}

// ---------------------------------------------------------------- prefix sums

// One word in 33 is left free, so that strides of the tree spread over the banks.
inline __device__ int padded(int i) { return i + (i >> 5); }
#define PADDED_TREE (2 * SCAN_THREADS + 2 * SCAN_THREADS / 32)

// Sums pairs, pairs of pairs and so on, in place; `leaves` is a power of two.
inline __device__ void sweep_up(unsigned int *tree, int leaves) {
  for (int step = 1; step < leaves; step *= 2) {
    __syncthreads();
    const int right = (threadIdx.x + 1) * 2 * step - 1;
    if (right < leaves) tree[padded(right)] += tree[padded(right - step)];
  }
}

// Turns the sums of a tree into what stands before each leaf. The last one is set to begin with.
inline __device__ void sweep_down(unsigned int *tree, int leaves) {
  for (int step = leaves / 2; step > 0; step /= 2) {
    __syncthreads();
    const int right = (threadIdx.x + 1) * 2 * step - 1;
    if (right < leaves) {
      const unsigned int before = tree[padded(right)];
      tree[padded(right)] = before + tree[padded(right - step)];
      tree[padded(right - step)] = before;
    }
  }
  __syncthreads();
}

// Exclusive prefix sums within each CTA's part, and the sum of each part.
extern "C" __global__ void gridding_scan_parts(unsigned int *data, unsigned int *sums, int count) {
  __shared__ unsigned int tree[PADDED_TREE];
  const int leaves = 2 * blockDim.x;
  const int low = threadIdx.x, high = threadIdx.x + blockDim.x;
  const int first = blockIdx.x * leaves;
  tree[padded(low)] = first + low < count ? data[first + low] : 0;
  tree[padded(high)] = first + high < count ? data[first + high] : 0;
  sweep_up(tree, leaves);
  __syncthreads();
  if (threadIdx.x == 0) {
    sums[blockIdx.x] = tree[padded(leaves - 1)];
    tree[padded(leaves - 1)] = 0;
  }
  sweep_down(tree, leaves);
  if (first + low < count) data[first + low] = tree[padded(low)];
  if (first + high < count) data[first + high] = tree[padded(high)];
}

// One level of the tree over the parts' sums, upwards: every `stride`-th of them is a leaf.
extern "C" __global__ void gridding_scan_up(unsigned int *sums, int stride) {
  __shared__ unsigned int tree[PADDED_TREE];
  const int leaves = 2 * blockDim.x;
  const int first = blockIdx.x * leaves;
  const int low = threadIdx.x, high = threadIdx.x + blockDim.x;
  tree[padded(low)] = sums[(first + low + 1) * stride - 1];
  tree[padded(high)] = sums[(first + high + 1) * stride - 1];
  sweep_up(tree, leaves);
  __syncthreads();
  sums[(first + low + 1) * stride - 1] = tree[padded(low)];
  sums[(first + high + 1) * stride - 1] = tree[padded(high)];
}

// The same level downwards. The tree's last leaf holds what stands before the whole tree: nothing
// at the top, and what the level above has left there elsewhere.
extern "C" __global__ void gridding_scan_down(unsigned int *sums, int stride, int is_top) {
  __shared__ unsigned int tree[PADDED_TREE];
  const int leaves = 2 * blockDim.x;
  const int first = blockIdx.x * leaves;
  const int low = threadIdx.x, high = threadIdx.x + blockDim.x;
  tree[padded(low)] = sums[(first + low + 1) * stride - 1];
  tree[padded(high)] = sums[(first + high + 1) * stride - 1];
  __syncthreads();
  if (is_top && high == leaves - 1) tree[padded(high)] = 0;
  sweep_down(tree, leaves);
  sums[(first + low + 1) * stride - 1] = tree[padded(low)];
  sums[(first + high + 1) * stride - 1] = tree[padded(high)];
}

// Adds to each part what stands before it.
extern "C" __global__ void gridding_scan_add(unsigned int *data, const unsigned int *sums,
                                             int count) {
  const unsigned int before = sums[blockIdx.x];
  const int first = blockIdx.x * 2 * blockDim.x + threadIdx.x;
  if (first < count) data[first] += before;
  if (first + (int)blockDim.x < count) data[first + blockDim.x] += before;
}

// ---------------------------------------------------------------- radix sort

// What the threads before this one have, and what all have: a scan with a barrier for each stride.
inline __device__ unsigned int sum_before(unsigned int mine, unsigned int *sums,
                                          unsigned int *of_all) {
  const int t = threadIdx.x;
  sums[t] = mine;
  __syncthreads();
  for (int stride = 1; stride < SORT_THREADS; stride *= 2) {
    const unsigned int left = t >= stride ? sums[t - stride] : 0;
    __syncthreads();
    sums[t] += left;
    __syncthreads();
  }
  *of_all = sums[SORT_THREADS - 1];
  return sums[t] - mine;
}

// Sorts the keys of each CTA by one digit, bit by bit: zeros before ones, in their order. Writes
// how often each digit is there (digit by digit, over all CTAs), and where it begins.
extern "C" __global__ void gridding_sort_parts(unsigned int *keys, unsigned int *values, int shift,
                                               unsigned int *counts, unsigned int *begins) {
  __shared__ unsigned int sorted_keys[SORT_THREADS * KEYS];
  __shared__ unsigned int sorted_values[SORT_THREADS * KEYS];
  __shared__ unsigned int sums[SORT_THREADS];
  __shared__ unsigned int begin[DIGITS], end[DIGITS];
  const int t = threadIdx.x;
  const int first = blockIdx.x * SORT_THREADS + t;
  const uint4 four_keys = ((const uint4 *)keys)[first];
  const uint4 four_values = ((const uint4 *)values)[first];
  unsigned int key[KEYS] = {four_keys.x, four_keys.y, four_keys.z, four_keys.w};
  unsigned int value[KEYS] = {four_values.x, four_values.y, four_values.z, four_values.w};
  if (t < DIGITS) begin[t] = end[t] = 0;

  for (int bit = shift; bit < shift + DIGIT_BITS; ++bit) {
    unsigned int zeros = 0;
#pragma unroll
    for (int k = 0; k < KEYS; ++k) zeros += ~key[k] >> bit & 1;
    unsigned int all_zeros;
    unsigned int zeros_before = sum_before(zeros, sums, &all_zeros);
#pragma unroll
    for (int k = 0; k < KEYS; ++k) {
      const unsigned int is_one = key[k] >> bit & 1;
      const unsigned int ones_before = t * KEYS + k - zeros_before;
      const unsigned int place = is_one ? all_zeros + ones_before : zeros_before;
      sorted_keys[place] = key[k];
      sorted_values[place] = value[k];
      zeros_before += 1 - is_one;
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < KEYS; ++k) {
      key[k] = sorted_keys[t * KEYS + k];
      value[k] = sorted_values[t * KEYS + k];
    }
  }

  // A digit begins where the key before has another one, which ends there.
#pragma unroll
  for (int k = 0; k < KEYS; ++k) {
    const int i = k * SORT_THREADS + t;
    const unsigned int digit = sorted_keys[i] >> shift & (DIGITS - 1);
    const unsigned int before = i == 0 ? DIGITS : sorted_keys[i - 1] >> shift & (DIGITS - 1);
    if (digit != before) {
      begin[digit] = i;
      if (i > 0) end[before] = i;
    }
    if (i == SORT_THREADS * KEYS - 1) end[digit] = SORT_THREADS * KEYS;
  }
  __syncthreads();
  if (t < DIGITS) {
    counts[t * gridDim.x + blockIdx.x] = end[t] - begin[t];
    begins[blockIdx.x * DIGITS + t] = begin[t];
  }
  ((uint4 *)keys)[first] = make_uint4(key[0], key[1], key[2], key[3]);
  ((uint4 *)values)[first] = make_uint4(value[0], value[1], value[2], value[3]);
}

// Moves the keys of each CTA to where their digit stands in the whole: `starts` are the prefix sums
// of the counts.
extern "C" __global__ void gridding_sort_scatter(const unsigned int *__restrict__ keys,
                                                 const unsigned int *__restrict__ values,
                                                 unsigned int *new_keys, unsigned int *new_values,
                                                 int shift,
                                                 const unsigned int *__restrict__ starts,
                                                 const unsigned int *__restrict__ begins) {
  __shared__ unsigned int move[DIGITS];
  const int t = threadIdx.x;
  if (t < DIGITS) {
    move[t] = starts[t * gridDim.x + blockIdx.x] - begins[blockIdx.x * DIGITS + t];
  }
  __syncthreads();
#pragma unroll
  for (int k = 0; k < KEYS; ++k) {
    const int i = k * SORT_THREADS + t;
    const int from = blockIdx.x * SORT_THREADS * KEYS + i;
    const unsigned int key = keys[from];
    const unsigned int place = i + move[key >> shift & (DIGITS - 1)];
    new_keys[place] = key;
    new_values[place] = values[from];
  }
}

// ---------------------------------------------------------------- gridding

// Places the samples in the order of their bins, values apart from places: reads are scattered,
// writes are not.
extern "C" __global__ void gridding_reorder(const Sample *__restrict__ samples,
                                            const unsigned int *__restrict__ order, float2 *values,
                                            float4 *places, int sample_count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < sample_count) {
    const Sample sample = samples[order[i]];
    values[i] = make_float2(sample.real, sample.imaginary);
    places[i] = make_float4(sample.x, sample.y, sample.z, sample.density);
  }
}

// Gathers what the samples around a tile give to its points, and their weights. Bins of a row lie
// one behind the other: for each row near the tile its samples pass through shared memory, STAGED
// at a time. How many there are depends on where the tile is.
extern "C" __global__ void gridding_gather(const float2 *__restrict__ values,
                                           const float4 *__restrict__ places,
                                           const unsigned int *__restrict__ starts, float2 *grid,
                                           float *weights) {
  __shared__ float2 value[STAGED];
  __shared__ float place_x[STAGED], place_y[STAGED], place_z[STAGED];
  const int t = threadIdx.y * TILE_X + threadIdx.x;
  const int x0 = blockIdx.x * TILE_X, y0 = blockIdx.y * TILE_Y, z0 = blockIdx.z * TILE_Z;
  const int width = size[0], height = size[1], depth = size[2];
  const int left = max(x0 - REACH, 0), right = min(x0 + TILE_X + REACH, width);
  const int bottom = max(y0 - REACH, 0), top = min(y0 + TILE_Y + REACH, height);
  const int front = max(z0 - REACH, 0), back = min(z0 + TILE_Z + REACH, depth);
  const float x = x0 + threadIdx.x, y = y0 + threadIdx.y, z = z0;
  const float limit = cutoff2;

  float2 sum[TILE_Z];
  float weight[TILE_Z];
#pragma unroll
  for (int p = 0; p < TILE_Z; ++p) {
    sum[p] = make_float2(0.0f, 0.0f);
    weight[p] = 0.0f;
  }
  for (int bin_z = front; bin_z < back; ++bin_z) {
    for (int bin_y = bottom; bin_y < top; ++bin_y) {
      const int row = (bin_z * height + bin_y) * width;
      const unsigned int end = starts[row + right];
      for (unsigned int first = starts[row + left]; first < end; first += STAGED) {
        const int staged = min(end - first, STAGED);
        __syncthreads();
        if (t < staged) {
          const float2 measured = values[first + t];
          const float4 place = places[first + t];
          value[t] = make_float2(measured.x * place.w, measured.y * place.w);
          place_x[t] = place.x;
          place_y[t] = place.y;
          place_z[t] = place.z;
        }
        __syncthreads();
        for (int s = 0; s < staged; ++s) {
          const float dx = place_x[s] - x, dy = place_y[s] - y;
          const float in_plane = dx * dx + dy * dy;
          if (in_plane >= limit) continue;
          const float above = place_z[s] - z;
#pragma unroll
          for (int p = 0; p < TILE_Z; ++p) {
            const float dz = above - p;
            const float distance2 = in_plane + dz * dz;
            if (distance2 < limit) {
              const float share = window_of(sqrtf(1.0f - distance2 * over_cutoff2));
              sum[p].x += share * value[s].x;
              sum[p].y += share * value[s].y;
              weight[p] += share;
            }
          }
        }
      }
    }
  }
#pragma unroll
  for (int p = 0; p < TILE_Z; ++p) {
    const int point = ((z0 + p) * height + y0 + threadIdx.y) * width + x0 + threadIdx.x;
    grid[point] = sum[p];
    weights[point] = weight[p];
  }
}
