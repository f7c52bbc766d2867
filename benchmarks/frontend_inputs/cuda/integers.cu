// Integer work: hashes, long numbers with carries, bit fields, bytes, random numbers.
__constant__ unsigned rounds[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 1, 2, 3, 4};
__device__ const unsigned char boxes[256] = {99, 124, 119, 123, 242, 107, 111, 197, 48, 1, 103, 43};
__device__ __forceinline__ unsigned turn(unsigned x, int n) { return __funnelshift_r(x, x, n); }

extern "C" __global__ void digest(const unsigned *in, unsigned *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned w[64], s[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
#pragma unroll
  for (int t = 0; t < 16; ++t) w[t] = __byte_perm(in[i * 16 + t], 0, 0x0123);
#pragma unroll
  for (int t = 16; t < 64; ++t) {
    unsigned a = turn(w[t - 15], 7) ^ turn(w[t - 15], 18) ^ (w[t - 15] >> 3), b = turn(w[t - 2], 17) ^ turn(w[t - 2], 19) ^ (w[t - 2] >> 10);
    w[t] = w[t - 16] + a + w[t - 7] + b;
  }
#pragma unroll
  for (int t = 0; t < 64; ++t) {
    unsigned e = turn(s[4], 6) ^ turn(s[4], 11) ^ turn(s[4], 25), ch = (s[4] & s[5]) ^ (~s[4] & s[6]);
    unsigned one = s[7] + e + ch + rounds[t] + w[t];
    unsigned a = turn(s[0], 2) ^ turn(s[0], 13) ^ turn(s[0], 22), major = (s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]);
    unsigned two = a + major;
    s[7] = s[6]; s[6] = s[5]; s[5] = s[4]; s[4] = s[3] + one; s[3] = s[2]; s[2] = s[1]; s[1] = s[0]; s[0] = one + two;
  }
#pragma unroll
  for (int t = 0; t < 8; ++t) out[i * 8 + t] = s[t];
}
template <int WORDS> __global__ void long_product(const unsigned *a, const unsigned *b, unsigned *c) {
  int at = (blockIdx.x * blockDim.x + threadIdx.x) * WORDS;
  unsigned sum[2 * WORDS] = {};
#pragma unroll
  for (int i = 0; i < WORDS; ++i) {
    unsigned x = a[at + i];
    asm volatile("{");
#pragma unroll
    for (int j = 0; j < WORDS - 1; j += 2) {
      asm volatile("mad.lo.cc.u32 %0, %2, %3, %0;\n\tmadc.hi.u32 %1, %2, %3, %1;" : "+r"(sum[i + j]), "+r"(sum[i + j + 1]) : "r"(x), "r"(b[at + j]));
      asm volatile("add.cc.u32 %0, %0, %2;\n\taddc.u32 %1, %1, 0;" : "+r"(sum[i + j]), "+r"(sum[i + j + 1]) : "r"(x >> 31));
    }
    asm volatile("}");
  }
#pragma unroll
  for (int i = 0; i < WORDS; ++i) c[at + i] = sum[i] ^ sum[WORDS + i];
}
template __global__ void long_product<8>(const unsigned *, const unsigned *, unsigned *);
template __global__ void long_product<16>(const unsigned *, const unsigned *, unsigned *);

extern "C" __global__ void bit_tricks(const unsigned *in, unsigned long long *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned x = in[i], y = in[i + n];
  unsigned long long z = ((unsigned long long)x << 32) | y;
  z += __popcll(z) + __clzll(z) + __brevll(z) + __ffs(x) + __clz(y) + __popc(x) + __brev(y) + __ffsll(z);
  z ^= __umulhi(x, y) + __mulhi(int(x), int(y)) + __umul64hi(z, z + 1) + __mul24(x, y) + __umul24(x, y) + __usad(x, y, 5) + __sad(x, y, 6);
  z += __vadd2(x, y) + __vabsdiffu4(x, y) + __vmaxs2(x, y) + __vcmpgtu4(x, y) + __vavgu2(x, y) + __dp4a(int(x), int(y), 3) + __dp2a_lo(int(x), int(y), 4);
  unsigned f, b, p, m;
  asm("bfe.u32 %0, %1, 5, 7;" : "=r"(f) : "r"(x));
  asm("bfi.b32 %0, %1, %2, 3, 9;" : "=r"(b) : "r"(x), "r"(y));
  asm("lop3.b32 %0, %1, %2, %3, 0x96;" : "=r"(p) : "r"(x), "r"(y), "r"(f));
  asm("vshl.u32.u32.u32.wrap.add %0, %1, %2, %3;" : "=r"(m) : "r"(x), "r"(y), "r"(f));
  out[i] = z + f * b + p - m + x / y + x % 7 + int(y) / 13 + (long long)z % 1000003 + clock() + clock64() + boxes[x & 255];
}
extern "C" __global__ void random_numbers(unsigned long long seed, float *out, int n) {
  unsigned long long s = seed + blockIdx.x * blockDim.x + threadIdx.x;
  for (int i = 0; i < n; ++i) {
    s ^= s << 13; s ^= s >> 7; s ^= s << 17;
    unsigned c[4] = {unsigned(s), unsigned(s >> 32), unsigned(i), 7}, k0 = 0xa4093822, k1 = 0x299f31d0;
#pragma unroll
    for (int r = 0; r < 10; ++r) {
      unsigned h0 = __umulhi(0xD2511F53u, c[0]), l0 = 0xD2511F53u * c[0], h1 = __umulhi(0xCD9E8D57u, c[2]), l1 = 0xCD9E8D57u * c[2];
      c[0] = h1 ^ c[1] ^ k0; c[1] = l1; c[2] = h0 ^ c[3] ^ k1; c[3] = l0; k0 += 0x9E3779B9; k1 += 0xBB67AE85;
    }
    out[threadIdx.x * n + i] = (c[0] >> 8) * 5.9604645e-8f;
  }
}
