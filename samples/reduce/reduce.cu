// Sum of n numbers, first half: each block adds 2 * BLOCK numbers into one partial sum.
// blockDim.x is a power of two, BLOCK at most.
#include "../common/cuda_words.h"

#define BLOCK 256

extern "C" __global__ void reduce(const float *__restrict__ in, float *__restrict__ partial,
                                  int n) {
  __shared__ float sums[BLOCK];

  const unsigned t = threadIdx.x;
  const int first = blockIdx.x * blockDim.x * 2 + t;
  const int second = first + blockDim.x;

  float sum = first < n ? in[first] : 0.0f;
  if (second < n) {
    sum += in[second];
  }
  sums[t] = sum;
  __syncthreads();

  for (unsigned s = blockDim.x / 2; s > 0; s >>= 1) {
    if (t < s) {
      sums[t] += sums[t + s];
    }
    __syncthreads();
  }

  if (t == 0) {
    partial[blockIdx.x] = sums[0];
  }
}
