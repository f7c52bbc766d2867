// Sixteen small kernels of f32 (histogram and counter: u32), written from a description of them.
// The block is 256 threads unless a comment says otherwise; n is a number of elements or an edge.

extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

extern "C" __global__ void saxpy(const float *a, const float *b, float *c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = 2.0f * a[i] + b[i];
}

extern "C" __global__ void strided_copy_8(const float *from, float *to, int n) {
  const int i = 8 * (blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) to[i] = from[i];
}

// Block 16 x 16.
extern "C" __global__ void naive_transpose(const float *from, float *to, int n) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < n && column < n) to[column * n + row] = from[row * n + column];
}

// Block 32 x 32; the tile's rows are a word longer, so that a column lies in 32 banks.
extern "C" __global__ void shared_transpose(const float *from, float *to, int n) {
  __shared__ float tile[32][33];
  int column = blockIdx.x * 32 + threadIdx.x;
  int row = blockIdx.y * 32 + threadIdx.y;
  if (row < n && column < n) tile[threadIdx.y][threadIdx.x] = from[row * n + column];
  __syncthreads();
  column = blockIdx.y * 32 + threadIdx.x;
  row = blockIdx.x * 32 + threadIdx.y;
  if (row < n && column < n) to[row * n + column] = tile[threadIdx.x][threadIdx.y];
}

// Block 16 x 16.
extern "C" __global__ void matmul_naive(const float *a, const float *b, float *c, int n) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= n || column >= n) return;
  float sum = 0.0f;
  for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * n + column];
  c[row * n + column] = sum;
}

// Block 32 x 32.
extern "C" __global__ void matmul_tiled(const float *a, const float *b, float *c, int n) {
  __shared__ float a_tile[32][32];
  __shared__ float b_tile[32][32];
  const int x = threadIdx.x, y = threadIdx.y;
  const int column = blockIdx.x * 32 + x;
  const int row = blockIdx.y * 32 + y;
  float sum = 0.0f;
  for (int start = 0; start < n; start += 32) {
    a_tile[y][x] = row < n && start + x < n ? a[row * n + start + x] : 0.0f;
    b_tile[y][x] = start + y < n && column < n ? b[(start + y) * n + column] : 0.0f;
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 32; ++k) sum += a_tile[y][k] * b_tile[k][x];
    __syncthreads();
  }
  if (row < n && column < n) c[row * n + column] = sum;
}

// Adds up a word of each thread; the block's sum stands in words[0]. blockDim.x is a power of two.
static __device__ __forceinline__ void add_up(float *words) {
  for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) words[threadIdx.x] += words[threadIdx.x + half];
  }
}

extern __shared__ float sums[];
extern __shared__ unsigned counts[];

// Two elements a thread, a block apart; one sum a block. Dynamic: a word a thread.
extern "C" __global__ void reduce_sum(const float *a, float *partial, int n) {
  const int i = blockIdx.x * blockDim.x * 2 + threadIdx.x;
  const int j = i + blockDim.x;
  float sum = i < n ? a[i] : 0.0f;
  if (j < n) sum += a[j];
  sums[threadIdx.x] = sum;
  add_up(sums);
  if (threadIdx.x == 0) partial[blockIdx.x] = sums[0];
}

extern "C" __global__ void dot_product(const float *a, const float *b, float *partial, int n) {
  const int i = blockIdx.x * blockDim.x * 2 + threadIdx.x;
  const int j = i + blockDim.x;
  float sum = i < n ? a[i] * b[i] : 0.0f;
  if (j < n) sum += a[j] * b[j];
  sums[threadIdx.x] = sum;
  add_up(sums);
  if (threadIdx.x == 0) partial[blockIdx.x] = sums[0];
}

// 256 bins, first those of the block (dynamic), then the whole grid's.
extern "C" __global__ void histogram(const unsigned *data, unsigned *bins, int n) {
  for (int bin = threadIdx.x; bin < 256; bin += blockDim.x) counts[bin] = 0;
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&counts[data[i] & 255], 1u);
  __syncthreads();
  for (int bin = threadIdx.x; bin < 256; bin += blockDim.x) atomicAdd(&bins[bin], counts[bin]);
}

// The valid part of a convolution; the filter lies in global memory. Block 16 x 16.
extern "C" __global__ void conv2d_3x3(const float *a, const float *filter, float *b, int width,
                                      int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width - 2 || y >= height - 2) return;
  float sum = 0.0f;
#pragma unroll
  for (int i = 0; i < 3; ++i) {
#pragma unroll
    for (int j = 0; j < 3; ++j) sum += a[(y + i) * width + x + j] * filter[3 * i + j];
  }
  b[y * width + x] = sum;
}

extern "C" __global__ void conv2d_7x7(const float *a, const float *filter, float *b, int width,
                                      int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width - 6 || y >= height - 6) return;
  float sum = 0.0f;
  for (int i = 0; i < 7; ++i) {
    for (int j = 0; j < 7; ++j) sum += a[(y + i) * width + x + j] * filter[7 * i + j];
  }
  b[y * width + x] = sum;
}

extern "C" __global__ void random_access(const float *a, const int *places, float *b, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) b[i] = a[places[i]];
}

// Even threads add 128 more numbers.
extern "C" __global__ void vector_add_divergent(const float *a, const float *b, float *c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = a[i] + b[i];
  if (threadIdx.x % 2 == 0) {
#pragma unroll 16
    for (int t = 0; t < 128; ++t) sum += 0.0001f * t;
  }
  c[i] = sum;
}

extern "C" __global__ void atomic_hotspot(unsigned *counter, int n, int times) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  for (int t = 0; t < times; ++t) atomicAdd(counter, 1u);
}

// One block of 1024 threads; all read the same word, which makes no conflict.
extern "C" __global__ void shared_bank_conflict(float *out, int times) {
  __shared__ float words[1024];
  words[threadIdx.x] = threadIdx.x + 1.0f;
  __syncthreads();
  float sum = 0.0f;
  for (int t = 0; t < times; ++t) sum += words[1024 * t % 1024];
  out[threadIdx.x] = sum;
}
