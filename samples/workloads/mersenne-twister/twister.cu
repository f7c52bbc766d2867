// Random numbers by many Mersenne twisters, one a thread: small ones (period 2^607 - 1) that
// differ in their matrix, so that their sequences are of different recurrences; then pairs of
// uniform numbers become pairs of normal ones. With other constants it is the well-known MT19937.

#ifndef TRIPS
#define TRIPS(n) (n)
#endif

#ifndef WORDS
#define WORDS 19    // of a generator's state
#define MIDDLE 9    // the word that joins in, from the oldest one on
#define LOW_BITS 1  // of a word that are joined to the upper ones of the word before
#define SHIFT 12    // of the first step of tempering
#endif

#define LOWER ((1u << LOW_BITS) - 1u)

// What a generator is: its matrix (the last row), two masks of tempering, and its seed.
struct Generator {
  unsigned int matrix, mask_b, mask_c, seed;
};

// Draws `count` numbers above 0 and up to 1 of each generator. The numbers of all generators are
// side by side, so that the threads of a warp store neighbours; the state is in local memory.
extern "C" __global__ void twister_uniform(const Generator *__restrict__ generators,
                                           float *__restrict__ numbers, int generator_count,
                                           int count) {
  unsigned int state[WORDS];
  const int threads = gridDim.x * blockDim.x;
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  for (int g = thread; g < generator_count; g += threads) {
    const Generator own = generators[g];
    state[0] = own.seed;
    for (int i = 1; i < TRIPS(WORDS); ++i) {
      state[i] = 1812433253u * (state[i - 1] ^ (state[i - 1] >> 30)) + i;
    }
    int at = 0;
    unsigned int oldest = state[0];
    for (int n = 0; n < TRIPS(count); ++n) {
      const int next = at + 1 < WORDS ? at + 1 : 0;
      const int middle = at + MIDDLE < WORDS ? at + MIDDLE : at + MIDDLE - WORDS;
      const unsigned int second = state[next];
      const unsigned int joined = (oldest & ~LOWER) | (second & LOWER);
      unsigned int x = state[middle] ^ (joined >> 1) ^ (joined & 1u ? own.matrix : 0u);
      state[at] = x;
      at = next;
      oldest = second;

      x ^= x >> SHIFT;
      x ^= (x << 7) & own.mask_b;
      x ^= (x << 15) & own.mask_c;
      x ^= x >> 18;
      numbers[g + n * generator_count] = ((float)x + 1.0f) / 4294967296.0f;
    }
  }
}

// Turns every two successive numbers of a generator into two of a normal distribution, in place, by
// the formula of Box and Muller.
extern "C" __global__ void twister_box_muller(float *numbers, int generator_count, int count) {
  const int threads = gridDim.x * blockDim.x;
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  for (int g = thread; g < generator_count; g += threads) {
    const int pairs = count / 2;
    for (int pair = 0; pair < TRIPS(pairs); ++pair) {
      float *const first = numbers + g + 2 * pair * generator_count;
      float *const second = first + generator_count;
      const float radius = sqrtf(-2.0f * logf(*first));
      const float angle = 6.28318531f * *second;
      *first = radius * __cosf(angle);
      *second = radius * __sinf(angle);
    }
  }
}
