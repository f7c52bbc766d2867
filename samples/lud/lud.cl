// LU decomposition of a row-major n x n matrix in place, without pivoting, in tiles of TILE x TILE.
// L has ones on its diagonal, which are not stored; n is a multiple of TILE.
// A step k0 = 0, TILE, 2 TILE, ... is one launch each of lud_diagonal (the tile at k0, k0),
// lud_perimeter (the tiles right of it and below it) and lud_internal (all tiles beyond).
#define TILE 16

// Factors one tile: TILE work items, one row an item.
__kernel void lud_diagonal(__global float *restrict a, int n, int k0) {
  __local float tile[TILE][TILE + 1];

  const int tx = get_local_id(0);
  __global float *corner = a + k0 * n + k0;
  for (int i = 0; i < TILE; ++i) {
    tile[i][tx] = corner[i * n + tx];
  }
  barrier(CLK_LOCAL_MEM_FENCE);

  for (int p = 0; p < TILE - 1; ++p) {
    if (tx > p) {
      const float factor = tile[tx][p] / tile[p][p];
      tile[tx][p] = factor;
      for (int j = p + 1; j < TILE; ++j) {
        tile[tx][j] -= factor * tile[p][j];
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE);  // row p + 1 is final
  }

  for (int i = 0; i < TILE; ++i) {
    corner[i * n + tx] = tile[i][tx];
  }
}

// Solves L * right = A (one column an item) and below * U = A (one row an item) with the L and
// the U of the tile at k0, for the tiles at distance 1 + group id: 2 * TILE work items.
__kernel void lud_perimeter(__global float *restrict a, int n, int k0) {
  __local float pivot[TILE][TILE];
  __local float right[TILE][TILE];
  __local float below[TILE][TILE + 1];

  const int tx = get_local_id(0);
  const int t = tx % TILE;
  const int far = k0 + (get_group_id(0) + 1) * TILE;
  for (int i = tx / TILE; i < TILE; i += 2) {
    pivot[i][t] = a[(k0 + i) * n + k0 + t];
    right[i][t] = a[(k0 + i) * n + far + t];
    below[i][t] = a[(far + i) * n + k0 + t];
  }
  barrier(CLK_LOCAL_MEM_FENCE);

  if (tx < TILE) {
    for (int i = 1; i < TILE; ++i) {
      float sum = right[i][t];
      for (int j = 0; j < i; ++j) {
        sum -= pivot[i][j] * right[j][t];
      }
      right[i][t] = sum;
    }
  } else {
    for (int j = 0; j < TILE; ++j) {
      float sum = below[t][j];
      for (int k = 0; k < j; ++k) {
        sum -= below[t][k] * pivot[k][j];
      }
      below[t][j] = sum / pivot[j][j];
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);

  for (int i = tx / TILE; i < TILE; i += 2) {
    a[(k0 + i) * n + far + t] = right[i][t];
    a[(far + i) * n + k0 + t] = below[i][t];
  }
}

// Takes below * right off each tile beyond: TILE x TILE work items, one element an item.
__kernel void lud_internal(__global float *restrict a, int n, int k0) {
  __local float below[TILE][TILE];
  __local float right[TILE][TILE];

  const int tx = get_local_id(0);
  const int ty = get_local_id(1);
  const int row = k0 + (get_group_id(1) + 1) * TILE + ty;
  const int column = k0 + (get_group_id(0) + 1) * TILE + tx;
  below[ty][tx] = a[row * n + k0 + tx];
  right[ty][tx] = a[(k0 + ty) * n + column];
  barrier(CLK_LOCAL_MEM_FENCE);

  float sum = 0.0f;
  for (int k = 0; k < TILE; ++k) {
    sum += below[ty][k] * right[k][tx];
  }
  a[row * n + column] -= sum;
}

// Multiplies the factors of each diagonal tile, to check them: TILE work items, one row an item.
__kernel void lud_product(__global const float *restrict a, __global float *restrict product,
                          int n) {
  __local float tile[TILE][TILE + 1];

  const int tx = get_local_id(0);
  const int group = get_group_id(0);
  __global const float *corner = a + group * TILE * (n + 1);
  for (int i = 0; i < TILE; ++i) {
    tile[i][tx] = corner[i * n + tx];
  }
  barrier(CLK_LOCAL_MEM_FENCE);

  for (int j = 0; j < TILE; ++j) {
    const int shorter = tx < j ? tx : j;
    float sum = tx <= j ? tile[tx][j] : tile[tx][j] * tile[j][j];
    for (int k = 0; k < shorter; ++k) {
      sum += tile[tx][k] * tile[k][j];
    }
    product[(group * TILE + tx) * TILE + j] = sum;
  }
}
