// Matrix work: tiled products, transposition, a product with vector loads.
#define TILE 16
__kernel void product(__global const float *a, __global const float *b, __global float *c, int n) {
  __local float ta[TILE][TILE], tb[TILE][TILE];
  int x = get_local_id(0), y = get_local_id(1), col = get_global_id(0), row = get_global_id(1);
  float sum = 0.f;
  for (int t = 0; t < n; t += TILE) {
    ta[y][x] = a[row * n + t + x];
    tb[y][x] = b[(t + y) * n + col];
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
    for (int k = 0; k < TILE; ++k) sum = mad(ta[y][k], tb[k][x], sum);
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  c[row * n + col] = sum;
}
__kernel __attribute__((reqd_work_group_size(8, 8, 1))) void product4(__global const float4 *a, __global const float4 *b, __global float4 *c, int n4) {
  int col = get_global_id(0), row = get_global_id(1) * 4;
  float4 sum[4] = {(float4)(0), (float4)(0), (float4)(0), (float4)(0)};
  for (int k = 0; k < n4; ++k) {
    float4 r0 = b[(k * 4) * n4 + col], r1 = b[(k * 4 + 1) * n4 + col], r2 = b[(k * 4 + 2) * n4 + col], r3 = b[(k * 4 + 3) * n4 + col];
    for (int i = 0; i < 4; ++i) {
      float4 v = a[(row + i) * n4 + k];
      sum[i] += v.x * r0 + v.y * r1 + v.z * r2 + v.w * r3;
    }
  }
  for (int i = 0; i < 4; ++i) c[(row + i) * n4 + col] = sum[i];
}
__kernel void turn(__global const double *in, __global double *out, __local double *tile, int w, int h) {
  int x = get_local_id(0), y = get_local_id(1), s = get_local_size(0);
  tile[y * (s + 1) + x] = in[(get_group_id(1) * s + y) * w + get_group_id(0) * s + x];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[(get_group_id(0) * s + y) * h + get_group_id(1) * s + x] = tile[x * (s + 1) + y];
}
