// LU decomposition of a row-major n x n matrix in place, without pivoting, in tiles of TILE x TILE.
// L has ones on its diagonal, which are not stored; n is a multiple of TILE.
// A step k0 = 0, TILE, 2 TILE, ... is one launch each of lud_diagonal (the tile at k0, k0),
// lud_perimeter (the tiles right of it and below it) and lud_internal (all tiles beyond).
#include "../common/cuda_words.h"

#define TILE 16

// Factors one tile: TILE threads, one row a thread.
extern "C" __global__ void lud_diagonal(float *__restrict__ a, int n, int k0) {
  __shared__ float tile[TILE][TILE + 1];

  const int tx = threadIdx.x;
  float *corner = a + k0 * n + k0;
  for (int i = 0; i < TILE; ++i) {
    tile[i][tx] = corner[i * n + tx];
  }
  __syncthreads();

  for (int p = 0; p < TILE - 1; ++p) {
    if (tx > p) {
      const float factor = tile[tx][p] / tile[p][p];
      tile[tx][p] = factor;
      for (int j = p + 1; j < TILE; ++j) {
        tile[tx][j] -= factor * tile[p][j];
      }
    }
    __syncthreads();  // row p + 1 is final
  }

  for (int i = 0; i < TILE; ++i) {
    corner[i * n + tx] = tile[i][tx];
  }
}

// Solves L * right = A (one column a thread) and below * U = A (one row a thread) with the L and
// the U of the tile at k0, for the tiles at distance 1 + blockIdx.x: 2 * TILE threads.
extern "C" __global__ void lud_perimeter(float *__restrict__ a, int n, int k0) {
  __shared__ float pivot[TILE][TILE];
  __shared__ float right[TILE][TILE];
  __shared__ float below[TILE][TILE + 1];

  const int t = threadIdx.x % TILE;
  const int far = k0 + (blockIdx.x + 1) * TILE;
  for (int i = threadIdx.x / TILE; i < TILE; i += 2) {
    pivot[i][t] = a[(k0 + i) * n + k0 + t];
    right[i][t] = a[(k0 + i) * n + far + t];
    below[i][t] = a[(far + i) * n + k0 + t];
  }
  __syncthreads();

  if (threadIdx.x < TILE) {
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
  __syncthreads();

  for (int i = threadIdx.x / TILE; i < TILE; i += 2) {
    a[(k0 + i) * n + far + t] = right[i][t];
    a[(far + i) * n + k0 + t] = below[i][t];
  }
}

// Takes below * right off each tile beyond: TILE x TILE threads, one element a thread.
extern "C" __global__ void lud_internal(float *__restrict__ a, int n, int k0) {
  __shared__ float below[TILE][TILE];
  __shared__ float right[TILE][TILE];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = k0 + (blockIdx.y + 1) * TILE + ty;
  const int column = k0 + (blockIdx.x + 1) * TILE + tx;
  below[ty][tx] = a[row * n + k0 + tx];
  right[ty][tx] = a[(k0 + ty) * n + column];
  __syncthreads();

  float sum = 0.0f;
  for (int k = 0; k < TILE; ++k) {
    sum += below[ty][k] * right[k][tx];
  }
  a[row * n + column] -= sum;
}

// Multiplies the factors of each diagonal tile, to check them: TILE threads, one row a thread.
extern "C" __global__ void lud_product(const float *__restrict__ a, float *__restrict__ product,
                                       int n) {
  __shared__ float tile[TILE][TILE + 1];

  const int tx = threadIdx.x;
  const float *corner = a + blockIdx.x * TILE * (n + 1);
  for (int i = 0; i < TILE; ++i) {
    tile[i][tx] = corner[i * n + tx];
  }
  __syncthreads();

  for (int j = 0; j < TILE; ++j) {
    const int shorter = tx < j ? tx : j;
    float sum = tx <= j ? tile[tx][j] : tile[tx][j] * tile[j][j];
    for (int k = 0; k < shorter; ++k) {
      sum += tile[tx][k] * tile[k][j];
    }
    product[(blockIdx.x * TILE + tx) * TILE + j] = sum;
  }
}
