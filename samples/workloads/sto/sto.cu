// MD5 of parts of a file, as a store does that looks for contents it has already: of windows that
// start at every word and overlap, and of segments one after the other. Bytes are in words with
// the first one lowest, as MD5 takes them. CTAs stage what they hash in dynamic shared memory.

#ifndef UNROLL
#define UNROLL 16  // steps in one turn of a round's loop; with 16 a thread's words are registers
#endif
#ifndef ROW
#define ROW 17  // words from one segment's part to the next in shared memory; 16 has bank conflicts
#endif
#define CHUNK 16  // words that one turn of MD5 takes

constexpr int unroll = UNROLL;  // the pragma takes no macro

__constant__ unsigned int sines[64];    // 2^32 |sin|, a step's constant
__constant__ unsigned int padding[18];  // what ends a message: a bit, zeros and its length

struct Digest {
  unsigned int a, b, c, d;
};

// One step: the sum is turned, and the four words change places.
inline __device__ void step(Digest &state, unsigned int mixed, unsigned int word, unsigned int sine,
                            int turn) {
  const unsigned int sum = state.a + mixed + word + sine;
  state.a = state.d;
  state.d = state.c;
  state.c = state.b;
  state.b += sum << turn | sum >> (32 - turn);
}

// How far a step turns: each round has four distances, used one after the other.
inline __device__ int turn_of(int step, int first, int second, int third, int fourth) {
  const int place = step & 3;
  return place == 0 ? first : place == 1 ? second : place == 2 ? third : fourth;
}

// Takes 16 words into the state: four rounds, which mix three words of it in their own ways.
inline __device__ void md5_turn(Digest &state, const unsigned int *words) {
  Digest s = state;
#pragma unroll unroll
  for (int i = 0; i < CHUNK; ++i) {
    const unsigned int mixed = (s.b & s.c) | (~s.b & s.d);
    step(s, mixed, words[i], sines[i], turn_of(i, 7, 12, 17, 22));
  }
#pragma unroll unroll
  for (int i = 0; i < CHUNK; ++i) {
    const unsigned int mixed = (s.d & s.b) | (~s.d & s.c);
    step(s, mixed, words[(5 * i + 1) & 15], sines[16 + i], turn_of(i, 5, 9, 14, 20));
  }
#pragma unroll unroll
  for (int i = 0; i < CHUNK; ++i) {
    const unsigned int mixed = s.b ^ s.c ^ s.d;
    step(s, mixed, words[(3 * i + 5) & 15], sines[32 + i], turn_of(i, 4, 11, 16, 23));
  }
#pragma unroll unroll
  for (int i = 0; i < CHUNK; ++i) {
    const unsigned int mixed = s.c ^ (s.b | ~s.d);
    step(s, mixed, words[7 * i & 15], sines[48 + i], turn_of(i, 6, 10, 15, 21));
  }
  state.a += s.a;
  state.b += s.b;
  state.c += s.c;
  state.d += s.d;
}

// Hashes the window that starts at each word. Threads whose window does not fit leave after the
// barrier. The padding after a window is the same for all of them.
extern "C" __global__ void sto_sliding(const unsigned int *__restrict__ data,
                                       Digest *__restrict__ digests, int count, int window) {
  extern __shared__ unsigned int staged[];  // blockDim.x + window - 1 words
  const int first = blockIdx.x * blockDim.x;
  const int needed = blockDim.x + window - 1;
  for (int i = threadIdx.x; i < needed && first + i < count; i += blockDim.x) {
    staged[i] = data[first + i];
  }
  __syncthreads();
  const int mine = first + threadIdx.x;
  if (mine + window > count) {
    return;
  }

  const unsigned int *message = staged + threadIdx.x;
  Digest state = {0x67452301u, 0xefcdab89u, 0x98badcfeu, 0x10325476u};
  for (int from = 0; from < window + 3; from += CHUNK) {
    unsigned int words[CHUNK];
    if (from + CHUNK <= window) {
#pragma unroll
      for (int i = 0; i < CHUNK; ++i) {
        words[i] = message[from + i];
      }
    } else {
#pragma unroll
      for (int i = 0; i < CHUNK - 1; ++i) {
        const int at = from + i;
        words[i] = at < window ? message[at] : padding[at - window];
      }
      words[CHUNK - 1] = padding[from + CHUNK - 1 - window];  // else the words would be whole
    }
    md5_turn(state, words);
  }
  digests[mine] = state;
}

// Hashes segments that do not overlap, a thread one. The CTA stages 16 words of each of its
// segments at a time, so that neighbours read neighbouring words.
extern "C" __global__ void sto_direct(const unsigned int *__restrict__ data,
                                      Digest *__restrict__ digests, int segments, int length) {
  extern __shared__ unsigned int staged[];  // ROW words a thread
  const int first = blockIdx.x * blockDim.x;
  const int mine = first + threadIdx.x;
  Digest state = {0x67452301u, 0xefcdab89u, 0x98badcfeu, 0x10325476u};
  for (int from = 0; from < length + 3; from += CHUNK) {
    for (int i = threadIdx.x; i < CHUNK * blockDim.x; i += blockDim.x) {
      const int owner = i / CHUNK;
      const int at = from + i % CHUNK;
      if (first + owner < segments) {
        const int place = (first + owner) * length + at;
        staged[owner * ROW + i % CHUNK] = at < length ? data[place] : padding[at - length];
      }
    }
    __syncthreads();
    if (mine < segments) {
      unsigned int words[CHUNK];
#pragma unroll
      for (int i = 0; i < CHUNK; ++i) {
        words[i] = staged[threadIdx.x * ROW + i];
      }
      md5_turn(state, words);
    }
    __syncthreads();
  }
  if (mine < segments) {
    digests[mine] = state;
  }
}
