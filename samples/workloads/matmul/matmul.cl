// c = a * b for row-major matrices of any shape, through square tiles in local memory.
// A work group is TILE x TILE work items and computes one tile of c; the three sizes of the problem
// are multiples of TILE. `width` is that of b and c, `inner` that of a.
#ifndef TILE
#define TILE 16
#endif

// One element of c a work item: a loop over pairs of tiles, with a barrier before and after their
// use.
__kernel void matmul(__global const float *restrict a, __global const float *restrict b,
                     __global float *restrict c, int width, int inner) {
  __local float a_tile[TILE][TILE];
  __local float b_tile[TILE][TILE];

  const int tx = get_local_id(0);
  const int ty = get_local_id(1);
  const int row = get_group_id(1) * TILE + ty;
  const int column = get_group_id(0) * TILE + tx;

  float sum = 0.0f;
#pragma unroll 1  // a loop over pairs of tiles, whatever TILE is
  for (int k0 = 0; k0 < inner; k0 += TILE) {
    a_tile[ty][tx] = a[row * inner + k0 + tx];
    b_tile[ty][tx] = b[(k0 + ty) * width + column];
    barrier(CLK_LOCAL_MEM_FENCE);  // both tiles are complete
    for (int k = 0; k < TILE; ++k) {
      sum += a_tile[ty][k] * b_tile[k][tx];
    }
    barrier(CLK_LOCAL_MEM_FENCE);  // both tiles may be overwritten
  }
  c[row * width + column] = sum;
}
