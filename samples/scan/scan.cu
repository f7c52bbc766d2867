// Exclusive prefix sums of n numbers, two a thread: scan_blocks leaves the sum of each block of
// 2 * blockDim.x numbers in sums; once these are scanned too, scan_add adds them to their blocks.
// Work-efficient: sums up a balanced tree, then down again. blockDim.x is a power of two, BLOCK at
// most.
#include "../common/cuda_words.h"

#define BLOCK 256

extern "C" __global__ void scan_blocks(const int *__restrict__ in, int *__restrict__ out,
                                       int *__restrict__ sums, int n) {
  __shared__ int tree[2 * BLOCK];

  const int t = threadIdx.x;
  const int size = blockDim.x;
  const int first = 2 * blockIdx.x * size + t;
  const int second = first + size;
  tree[t] = first < n ? in[first] : 0;
  tree[t + size] = second < n ? in[second] : 0;

  int distance = 1;
  for (int nodes = size; nodes > 0; nodes /= 2) {  // up: a node becomes the sum of what is below
    __syncthreads();
    if (t < nodes) {
      const int left = distance * (2 * t + 1) - 1;
      tree[left + distance] += tree[left];
    }
    distance *= 2;
  }
  if (t == 0) {
    sums[blockIdx.x] = tree[2 * size - 1];
    tree[2 * size - 1] = 0;
  }
  for (int nodes = 1; nodes <= size; nodes *= 2) {  // down: the sum of all before goes left
    distance /= 2;
    __syncthreads();
    if (t < nodes) {
      const int left = distance * (2 * t + 1) - 1;
      const int below_left = tree[left];
      tree[left] = tree[left + distance];
      tree[left + distance] += below_left;
    }
  }
  __syncthreads();

  if (first < n) {
    out[first] = tree[t];
  }
  if (second < n) {
    out[second] = tree[t + size];
  }
}

extern "C" __global__ void scan_add(int *__restrict__ out, const int *__restrict__ sums, int n) {
  const int first = 2 * blockIdx.x * blockDim.x + threadIdx.x;
  const int second = first + blockDim.x;
  const int before = sums[blockIdx.x];
  if (first < n) {
    out[first] += before;
  }
  if (second < n) {
    out[second] += before;
  }
}
