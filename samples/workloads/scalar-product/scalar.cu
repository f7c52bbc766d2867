// Scalar products of many pairs of vectors, as long as each other. A CTA takes pairs in turn; for
// each it makes SUMS partial sums in shared memory and adds them up as a tree.
#ifndef TRIPS
#define TRIPS(n) (n)
#endif
#ifndef SUMS
#define SUMS 1024  // partial sums of a pair, a power of two
#endif
#define LEVELS 10  // of the tree: SUMS is 2 to the power of it

// A CTA's threads are at most SUMS, of which their number is a divisor; there are no more CTAs than
// pairs and at least SUMS elements, so that every loop has a turn.
extern "C" __global__ void scalar_product(const float *__restrict__ a, const float *__restrict__ b,
                                          float *__restrict__ products, int vectors,
                                          int elements) {
  __shared__ float sums[SUMS];
  const int thread = threadIdx.x;
  const int threads = blockDim.x;
  const int pairs = (vectors - (int)blockIdx.x + (int)gridDim.x - 1) / (int)gridDim.x;

  for (int pair = 0; pair < TRIPS(pairs); ++pair) {
    const int vector = blockIdx.x + pair * gridDim.x;
    const float *const first = a + (size_t)vector * elements;
    const float *const second = b + (size_t)vector * elements;

    // partial sum s is of the elements s, s + SUMS, s + 2 * SUMS ...: a warp's loads run on
    for (int part = 0; part < TRIPS(SUMS / threads); ++part) {
      const int s = thread + part * threads;
      const int mine = (elements - s + SUMS - 1) / SUMS;
      float sum = 0.0f;
      for (int i = 0; i < TRIPS(mine); ++i) {
        sum += first[s + i * SUMS] * second[s + i * SUMS];
      }
      sums[s] = sum;
    }

    int left = SUMS / 2;
#pragma unroll 1  // a loop, as it was for the compilers that papers measured with
    for (int level = 0; level < TRIPS(LEVELS); ++level) {
      __syncthreads();
      for (int s = thread; s < left; s += threads) {
        sums[s] += sums[s + left];
      }
      left /= 2;
    }
    if (thread == 0) {
      products[vector] = sums[0];
    }
    __syncthreads();  // the next pair's sums take the place of these
  }
}
