// Stochastic Petri nets: many simulations of one net, a CTA each. The net is a network of stations
// on a torus of SIDE x SIDE: a station has a place for its jobs and one for its free slots, and four
// transitions, each of which moves a job to a neighbour that has a slot for it. In a step as many
// transitions as there are words in a batch are drawn and tried at the same time; where several
// need the same station, the first one fires. Every simulation has a Mersenne twister of its own
// in shared memory, which yields words in batches that do not need each other.
#ifndef TRIPS
#define TRIPS(n) (n)  // of main loops, which a build may shorten
#endif
#define BLOCK 256
#define WORDS 624  // of a twister's state
#define AHEAD 397  // a new word needs the one so far ahead
#define BATCH (WORDS - AHEAD)
#define MOST_STATIONS 1024

// The place so many words further in the twister's ring.
inline __device__ int further(int place, int by) {
  place += by;
  return place >= WORDS ? place - WORDS : place;
}

// Fills the twister's state from a seed, word after word: one thread's work.
inline __device__ void seed_twister(unsigned int *state, unsigned int word) {
  state[0] = word;
  for (int i = 1; i < WORDS; ++i) {
    word = 1812433253u * (word ^ (word >> 30)) + i;
    state[i] = word;
  }
}

// The word that takes the place of the oldest one.
inline __device__ unsigned int next_word(const unsigned int *state, int place) {
  const unsigned int joined =
      (state[place] & 0x80000000u) | (state[further(place, 1)] & 0x7fffffffu);
  const unsigned int twisted = joined >> 1 ^ (joined & 1 ? 0x9908b0dfu : 0u);
  return state[further(place, AHEAD)] ^ twisted;
}

// A random number made of a word of the state.
inline __device__ unsigned int tempered(unsigned int word) {
  word ^= word >> 11;
  word ^= word << 7 & 0x9d2c5680u;
  word ^= word << 15 & 0xefc60000u;
  return word ^ word >> 18;
}

// The station beside the one at (column, row): right, left, below or above; edges are joined.
inline __device__ int neighbour(int column, int row, int way, int side) {
  switch (way) {
    case 0: column = column + 1 < side ? column + 1 : 0; break;
    case 1: column = column > 0 ? column - 1 : side - 1; break;
    case 2: row = row + 1 < side ? row + 1 : 0; break;
    default: row = row > 0 ? row - 1 : side - 1;
  }
  return row * side + column;
}

// What was seen of a simulation: the jobs at the watched station before each step, as their sum, the
// sum of their squares and the most; and how many transitions fired.
struct Observed {
  unsigned int sum, squares, most, fired;
};

// Simulates from the first marking on, simulation after simulation where there are more than CTAs.
// `places` has the marking of each simulation, bytes for jobs and then for slots. `rates` say how
// often in 256 a transition of a station is let through. `side` * `side` is MOST_STATIONS at most.
extern "C" __global__ void petri_net(const unsigned char *__restrict__ first_marking,
                                     const unsigned char *__restrict__ rates,
                                     unsigned char *places, int side, int steps, int simulations,
                                     unsigned int seed, int watched, Observed *observed) {
  __shared__ unsigned int state[WORDS];
  __shared__ unsigned int claims[MOST_STATIONS];
  const int t = threadIdx.x;
  const int stations = side * side;

  for (int simulation = blockIdx.x; simulation < simulations; simulation += gridDim.x) {
    unsigned char *const jobs = places + 2 * stations * simulation;
    unsigned char *const slots = jobs + stations;
    if (t == 0) seed_twister(state, seed + simulation);
    for (int i = t; i < 2 * stations; i += BLOCK) jobs[i] = first_marking[i];
    for (int i = t; i < stations; i += BLOCK) claims[i] = 0;
    __syncthreads();

    Observed seen = {0, 0, 0, 0};
    int oldest = 0;
    for (int step = 1; step <= TRIPS(steps); ++step) {
      const int place = further(oldest, t);
      unsigned int word = 0;
      if (t < BATCH) word = next_word(state, place);
      __syncthreads();  // the old words were read, and all that fired has moved its job

      if (t == 0) {
        const unsigned int now = jobs[watched];
        seen.sum += now;
        seen.squares += now * now;
        seen.most = now > seen.most ? now : seen.most;
      }

      int from = 0, to = 0;
      unsigned int claim = 0;  // of the threads of a step the first has the highest
      if (t < BATCH) {
        state[place] = word;
        const unsigned int drawn = tempered(word);
        const int column = (drawn >> 24) * side >> 8;
        const int row = (drawn >> 16 & 255) * side >> 8;
        from = row * side + column;
        if ((drawn >> 8 & 255) < rates[from] && jobs[from] > 0) {
          to = neighbour(column, row, drawn & 3, side);
          if (slots[to] > 0) {
            claim = step * BLOCK + (BLOCK - 1 - t);
            atomicMax(&claims[from], claim);
            atomicMax(&claims[to], claim);
          }
        }
      }
      __syncthreads();  // all have claimed their stations

      if (claim != 0 && claims[from] == claim && claims[to] == claim) {
        --jobs[from];
        ++slots[from];
        ++jobs[to];
        --slots[to];
        ++seen.fired;
      }
      oldest = further(oldest, BATCH);
    }

    // how many fired, over all threads
    __syncthreads();
    claims[t] = seen.fired;
    for (int half = BLOCK / 2; half > 0; half /= 2) {
      __syncthreads();
      if (t < half) claims[t] += claims[t + half];
    }
    if (t == 0) {
      seen.fired = claims[0];
      observed[simulation] = seen;
    }
    __syncthreads();  // claims are used again
  }
}
