// The transpose of a row-major matrix of any shape, an element a thread, without loops: naively, so
// that a warp's stores are far apart, and through a tile in shared memory, so that neither its
// loads nor its stores are. A CTA is TILE x TILE threads.
#define TILE 16

// Rows are read side by side and written down columns: a store a lane.
extern "C" __global__ void transpose_naive(const float *__restrict__ from, float *__restrict__ to,
                                           int width, int height) {
  const int x = blockIdx.x * TILE + threadIdx.x;
  const int y = blockIdx.y * TILE + threadIdx.y;
  if (x < width && y < height) {
    to[x * height + y] = from[y * width + x];
  }
}

// A tile is read by rows and written by columns, whose elements lie side by side in the result. A
// column more than there are keeps the elements of a column in different banks.
extern "C" __global__ void transpose(const float *__restrict__ from, float *__restrict__ to,
                                     int width, int height) {
  __shared__ float tile[TILE][TILE + 1];
  int x = blockIdx.x * TILE + threadIdx.x;
  int y = blockIdx.y * TILE + threadIdx.y;
  if (x < width && y < height) {
    tile[threadIdx.y][threadIdx.x] = from[y * width + x];
  }
  __syncthreads();

  x = blockIdx.y * TILE + threadIdx.x;
  y = blockIdx.x * TILE + threadIdx.y;
  if (x < height && y < width) {
    to[y * height + x] = tile[threadIdx.x][threadIdx.y];
  }
}
