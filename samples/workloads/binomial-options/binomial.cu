// Prices of European call options by binomial trees, a CTA an option. The tree has far more levels
// than a CTA's shared memory could hold: a level is kept in global memory, and a window of it goes
// through shared memory, in which several levels are folded at a time.

#ifndef TRIPS
#define TRIPS(n) (n)
#endif

#define WINDOW 256  // nodes in shared memory, and threads of a CTA
#define FOLDED 32   // levels that a window is folded by, even
#define STRIDE (WINDOW - FOLDED)  // from a window to the next: what is right of it afterwards
#define MOST_OPTIONS 512

// An option and its tree: price and strike, the growth of a step's logarithm (a node is exp of a
// multiple of it), and the discounted probabilities of up and down.
struct Option {
  float price, strike, step, up, down;
};

__constant__ Option options[MOST_OPTIONS];

// What an option is worth at expiry, at node i of the last level.
inline __device__ float at_expiry(const Option &option, int steps, int i) {
  const float gain = option.price * __expf(option.step * (2 * i - steps)) - option.strike;
  return gain > 0.0f ? gain : 0.0f;
}

// Prices the option of each CTA; `steps` is a multiple of FOLDED. `levels` is room for a level of
// each. Windows go over a level from its first nodes on and overlap: a window folds FOLDED levels,
// after which its last FOLDED nodes are not right, and are found by the next one. There is a level
// before a fold and one after it in shared memory, so that a level takes one barrier.
extern "C" __global__ void binomial_options(float *__restrict__ values, float *levels,
                                            int steps) {
  __shared__ float before[WINDOW + 1];
  __shared__ float after[WINDOW + 1];

  const Option option = options[blockIdx.x];
  float *const level = levels + blockIdx.x * (steps + 1);
  const int t = threadIdx.x;

  for (int i = t; i <= steps; i += WINDOW) {
    level[i] = at_expiry(option, steps, i);
  }

  const int folds = steps / FOLDED;
  for (int fold = 0; fold < TRIPS(folds); ++fold) {
    const int highest = steps - fold * FOLDED;  // level that is there: it has nodes 0 to this one
    const int windows = (highest - FOLDED + STRIDE) / STRIDE;
    for (int window = 0; window < TRIPS(windows); ++window) {
      const int first = window * STRIDE;
      const int last = min(WINDOW - 1, highest - first);  // of the nodes in the window
      const int kept = last - FOLDED;
      __syncthreads();
      if (t <= last) {
        before[t] = level[first + t];
      }
      const int pairs = FOLDED / 2;
      for (int pair = 0; pair < TRIPS(pairs); ++pair) {
        const int k = last - 1 - 2 * pair;  // last node of the level after
        __syncthreads();
        if (t <= k) {
          after[t] = option.up * before[t + 1] + option.down * before[t];
        }
        __syncthreads();
        if (t < k) {
          before[t] = option.up * after[t + 1] + option.down * after[t];
        }
      }
      __syncthreads();
      if (t <= kept) {
        level[first + t] = before[t];
      }
    }
  }
  if (t == 0) {
    values[blockIdx.x] = before[0];
  }
}
