// LU decomposition of a square row-major matrix in place, without pivoting, in tiles of TILE x
// TILE. U has the diagonal; that of L is ones and is not stored. A step takes three launches: the
// tile on the diagonal at `first`, the tiles right of it and below it, and all tiles beyond.
#ifndef TILE
#define TILE 16
#endif

// Factors the tile on the diagonal, alternating between a column of L and the next row of U: TILE
// threads, of which those beyond the step work, each along a sum that grows with the steps. Rows
// of the tile are not padded, threads that go down a column of it meet in few banks.
extern "C" __global__ void lud_diagonal(float *matrix, int size, int first) {
  __shared__ float tile[TILE][TILE];

  const int t = threadIdx.x;
  float *corner = matrix + first * size + first;
  for (int i = 0; i < TILE; ++i) {
    tile[i][t] = corner[i * size + t];
  }
  __syncthreads();

  for (int step = 0; step < TILE - 1; ++step) {
    if (t > step) {
      for (int k = 0; k < step; ++k) {
        tile[t][step] -= tile[t][k] * tile[k][step];
      }
      tile[t][step] /= tile[step][step];
    }
    __syncthreads();  // column `step` of L is final
    if (t > step) {
      for (int k = 0; k <= step; ++k) {
        tile[step + 1][t] -= tile[step + 1][k] * tile[k][t];
      }
    }
    __syncthreads();  // row `step + 1` of U is final
  }

  for (int i = 1; i < TILE; ++i) {  // row 0 is as it was
    corner[i * size + t] = tile[i][t];
  }
}

// Solves for a tile of U right of the diagonal and for the tile of L that is as far below it: 2 *
// TILE threads, of which the first half takes a column of U each and the second half a row of L.
// With 32 threads the halves are the two sides of a branch in one warp.
extern "C" __global__ void lud_perimeter(float *matrix, int size, int first) {
  __shared__ float pivot[TILE][TILE];
  __shared__ float upper[TILE][TILE];
  __shared__ float lower[TILE][TILE];

  const bool is_upper = threadIdx.x < TILE;
  const int t = threadIdx.x % TILE;
  const int far = first + (blockIdx.x + 1) * TILE;
  if (is_upper) {
    for (int i = 0; i < TILE / 2; ++i) {
      pivot[i][t] = matrix[(first + i) * size + first + t];
    }
    for (int i = 0; i < TILE; ++i) {
      upper[i][t] = matrix[(first + i) * size + far + t];
    }
  } else {
    for (int i = TILE / 2; i < TILE; ++i) {
      pivot[i][t] = matrix[(first + i) * size + first + t];
    }
    for (int i = 0; i < TILE; ++i) {
      lower[i][t] = matrix[(far + i) * size + first + t];
    }
  }
  __syncthreads();

  if (is_upper) {
    for (int i = 1; i < TILE; ++i) {
      for (int k = 0; k < i; ++k) {
        upper[i][t] -= pivot[i][k] * upper[k][t];
      }
    }
  } else {
    for (int j = 0; j < TILE; ++j) {
      for (int k = 0; k < j; ++k) {
        lower[t][j] -= lower[t][k] * pivot[k][j];
      }
      lower[t][j] /= pivot[j][j];
    }
  }
  __syncthreads();  // rows of L are stored by columns

  if (is_upper) {
    for (int i = 1; i < TILE; ++i) {
      matrix[(first + i) * size + far + t] = upper[i][t];
    }
  } else {
    for (int i = 0; i < TILE; ++i) {
      matrix[(far + i) * size + first + t] = lower[i][t];
    }
  }
}

// Takes the product of two tiles of the perimeter off a tile beyond: TILE x TILE threads, one
// element a thread.
extern "C" __global__ void lud_internal(float *matrix, int size, int first) {
  __shared__ float upper[TILE][TILE];
  __shared__ float lower[TILE][TILE];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = first + (blockIdx.y + 1) * TILE + ty;
  const int column = first + (blockIdx.x + 1) * TILE + tx;
  upper[ty][tx] = matrix[(first + ty) * size + column];
  lower[ty][tx] = matrix[row * size + first + tx];
  __syncthreads();

  float sum = 0.0f;
  for (int k = 0; k < TILE; ++k) {
    sum += lower[ty][k] * upper[k][tx];
  }
  matrix[row * size + column] -= sum;
}
