// Lanes that exchange values: whole warps, halves of them, those that are left over.
#define FULL 0xffffffffu

// Sums of each half of a warp by its own lanes.
extern "C" __global__ void half_sums(const int *in, int *out) {
  int t = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x & 31, value = in[t];
  if (lane < 16) {
    for (int step = 8; step; step /= 2) value += __shfl_xor_sync(0xffffu, value, step);
    if (__any_sync(0xffffu, value > 1000)) value = -value;
  } else {
    for (int step = 8; step; step /= 2) value += __shfl_xor_sync(0xffff0000u, value, step);
    value += __popc(__ballot_sync(0xffff0000u, value & 1));
  }
  out[t] = value;
}

// The last warp of a CTA of 80 threads has 16 lanes.
extern "C" __global__ void left_over(const int *in, int *out, int n) {
  int t = threadIdx.x, value = t < n ? in[blockIdx.x * n + t] : 0;
  if (t >= 64) {
    value = max(value, __shfl_xor_sync(0xffffu, value, 1));
    value += __reduce_add_sync(0xffffu, value);
    __syncwarp(0xffffu);
  } else {
    value = max(value, __shfl_xor_sync(FULL, value, 1));
    value += __reduce_add_sync(FULL, value);
  }
  out[blockIdx.x * blockDim.x + t] = value;
}

// Those that pass a test go on together, by the mask that tells who they are.
extern "C" __global__ void passing(const int *in, int *out) {
  int t = blockIdx.x * blockDim.x + threadIdx.x, value = in[t], result = -1;
  unsigned mask = __ballot_sync(FULL, value % 3 != 0);
  if (value % 3 != 0) {
    int first = __shfl_sync(mask, value, __ffs(mask) - 1);
    unsigned same = __match_any_sync(mask, value % 5);
    result = first + __popc(same) + __all_sync(mask, value < 1000);
  }
  out[t] = result;
}

// Groups of lanes with the same key, the least of each.
extern "C" __global__ void by_key(const int *keys, const int *in, int *out) {
  int t = blockIdx.x * blockDim.x + threadIdx.x, key = keys[t], value = in[t];
  unsigned group = __match_any_sync(FULL, key);
  int least = __reduce_min_sync(group, value), leader = __ffs(group) - 1;
  out[t] = least + __shfl_sync(group, value, leader) * 2;
}

// Rows of a matrix in shared memory, a warp each, its lanes one after another.
extern "C" __global__ void exchanged_rows(const int *in, int *out) {
  __shared__ int rows[2][32];
  int t = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x & 31, warp = threadIdx.x / 32;
  rows[warp][lane] = in[t];
  __syncwarp();
  int value = rows[warp][31 - lane];
  __syncwarp();
  rows[warp][lane] = value * 3;
  __syncwarp(FULL);
  if (lane < 8) {
    int sum = 0;
    for (int k = 0; k < 4; ++k) sum += rows[warp][4 * lane + k];
    __syncwarp(0xffu);
    rows[warp][lane] = sum;
    __syncwarp(0xffu);
    value += rows[warp][7 - lane];
  }
  out[t] = value;
}

// Scan of each warp, and votes of all of it.
extern "C" __global__ void warp_scan(const int *in, int *out) {
  int t = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x & 31, value = in[t];
  for (int step = 1; step < 32; step *= 2) {
    int other = __shfl_up_sync(FULL, value, step);
    if (lane >= step) value += other;
  }
  int all;
  __match_all_sync(FULL, in[t] / 1000, &all);
  unsigned odd = __ballot_sync(FULL, value & 1);
  out[t] = value + __popc(odd & ((1u << lane) - 1)) + all;
}
