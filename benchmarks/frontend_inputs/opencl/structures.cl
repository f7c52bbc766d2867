// Structs, unions, arrays in private memory, constants, functions that are called.
typedef struct { float3 position; float mass; int tag; } Body;
typedef struct { int count; Body first, second; uchar flags[7]; } Pair;
typedef union { uint u; float f; uchar4 b; } Word;
__constant float weights[9] = {1, 2, 1, 2, 4, 2, 1, 2, 1};
__constant int table[4][3] = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}, {10, 11, 12}};

__attribute__((noinline)) float energy(Body b) { return 0.5f * b.mass * dot(b.position, b.position); }
__attribute__((noinline)) Body move(Body b, float t) { b.position += t * (float3)(1, 2, 3); b.tag++; return b; }
__attribute__((noinline)) void fill(int *values, int n, int start) { for (int i = 0; i < n; ++i) values[i] = start + i * i; }

__kernel void bodies(__global Pair *pairs, __global float *out, Body extra) {
  int i = get_global_id(0);
  Pair p = pairs[i];
  p.first = move(p.first, 0.1f);
  p.second = move(extra, 0.2f);
  p.flags[i % 7] = p.count;
  out[i] = energy(p.first) + energy(p.second);
  pairs[i] = p;
}
__kernel void private_arrays(__global const int *in, __global int *out, int n) {
  int values[32], counts[8] = {0};
  fill(values, 32, in[get_global_id(0)]);
  for (int i = 0; i < n; ++i) counts[values[i & 31] & 7] += table[i & 3][i % 3];
  int best = 0;
  for (int i = 0; i < 8; ++i) best = max(best, counts[i]);
  out[get_global_id(0)] = best;
}
__kernel void blur(__global const uchar *in, __global uchar *out, int w, int h) {
  int x = get_global_id(0), y = get_global_id(1);
  float s = 0;
  for (int dy = -1; dy <= 1; ++dy)
    for (int dx = -1; dx <= 1; ++dx) s += weights[(dy + 1) * 3 + dx + 1] * in[clamp(y + dy, 0, h - 1) * w + clamp(x + dx, 0, w - 1)];
  Word word;
  word.f = s / 16.f;
  word.b.x ^= 1;
  out[y * w + x] = (uchar)(s / 16.f) + (word.u & 1);
}
