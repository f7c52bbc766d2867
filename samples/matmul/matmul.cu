// c = a * b for square row-major matrices, through 16 x 16 tiles in shared memory.
// n is a multiple of TILE; a block is TILE x TILE threads and computes one tile of c.
#include "../common/cuda_words.h"

#define TILE 16

extern "C" __global__ void __launch_bounds__(TILE *TILE)
    matmul(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int n) {
  __shared__ float a_tile[TILE][TILE];
  __shared__ float b_tile[TILE][TILE];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * TILE + ty;
  const int column = blockIdx.x * TILE + tx;

  float sum = 0.0f;
  for (int k0 = 0; k0 < n; k0 += TILE) {
    a_tile[ty][tx] = a[row * n + k0 + tx];
    b_tile[ty][tx] = b[(k0 + ty) * n + column];
    __syncthreads();  // both tiles are complete
    for (int k = 0; k < TILE; ++k) {
      sum += a_tile[ty][k] * b_tile[k][tx];
    }
    __syncthreads();  // both tiles may be overwritten
  }
  c[row * n + column] = sum;
}
