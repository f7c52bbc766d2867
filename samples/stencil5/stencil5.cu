// One step of a 5-point stencil: out = centre * in + neighbour * (north + south + west + east).
// A point beyond the grid has the value of the nearest point on its edge.
// A block of BLOCK_X x BLOCK_Y threads keeps its tile and a halo of one point in shared memory.
#include "../common/cuda_words.h"

#define BLOCK_X 32
#define BLOCK_Y 8

static __device__ int clamp_index(int i, int size) {
  return i < 0 ? 0 : (i < size ? i : size - 1);
}

extern "C" __global__ void stencil5(const float *__restrict__ in, float *__restrict__ out,
                                    int width, int height, float centre, float neighbour) {
  __shared__ float tile[BLOCK_Y + 2][BLOCK_X + 2];  // the corners stay unused

  const int x = blockIdx.x * BLOCK_X + threadIdx.x;
  const int y = blockIdx.y * BLOCK_Y + threadIdx.y;
  const int tx = threadIdx.x + 1;
  const int ty = threadIdx.y + 1;
  const int column = clamp_index(x, width);
  const int row = clamp_index(y, height);

  tile[ty][tx] = in[row * width + column];
  if (tx == 1) {  // west: one lane of each warp
    tile[ty][0] = in[row * width + clamp_index(x - 1, width)];
  }
  if (tx == BLOCK_X) {  // east: one lane of each warp
    tile[ty][BLOCK_X + 1] = in[row * width + clamp_index(x + 1, width)];
  }
  if (ty == 1) {  // north: one whole warp of the block
    tile[0][tx] = in[clamp_index(y - 1, height) * width + column];
  }
  if (ty == BLOCK_Y) {  // south: one whole warp of the block
    tile[BLOCK_Y + 1][tx] = in[clamp_index(y + 1, height) * width + column];
  }
  __syncthreads();

  if (x < width && y < height) {
    const float around = tile[ty - 1][tx] + tile[ty + 1][tx] + tile[ty][tx - 1] + tile[ty][tx + 1];
    out[y * width + x] = centre * tile[ty][tx] + neighbour * around;
  }
}
