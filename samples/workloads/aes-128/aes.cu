// AES with 128-bit keys over blocks on their own (ECB). A thread has one column of a block, a word
// of four bytes with row 0 lowest; the four columns meet in shared memory after every round. The
// host makes the tables, which join substitution and column mixing, and expands the keys, which
// are fetched through a texture, a word a thread and round.

#ifndef BLOCK
#define BLOCK 256  // threads of a CTA: 4 to 256, a power of two
#endif
#ifndef UNROLL
#define UNROLL 1  // rounds in one turn of the loop; those between the first and the last are 9
#endif
#define ROUNDS 10

constexpr int unroll = UNROLL;  // the pragma takes no macro

// Places are those of the bytes that a column takes its rows from, within a block: shifted rows.
__constant__ unsigned int encrypt_tables[4][256];
__constant__ int encrypt_places[16];

__constant__ unsigned int decrypt_tables[4][256];
__constant__ int decrypt_places[16];
__constant__ unsigned char inverse_box[256];

// One column of a middle round, without its key: the bytes decide where tables are read.
inline __device__ unsigned int mixed_column(const unsigned int (*tables)[256],
                                            const unsigned char *state, const int *places) {
  return tables[0][state[places[0]]] ^ tables[1][state[places[1]]] ^
         tables[2][state[places[2]]] ^ tables[3][state[places[3]]];
}

// Encrypts: row 0 of table 2, row 1 of table 3 and so on are the plain substitution of the last
// round, as the mixing matrix has a 1 there. Twelve barriers: after loading, after the key that
// comes before the first round, and after each round; the last one's state is stored after it.
extern "C" __global__ void aes_encrypt(const unsigned int *__restrict__ plain,
                                       unsigned int *__restrict__ cipher, int words,
                                       cudaTextureObject_t keys) {
  __shared__ unsigned int tables[4][256];
  __shared__ unsigned int state[2][BLOCK];
  const int t = threadIdx.x;
  const int word = blockIdx.x * BLOCK + t;
  for (int i = 0; i < 256; i += BLOCK) {
    tables[0][i + t] = encrypt_tables[0][i + t];
    tables[1][i + t] = encrypt_tables[1][i + t];
    tables[2][i + t] = encrypt_tables[2][i + t];
    tables[3][i + t] = encrypt_tables[3][i + t];
  }
  const int column = t & 3;
  int places[4];
  for (int row = 0; row < 4; ++row) {
    places[row] = 4 * (t - column) + encrypt_places[4 * column + row];
  }
  state[1][t] = word < words ? plain[word] : 0;
  __syncthreads();

  state[0][t] = state[1][t] ^ tex1Dfetch<unsigned int>(keys, column);
  __syncthreads();

#pragma unroll unroll
  for (int round = 1; round < ROUNDS; ++round) {
    const unsigned char *from = (const unsigned char *)state[(round - 1) & 1];
    state[round & 1][t] = mixed_column(tables, from, places) ^
                          tex1Dfetch<unsigned int>(keys, 4 * round + column);
    __syncthreads();
  }

  const unsigned char *last = (const unsigned char *)state[(ROUNDS - 1) & 1];
  const unsigned int substituted = (tables[2][last[places[0]]] & 0x000000ffu) |
                                   (tables[3][last[places[1]]] & 0x0000ff00u) |
                                   (tables[0][last[places[2]]] & 0x00ff0000u) |
                                   (tables[1][last[places[3]]] & 0xff000000u);
  state[ROUNDS & 1][t] = substituted ^ tex1Dfetch<unsigned int>(keys, 4 * ROUNDS + column);
  __syncthreads();

  if (word < words) cipher[word] = state[ROUNDS & 1][t];
}

// Decrypts: the equivalent inverse cipher, whose middle keys the host has put through the inverse
// mixing. No entry of the inverse matrix is 1, so that the last round needs a table of its own.
extern "C" __global__ void aes_decrypt(const unsigned int *__restrict__ cipher,
                                       unsigned int *__restrict__ plain, int words,
                                       cudaTextureObject_t keys) {
  __shared__ unsigned int tables[4][256];
  __shared__ unsigned int state[2][BLOCK];
  __shared__ unsigned char box[256];
  const int t = threadIdx.x;
  const int word = blockIdx.x * BLOCK + t;
  for (int i = 0; i < 256; i += BLOCK) {
    tables[0][i + t] = decrypt_tables[0][i + t];
    tables[1][i + t] = decrypt_tables[1][i + t];
    tables[2][i + t] = decrypt_tables[2][i + t];
    tables[3][i + t] = decrypt_tables[3][i + t];
    box[i + t] = inverse_box[i + t];
  }
  const int column = t & 3;
  int places[4];
  for (int row = 0; row < 4; ++row) {
    places[row] = 4 * (t - column) + decrypt_places[4 * column + row];
  }
  state[1][t] = word < words ? cipher[word] : 0;
  __syncthreads();

  state[0][t] = state[1][t] ^ tex1Dfetch<unsigned int>(keys, column);
  __syncthreads();

#pragma unroll unroll
  for (int round = 1; round < ROUNDS; ++round) {
    const unsigned char *from = (const unsigned char *)state[(round - 1) & 1];
    state[round & 1][t] = mixed_column(tables, from, places) ^
                          tex1Dfetch<unsigned int>(keys, 4 * round + column);
    __syncthreads();
  }

  const unsigned char *last = (const unsigned char *)state[(ROUNDS - 1) & 1];
  const unsigned int substituted = box[last[places[0]]] | box[last[places[1]]] << 8 |
                                   box[last[places[2]]] << 16 |
                                   (unsigned int)box[last[places[3]]] << 24;
  state[ROUNDS & 1][t] = substituted ^ tex1Dfetch<unsigned int>(keys, 4 * ROUNDS + column);
  __syncthreads();

  if (word < words) plain[word] = state[ROUNDS & 1][t];
}
