// LU decomposition of a square row-major matrix in place, in tiles of blockDim.x by blockDim.x: the
// launch that takes the product of two tiles of the perimeter off each tile beyond the diagonal.
#include "cuda_words.h"

// One element a thread, whose sum is in a register; `first` is where the tile on the diagonal
// begins.
extern "C" __global__ void lud_internal(float *matrix, int size, int first) {
  extern __shared__ float upper[];  // a tile of U, then one of L
  const int tile = blockDim.x;
  float *const lower = upper + tile * tile;

  const int tx = threadIdx.x, ty = threadIdx.y;
  const int column = tile * (blockIdx.x + 1) + tx;
  float *const corner = matrix + first * (size + 1);
  float *const own_row = corner + (tile * (blockIdx.y + 1) + ty) * size;
  upper[ty * tile + tx] = corner[ty * size + column];
  lower[ty * tile + tx] = own_row[tx];
  __syncthreads();

  float product = 0.0f;
  for (int k = 0; k < tile; ++k) {
    product += lower[ty * tile + k] * upper[k * tile + tx];
  }
  own_row[column] -= product;
}
