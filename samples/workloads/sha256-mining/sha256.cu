// Mining: looks for numbers (nonces) in the header of a block for which SHA-256 of SHA-256 of the
// header is small. The first 64 of its 80 bytes are the same for all nonces: the host has digested
// them. Left are a chunk with the nonce, and the digest of the digest.
#ifndef TRIPS
#define TRIPS(n) (n)
#endif
#define ROUNDS 64
#define SWEPT 16  // rounds that go once through the sixteen words of a message

__constant__ unsigned int round_constants[ROUNDS];
__constant__ unsigned int start[8];    // the state that SHA-256 begins with
__constant__ unsigned int midway[8];   // the state after the header's first 64 bytes
__constant__ unsigned int tail[3];     // the next words of the header, up to the nonce
__constant__ unsigned int target[8];   // what a digest is compared with, its highest word first

inline __device__ unsigned int turned(unsigned int word, int by) {
  return __funnelshift_r(word, word, by);
}

inline __device__ unsigned int swapped(unsigned int word) {
  return __byte_perm(word, 0, 0x0123);
}

// Digests a chunk of sixteen words into the state. The words are changed on the way: each sweep of
// 16 rounds uses them, and but for the last one makes those of the next sweep in their places.
inline __device__ void digest(unsigned int *state, unsigned int *word) {
  unsigned int a = state[0], b = state[1], c = state[2], d = state[3];
  unsigned int e = state[4], f = state[5], g = state[6], h = state[7];
#pragma unroll 1
  for (int sweep = 0; sweep < TRIPS(ROUNDS / SWEPT); ++sweep) {
#pragma unroll
    for (int i = 0; i < SWEPT; ++i) {
      const unsigned int choice = (e & f) ^ (~e & g);
      const unsigned int majority = (a & b) ^ (a & c) ^ (b & c);
      const unsigned int mixed_e = turned(e, 6) ^ turned(e, 11) ^ turned(e, 25);
      const unsigned int mixed_a = turned(a, 2) ^ turned(a, 13) ^ turned(a, 22);
      const unsigned int constant = round_constants[SWEPT * sweep + i];
      const unsigned int first = h + mixed_e + choice + constant + word[i];
      h = g;
      g = f;
      f = e;
      e = d + first;
      d = c;
      c = b;
      b = a;
      a = first + mixed_a + majority;
    }
    if (sweep == ROUNDS / SWEPT - 1) break;
#pragma unroll
    for (int i = 0; i < SWEPT; ++i) {
      const unsigned int far = word[(i + 1) & 15];
      const unsigned int near = word[(i + 14) & 15];
      word[i] += (turned(far, 7) ^ turned(far, 18) ^ far >> 3) + word[(i + 9) & 15] +
                 (turned(near, 17) ^ turned(near, 19) ^ near >> 10);
    }
  }
  state[0] += a;
  state[1] += b;
  state[2] += c;
  state[3] += d;
  state[4] += e;
  state[5] += f;
  state[6] += g;
  state[7] += h;
}

// The digest of the digest of the header with a nonce, as words.
inline __device__ void digest_twice(unsigned int *state, unsigned int nonce) {
  unsigned int word[16];
#pragma unroll
  for (int i = 0; i < 8; ++i) state[i] = midway[i];
#pragma unroll
  for (int i = 0; i < 3; ++i) word[i] = tail[i];
  word[3] = swapped(nonce);
  word[4] = 0x80000000u;  // a bit after the end, and the length at the chunk's end
#pragma unroll
  for (int i = 5; i < 15; ++i) word[i] = 0;
  word[15] = 80 * 8;
  digest(state, word);

#pragma unroll
  for (int i = 0; i < 8; ++i) {
    word[i] = state[i];
    state[i] = start[i];
  }
  word[8] = 0x80000000u;
#pragma unroll
  for (int i = 9; i < 15; ++i) word[i] = 0;
  word[15] = 32 * 8;
  digest(state, word);
}

// A digest is a number whose lowest byte comes first: its highest word is the last one.
inline __device__ bool small_enough(const unsigned int *state) {
#pragma unroll 1
  for (int i = 0; i < 8; ++i) {
    const unsigned int part = swapped(state[7 - i]);
    if (part != target[i]) return part < target[i];
  }
  return true;
}

// Tries nonces: a thread has some of its own, a CTA's threads side by side, and leaves at the first
// that is found. The lowest of all, how many there are and the exclusive or of the last words of
// all digests (a checksum of the work that was done) do not depend on the order of threads.
extern "C" __global__ void mine(unsigned int *lowest, unsigned int *found, unsigned int *checksum,
                                unsigned int first, int each) {
  __shared__ unsigned int sum;
  if (threadIdx.x == 0) sum = 0;
  __syncthreads();
  unsigned int mine_sum = 0;
  const unsigned int from = first + blockIdx.x * blockDim.x * each + threadIdx.x;
  for (int i = 0; i < TRIPS(each); ++i) {
    const unsigned int nonce = from + i * blockDim.x;
    unsigned int state[8];
    digest_twice(state, nonce);
    mine_sum ^= state[7];
    if (swapped(state[7]) <= target[0] && small_enough(state)) {
      atomicMin(lowest, nonce);
      atomicAdd(found, 1);
      break;
    }
  }
  atomicXor(&sum, mine_sum);
  __syncthreads();
  if (threadIdx.x == 0) atomicXor(checksum, sum);
}
