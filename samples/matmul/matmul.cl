// c = a * b for square row-major matrices, through 16 x 16 tiles in local memory.
// n is a multiple of TILE; a work group is TILE x TILE work items and computes one tile of c.
#define TILE 16

__kernel __attribute__((reqd_work_group_size(TILE, TILE, 1)))
void matmul(__global const float *restrict a, __global const float *restrict b,
            __global float *restrict c, int n) {
  __local float a_tile[TILE][TILE];
  __local float b_tile[TILE][TILE];

  const int tx = get_local_id(0);
  const int ty = get_local_id(1);
  const int row = get_group_id(1) * TILE + ty;
  const int column = get_group_id(0) * TILE + tx;

  float sum = 0.0f;
  for (int k0 = 0; k0 < n; k0 += TILE) {
    a_tile[ty][tx] = a[row * n + k0 + tx];
    b_tile[ty][tx] = b[(k0 + ty) * n + column];
    barrier(CLK_LOCAL_MEM_FENCE);  // both tiles are complete
    for (int k = 0; k < TILE; ++k) {
      sum += a_tile[ty][k] * b_tile[k][tx];
    }
    barrier(CLK_LOCAL_MEM_FENCE);  // both tiles may be overwritten
  }
  c[row * n + column] = sum;
}
