// Prices of options by binomial trees. After i of `steps` time steps, j of them up, the price of
// the share is spot * down^i * ratio^j, with ratio = up / down. The values at expiry are discounted
// step by step: value(i, j) = up_weight * value(i + 1, j + 1) + down_weight * value(i + 1, j).
#include "../common/cuda_words.h"

#define MAX_STEPS 1024
#define THREAD_STEPS 64
#define PAIR_STEPS 32
#define PAIR_BLOCK 128

inline __device__ float power(float base, int exponent) {
  float result = 1.0f;
  for (int e = exponent; e > 0; e /= 2) {
    if (e % 2 == 1) {
      result *= base;
    }
    base *= base;
  }
  return result;
}

// European calls, one block an option, at most MAX_STEPS steps. Values are in shared memory, the
// step before and the one after in turn.
extern "C" __global__ void binomial_block(const float *__restrict__ spot,
                                          const float *__restrict__ strike,
                                          float *__restrict__ price, int steps, float down,
                                          float ratio, float up_weight, float down_weight) {
  __shared__ float values[2][MAX_STEPS + 1];

  const float lowest = spot[blockIdx.x] * power(down, steps);
  const float exercise = strike[blockIdx.x];
  for (int j = threadIdx.x; j <= steps; j += blockDim.x) {
    const float gain = lowest * power(ratio, j) - exercise;
    values[steps % 2][j] = gain > 0.0f ? gain : 0.0f;
  }
  for (int i = steps; i > 0; --i) {
    __syncthreads();
    const float *after = values[i % 2];
    float *before = values[(i + 1) % 2];
    for (int j = threadIdx.x; j < i; j += blockDim.x) {
      before[j] = up_weight * after[j + 1] + down_weight * after[j];
    }
  }
  if (threadIdx.x == 0) {
    price[blockIdx.x] = values[0][0];
  }
}

// American puts, one thread an option, at most THREAD_STEPS steps. Values are in local memory.
extern "C" __global__ void binomial_thread(const float *__restrict__ spot,
                                           const float *__restrict__ strike,
                                           float *__restrict__ price, int options, int steps,
                                           float down, float ratio, float up_weight,
                                           float down_weight) {
  float values[THREAD_STEPS + 1];

  const int option = blockIdx.x * blockDim.x + threadIdx.x;
  if (option < options) {
    const float exercise = strike[option];
    float lowest = spot[option] * power(down, steps);
    float share = lowest;
    for (int j = 0; j <= steps; ++j) {
      const float gain = exercise - share;
      values[j] = gain > 0.0f ? gain : 0.0f;
      share *= ratio;
    }
    for (int i = steps; i > 0; --i) {
      lowest /= down;
      share = lowest;
      for (int j = 0; j < i; ++j) {
        const float held = up_weight * values[j + 1] + down_weight * values[j];
        const float gain = exercise - share;
        values[j] = held > gain ? held : gain;
        share *= ratio;
      }
    }
    price[option] = values[0];
  }
}

// European calls, one thread an option, PAIR_STEPS steps, two at a time. Values are in shared
// memory, a column a thread; blockDim.x is PAIR_BLOCK.
extern "C" __global__ void binomial_pair(const float *__restrict__ spot,
                                         const float *__restrict__ strike,
                                         float *__restrict__ price, float down, float ratio,
                                         float up_weight, float down_weight) {
  __shared__ float values[PAIR_STEPS + 1][PAIR_BLOCK];

  const int t = threadIdx.x;
  const int option = blockIdx.x * PAIR_BLOCK + t;
  const float exercise = strike[option];
  float share = spot[option] * power(down, PAIR_STEPS);
  for (int j = 0; j <= PAIR_STEPS; ++j) {
    const float gain = share - exercise;
    values[j][t] = gain > 0.0f ? gain : 0.0f;
    share *= ratio;
  }
  const float two_up = up_weight * up_weight;
  const float one_up = 2.0f * up_weight * down_weight;
  const float none_up = down_weight * down_weight;
  for (int i = PAIR_STEPS; i > 0; i -= 2) {
    for (int j = 0; j < i - 1; ++j) {
      const float sides = two_up * values[j + 2][t] + none_up * values[j][t];
      values[j][t] = sides + one_up * values[j + 1][t];
    }
  }
  price[option] = values[0][t];
}
