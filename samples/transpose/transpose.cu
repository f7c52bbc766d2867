// out = transpose of in, through a TILE x TILE tile in shared memory; in has rows x columns.
// A block is TILE x STEP threads, each of which moves TILE / STEP elements.
// The tile has one column too many, so that reading down a column touches every bank once.
#include "../common/cuda_words.h"

#define TILE 32
#define STEP 8

extern "C" __global__ void transpose(const float *__restrict__ in, float *__restrict__ out,
                                     int rows, int columns) {
  __shared__ float tile[TILE][TILE + 1];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row0 = blockIdx.y * TILE;
  const int column0 = blockIdx.x * TILE;

  for (int j = 0; j < TILE; j += STEP) {
    const int row = row0 + ty + j;
    const int column = column0 + tx;
    if (row < rows && column < columns) {
      tile[ty + j][tx] = in[row * columns + column];
    }
  }
  __syncthreads();

  for (int j = 0; j < TILE; j += STEP) {
    const int row = row0 + tx;
    const int column = column0 + ty + j;
    if (row < rows && column < columns) {
      out[column * rows + row] = tile[tx][ty + j];
    }
  }
}
