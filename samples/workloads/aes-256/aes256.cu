// AES with 256-bit keys over whole files: counter mode, and deciphering of chained blocks. A thread
// has a block of 16 bytes, four words with row 0 lowest, in registers. Tables that join
// substitution and column mixing are in shared memory, where the data decide which banks meet;
// round keys are in constant memory, the same for all threads.
#ifndef TRIPS
#define TRIPS(n) (n)
#endif
#define BLOCK 128  // threads of a CTA
#define ROUNDS 14

__constant__ unsigned int encrypt_keys[4 * (ROUNDS + 1)];
__constant__ unsigned int decrypt_keys[4 * (ROUNDS + 1)];
__constant__ unsigned int start[4];  // first counter, or what the first block is chained to

inline __device__ unsigned int row_of(unsigned int word, int row) { return word >> 8 * row & 255; }

inline __device__ unsigned int swapped(unsigned int word) {
  return __byte_perm(word, 0, 0x0123);
}

// A column of a middle round. Rows come from columns that lie 0 to 3 places further.
inline __device__ unsigned int mixed(const unsigned int (*tables)[256], unsigned int a,
                                     unsigned int b, unsigned int c, unsigned int d) {
  return tables[0][row_of(a, 0)] ^ tables[1][row_of(b, 1)] ^ tables[2][row_of(c, 2)] ^
         tables[3][row_of(d, 3)];
}

// A column of the last round: substitution alone.
inline __device__ unsigned int substituted(const unsigned char *box, unsigned int a, unsigned int b,
                                           unsigned int c, unsigned int d) {
  return box[row_of(a, 0)] | box[row_of(b, 1)] << 8 | box[row_of(c, 2)] << 16 |
         (unsigned int)box[row_of(d, 3)] << 24;
}

inline __device__ uint4 with_key(uint4 state, const unsigned int *keys, int round) {
  return make_uint4(state.x ^ keys[4 * round], state.y ^ keys[4 * round + 1],
                    state.z ^ keys[4 * round + 2], state.w ^ keys[4 * round + 3]);
}

// Takes tables and box to shared memory; all threads of the CTA take part.
inline __device__ void load_tables(unsigned int (*tables)[256], unsigned char *box,
                                   const unsigned int *__restrict__ all_tables,
                                   const unsigned char *__restrict__ all_box) {
  for (int i = threadIdx.x; i < 4 * 256; i += BLOCK) tables[i >> 8][i & 255] = all_tables[i];
  for (int i = threadIdx.x; i < 256; i += BLOCK) box[i] = all_box[i];
  __syncthreads();
}

// Enciphers a counter a block, and joins it with the data: deciphering is the same. The counter is
// a number of 128 bits whose highest byte comes first; carries beyond the lowest 32 bits are rare.
extern "C" __global__ void aes256_ctr(const uint4 *__restrict__ data, uint4 *__restrict__ out,
                                      const unsigned int *__restrict__ all_tables,
                                      const unsigned char *__restrict__ all_box, int blocks) {
  __shared__ unsigned int tables[4][256];
  __shared__ unsigned char box[256];
  load_tables(tables, box, all_tables, all_box);
  const int i = blockIdx.x * BLOCK + threadIdx.x;
  if (i >= blocks) return;

  unsigned int number[4];
  for (int part = 0; part < 4; ++part) number[part] = swapped(start[part]);
  number[3] += i;
  if (number[3] < (unsigned int)i) {
    for (int part = 2; part >= 0; --part) {
      if (++number[part] != 0) break;
    }
  }
  uint4 state = make_uint4(swapped(number[0]), swapped(number[1]), swapped(number[2]),
                           swapped(number[3]));
  state = with_key(state, encrypt_keys, 0);
#pragma unroll 1
  for (int round = 1; round < TRIPS(ROUNDS); ++round) {
    const uint4 s = state;
    state = make_uint4(mixed(tables, s.x, s.y, s.z, s.w), mixed(tables, s.y, s.z, s.w, s.x),
                       mixed(tables, s.z, s.w, s.x, s.y), mixed(tables, s.w, s.x, s.y, s.z));
    state = with_key(state, encrypt_keys, round);
  }
  const uint4 s = state;
  state = make_uint4(substituted(box, s.x, s.y, s.z, s.w), substituted(box, s.y, s.z, s.w, s.x),
                     substituted(box, s.z, s.w, s.x, s.y), substituted(box, s.w, s.x, s.y, s.z));
  state = with_key(state, encrypt_keys, ROUNDS);
  const uint4 given = data[i];
  out[i] = make_uint4(state.x ^ given.x, state.y ^ given.y, state.z ^ given.z, state.w ^ given.w);
}

// Deciphers chained blocks by the equivalent inverse cipher: each is joined with the enciphered one
// before, the first with a start of its own.
extern "C" __global__ void aes256_cbc_decrypt(const uint4 *__restrict__ data,
                                              uint4 *__restrict__ out,
                                              const unsigned int *__restrict__ all_tables,
                                              const unsigned char *__restrict__ all_box,
                                              int blocks) {
  __shared__ unsigned int tables[4][256];
  __shared__ unsigned char box[256];
  load_tables(tables, box, all_tables, all_box);
  const int i = blockIdx.x * BLOCK + threadIdx.x;
  if (i >= blocks) return;

  uint4 state = with_key(data[i], decrypt_keys, 0);
#pragma unroll 1
  for (int round = 1; round < TRIPS(ROUNDS); ++round) {
    const uint4 s = state;
    state = make_uint4(mixed(tables, s.x, s.w, s.z, s.y), mixed(tables, s.y, s.x, s.w, s.z),
                       mixed(tables, s.z, s.y, s.x, s.w), mixed(tables, s.w, s.z, s.y, s.x));
    state = with_key(state, decrypt_keys, round);
  }
  const uint4 s = state;
  state = make_uint4(substituted(box, s.x, s.w, s.z, s.y), substituted(box, s.y, s.x, s.w, s.z),
                     substituted(box, s.z, s.y, s.x, s.w), substituted(box, s.w, s.z, s.y, s.x));
  state = with_key(state, decrypt_keys, ROUNDS);
  uint4 before = make_uint4(start[0], start[1], start[2],
                            start[3]);
  if (i > 0) before = data[i - 1];
  out[i] = make_uint4(state.x ^ before.x, state.y ^ before.y, state.z ^ before.z,
                      state.w ^ before.w);
}
