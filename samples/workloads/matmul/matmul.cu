// c = a * b for row-major matrices of any shape, through square tiles in shared memory.
// A block is TILE x TILE threads and computes one tile of c; the three sizes of the problem are
// multiples of TILE. `width` is that of b and c, `inner` that of a.
#ifndef TRIPS
#define TRIPS(n) (n)  // of main loops, which a build may shorten
#endif
#ifndef TILE
#define TILE 16
#endif

// One element of c a thread: a loop over pairs of tiles, with a barrier before and after their use.
extern "C" __global__ void matmul(const float *__restrict__ a, const float *__restrict__ b,
                                  float *__restrict__ c, int width, int inner) {
  __shared__ float a_tile[TILE][TILE];
  __shared__ float b_tile[TILE][TILE];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * TILE + ty;
  const int column = blockIdx.x * TILE + tx;

  float sum = 0.0f;
#pragma unroll 1  // a loop over pairs of tiles, whatever TILE is
  for (int k0 = 0; k0 < TRIPS(inner); k0 += TILE) {
    a_tile[ty][tx] = a[row * inner + k0 + tx];
    b_tile[ty][tx] = b[(k0 + ty) * width + column];
    __syncthreads();  // both tiles are complete
    for (int k = 0; k < TILE; ++k) {
      sum += a_tile[ty][k] * b_tile[k][tx];
    }
    __syncthreads();  // both tiles may be overwritten
  }
  c[row * width + column] = sum;
}
