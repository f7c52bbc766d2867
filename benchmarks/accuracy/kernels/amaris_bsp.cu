// Products and sums of square matrices and vectors, written from a description of them.
// Blocks are 16 x 16, or 256 threads; a matrix is kept row by row. In those called uncoalesced,
// threadIdx.x walks down the rows: neighbours are a row apart.

#define TILE 16

extern "C" __global__ void matmul_global_coalesced(const float *a, const float *b, float *c,
                                                   int n) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= n || column >= n) return;
  float sum = 0.0f;
  for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * n + column];
  c[row * n + column] = sum;
}

extern "C" __global__ void matmul_global_uncoalesced(const float *a, const float *b, float *c,
                                                     int n) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  const int column = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= n || column >= n) return;
  float sum = 0.0f;
  for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * n + column];
  c[row * n + column] = sum;
}

// n is a multiple of the tile's edge.
extern "C" __global__ void matmul_shared_coalesced(const float *a, const float *b, float *c,
                                                   int n) {
  __shared__ float a_tile[TILE][TILE];
  __shared__ float b_tile[TILE][TILE];
  const int x = threadIdx.x, y = threadIdx.y;
  const int column = blockIdx.x * TILE + x;
  const int row = blockIdx.y * TILE + y;
  float sum = 0.0f;
  for (int start = 0; start < n; start += TILE) {
    a_tile[y][x] = a[row * n + start + x];
    b_tile[y][x] = b[(start + y) * n + column];
    __syncthreads();
    for (int k = 0; k < TILE; ++k) sum += a_tile[y][k] * b_tile[k][x];
    __syncthreads();
  }
  c[row * n + column] = sum;
}

extern "C" __global__ void matmul_shared_uncoalesced(const float *a, const float *b, float *c,
                                                     int n) {
  __shared__ float a_tile[TILE][TILE];
  __shared__ float b_tile[TILE][TILE];
  const int x = threadIdx.x, y = threadIdx.y;
  const int row = blockIdx.x * TILE + x;
  const int column = blockIdx.y * TILE + y;
  float sum = 0.0f;
  for (int start = 0; start < n; start += TILE) {
    a_tile[x][y] = a[row * n + start + y];
    b_tile[x][y] = b[(start + x) * n + column];
    __syncthreads();
    for (int k = 0; k < TILE; ++k) sum += a_tile[x][k] * b_tile[k][y];
    __syncthreads();
  }
  c[row * n + column] = sum;
}

extern "C" __global__ void matadd_coalesced(const float *a, const float *b, float *c, int n) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < n && column < n) c[row * n + column] = a[row * n + column] + b[row * n + column];
}

extern "C" __global__ void matadd_uncoalesced(const float *a, const float *b, float *c, int n) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  const int column = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < n && column < n) c[row * n + column] = a[row * n + column] + b[row * n + column];
}

extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

// A product a thread, a sum a block of 256.
extern "C" __global__ void dot_product_1elem(const float *a, const float *b, float *partial,
                                             int n) {
  __shared__ float products[256];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  products[threadIdx.x] = i < n ? a[i] * b[i] : 0.0f;
  for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) products[threadIdx.x] += products[threadIdx.x + half];
  }
  if (threadIdx.x == 0) partial[blockIdx.x] = products[0];
}
