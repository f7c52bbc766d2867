// Bitonic sort of n keys, ascending, in blocks of 2 * blockDim.x keys; n and blockDim.x are powers
// of two, blockDim.x is BLOCK at most. bitonic_sort sorts each block, up and down in turn. Then for
// k = 4 * blockDim.x, doubling up to n: bitonic_global for each j = k / 2, halving down to
// 2 * blockDim.x, and bitonic_merge for all smaller j at once.
#include "../common/cuda_words.h"

#define BLOCK 512

// Sorts blocks in shared memory.
extern "C" __global__ void bitonic_sort(unsigned *__restrict__ keys) {
  __shared__ unsigned tile[2 * BLOCK];

  const unsigned t = threadIdx.x;
  const unsigned pairs = blockDim.x;
  const unsigned first = 2 * blockIdx.x * pairs;
  tile[t] = keys[first + t];
  tile[t + pairs] = keys[first + t + pairs];

  for (unsigned k = 2; k <= 2 * pairs; k *= 2) {
    for (unsigned j = k / 2; j > 0; j /= 2) {
      __syncthreads();
      const unsigned low = 2 * t - (t & (j - 1));
      const unsigned a = tile[low];
      const unsigned b = tile[low + j];
      const bool ascends = ((first + low) & k) == 0;
      tile[low] = ascends ? (a < b ? a : b) : (a < b ? b : a);
      tile[low + j] = ascends ? (a < b ? b : a) : (a < b ? a : b);
    }
  }
  __syncthreads();

  keys[first + t] = tile[t];
  keys[first + t + pairs] = tile[t + pairs];
}

// Compares keys at distance j, one pair a thread, within sequences of k.
extern "C" __global__ void bitonic_global(unsigned *__restrict__ keys, unsigned k, unsigned j) {
  const unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned low = 2 * t - (t & (j - 1));
  const unsigned a = keys[low];
  const unsigned b = keys[low + j];
  const bool ascends = (low & k) == 0;
  keys[low] = ascends ? (a < b ? a : b) : (a < b ? b : a);
  keys[low + j] = ascends ? (a < b ? b : a) : (a < b ? a : b);
}

// Merges blocks in shared memory: all distances from blockDim.x down, within sequences of k.
extern "C" __global__ void bitonic_merge(unsigned *__restrict__ keys, unsigned k) {
  __shared__ unsigned tile[2 * BLOCK];

  const unsigned t = threadIdx.x;
  const unsigned pairs = blockDim.x;
  const unsigned first = 2 * blockIdx.x * pairs;
  const bool ascends = (first & k) == 0;
  tile[t] = keys[first + t];
  tile[t + pairs] = keys[first + t + pairs];

  for (unsigned j = pairs; j > 0; j /= 2) {
    __syncthreads();
    const unsigned low = 2 * t - (t & (j - 1));
    const unsigned a = tile[low];
    const unsigned b = tile[low + j];
    tile[low] = ascends ? (a < b ? a : b) : (a < b ? b : a);
    tile[low + j] = ascends ? (a < b ? b : a) : (a < b ? a : b);
  }
  __syncthreads();

  keys[first + t] = tile[t];
  keys[first + t + pairs] = tile[t + pairs];
}
