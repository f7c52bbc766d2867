// Long kernels: unrolled transforms, a stencil, n bodies, a hash.
#define BUTTERFLY(a, b, c, s) { float2 t = (float2)(c * b.x - s * b.y, c * b.y + s * b.x); b = a - t; a = a + t; }
__kernel void fourier8(__global const float2 *in, __global float2 *out, int n) {
  int i = get_global_id(0);
  float2 v[8];
#pragma unroll
  for (int j = 0; j < 8; ++j) v[j] = in[i + j * n];
#pragma unroll
  for (int j = 0; j < 4; ++j) BUTTERFLY(v[j], v[j + 4], 1.f, 0.f)
#pragma unroll
  for (int j = 0; j < 8; j += 4) { BUTTERFLY(v[j], v[j + 2], 1.f, 0.f) BUTTERFLY(v[j + 1], v[j + 3], 0.f, -1.f) }
#pragma unroll
  for (int j = 0; j < 8; j += 2) BUTTERFLY(v[j], v[j + 1], 0.70710678f, -0.70710678f)
#pragma unroll
  for (int j = 0; j < 8; ++j) out[i + j * n] = v[j];
}
__kernel void stencil(__global const float *restrict in, __global float *restrict out, int nx, int ny, int nz) {
  int x = get_global_id(0) + 1, y = get_global_id(1) + 1;
  size_t s = (size_t)nx * ny, at = s + y * nx + x;
  float below = in[at - s], here = in[at];
  for (int z = 1; z < nz - 1; ++z, at += s) {
    float above = in[at + s];
    out[at] = 0.4f * here + 0.1f * (below + above + in[at - 1] + in[at + 1] + in[at - nx] + in[at + nx]);
    below = here;
    here = above;
  }
}
__kernel void bodies(__global const float4 *p, __global float4 *v, __local float4 *near, float dt, int n) {
  int i = get_global_id(0), l = get_local_id(0), size = get_local_size(0);
  float4 own = p[i], force = (float4)(0);
  for (int tile = 0; tile < n; tile += size) {
    near[l] = p[tile + l];
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll 16
    for (int j = 0; j < size; ++j) {
      float4 d = near[j] - own;
      float r = d.x * d.x + d.y * d.y + d.z * d.z + 1e-4f, w = near[j].w / (r * r * r);
      force += w * d;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  v[i] += dt * force;
}
uint turn(uint x, int k) { return (x >> k) | (x << (32 - k)); }
__kernel void digest(__global const uint *in, __global uint *out) {
  int i = get_global_id(0);
  uint w[16], a = 1, b = 2, c = 3, d = 4;
#pragma unroll
  for (int t = 0; t < 16; ++t) w[t] = in[i * 16 + t];
#pragma unroll
  for (int t = 0; t < 64; ++t) {
    uint f = (b & c) ^ (~b & d), next = w[t & 15] + turn(a, 7) + f + 0x5a827999u * t;
    w[t & 15] ^= turn(w[(t + 2) & 15], 11) + (w[(t + 9) & 15] >> 3);
    d = c; c = b; b = a; a = next;
  }
  out[i] = a ^ b ^ c ^ d;
}
