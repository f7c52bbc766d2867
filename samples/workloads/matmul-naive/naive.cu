// Products of matrices as they are written down first: a thread has one element of the result and
// sums up a row by a column, all from global memory. Matrices lie row by row; three kernels, for
// operands as they are or turned, are the three products that train a layer of a neural network.
#ifndef TRIPS
#define TRIPS(n) (n)
#endif

// C = A B. A warp's threads share a word of A or two and read B side by side.
extern "C" __global__ void matmul_nn(const float *__restrict__ a, const float *__restrict__ b,
                                     float *__restrict__ c, int rows, int columns, int inner) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < rows && column < columns) {
    float sum = 0.0f;
    for (int i = 0; i < TRIPS(inner); ++i) {
      sum += a[row * inner + i] * b[i * columns + column];
    }
    c[row * columns + column] = sum;
  }
}

// C = A B', where B lies with `inner` elements a row: each thread of a row of threads walks along a
// row of its own, so that a warp's loads are `inner` words apart.
extern "C" __global__ void matmul_nt(const float *__restrict__ a, const float *__restrict__ b,
                                     float *__restrict__ c, int rows, int columns, int inner) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < rows && column < columns) {
    float sum = 0.0f;
    for (int i = 0; i < TRIPS(inner); ++i) {
      sum += a[row * inner + i] * b[column * inner + i];
    }
    c[row * columns + column] = sum;
  }
}

// C = A' B, where A lies with `rows` elements a row: both are read side by side or shared.
extern "C" __global__ void matmul_tn(const float *__restrict__ a, const float *__restrict__ b,
                                     float *__restrict__ c, int rows, int columns, int inner) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < rows && column < columns) {
    float sum = 0.0f;
    for (int i = 0; i < TRIPS(inner); ++i) {
      sum += a[i * rows + row] * b[i * columns + column];
    }
    c[row * columns + column] = sum;
  }
}
