// Kernels of a course on parallel programming, written from a description of them.
// n is a number of elements, or the edge of a square that is kept row by row.

typedef unsigned char u8;
typedef unsigned u32;

extern "C" __global__ void array_add_coalesced(const float *a, const float *b, float *c, int n) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < n && column < n) c[row * n + column] = a[row * n + column] + b[row * n + column];
}

// Neighbours in x are a row apart.
extern "C" __global__ void array_add_uncoalesced(const float *a, const float *b, float *c, int n) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  const int column = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < n && column < n) c[row * n + column] = a[row * n + column] + b[row * n + column];
}

extern "C" __global__ void matmul_naive_u32(const u32 *a, const u32 *b, u32 *c, int n) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= n || column >= n) return;
  u32 sum = 0;
  for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * n + column];
  c[row * n + column] = sum;
}

extern __shared__ u32 words[];
extern __shared__ float elements[];

// The tile is as wide as the block, which is known at run time alone. Dynamic: two tiles.
extern "C" __global__ void matmul_tiled_u32(const u32 *a, const u32 *b, u32 *c, int n, int width) {
  u32 *a_tile = words;
  u32 *b_tile = words + width * width;
  const int x = threadIdx.x, y = threadIdx.y;
  const int column = blockIdx.x * width + x;
  const int row = blockIdx.y * width + y;
  u32 sum = 0;
  for (int start = 0; start < n; start += width) {
    a_tile[y * width + x] = row < n && start + x < n ? a[row * n + start + x] : 0;
    b_tile[y * width + x] = start + y < n && column < n ? b[(start + y) * n + column] : 0;
    __syncthreads();
#pragma unroll 1
    for (int k = 0; k < width; ++k) sum += a_tile[y * width + k] * b_tile[k * width + x];
    __syncthreads();
  }
  if (row < n && column < n) c[row * n + column] = sum;
}

// A row of the matrix a thread.
extern "C" __global__ void matvec_u32(const u32 *matrix, const u32 *vector, u32 *out, int n) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= n) return;
  u32 sum = 0;
  for (int k = 0; k < n; ++k) sum += matrix[row * n + k] * vector[k];
  out[row] = sum;
}

// The same with the vector staged through shared memory. Dynamic: a word a thread.
extern "C" __global__ void matvec_smem_u32(const u32 *matrix, const u32 *vector, u32 *out, int n) {
  const int width = blockDim.x;
  const int row = blockIdx.x * width + threadIdx.x;
  u32 sum = 0;
  for (int start = 0; start < n; start += width) {
    const int own = start + threadIdx.x;
    words[threadIdx.x] = own < n ? vector[own] : 0;
    __syncthreads();
    if (row < n) {
      for (int k = 0; k < width && start + k < n; ++k) {
        sum += matrix[row * n + start + k] * words[k];
      }
    }
    __syncthreads();
  }
  if (row < n) out[row] = sum;
}

// The limits are of double precision, and so is the comparison with them.
static __device__ __forceinline__ float clamped(float value) {
  double wide = value;
  wide = wide < 0.0 ? 0.0 : wide;
  wide = wide > 1.0 ? 1.0 : wide;
  return static_cast<float>(wide);
}

#define MOST_TAPS 11
__constant__ float conv1d_mask[MOST_TAPS];

extern "C" __global__ void conv1d_basic(const float *in, const float *mask, float *out, int n,
                                        int taps) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const int first = i - taps / 2;
  float sum = 0.0f;
  for (int tap = 0; tap < taps; ++tap) {
    if (first + tap >= 0 && first + tap < n) sum += in[first + tap] * mask[tap];
  }
  out[i] = clamped(sum);
}

extern "C" __global__ void conv1d_const(const float *in, float *out, int n, int taps) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const int first = i - taps / 2;
  float sum = 0.0f;
  for (int tap = 0; tap < taps; ++tap) {
    if (first + tap >= 0 && first + tap < n) sum += in[first + tap] * conv1d_mask[tap];
  }
  out[i] = clamped(sum);
}

// Dynamic: an element a thread, and taps - 1 of the neighbours.
extern "C" __global__ void conv1d_tiled(const float *in, float *out, int n, int taps) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int radius = taps / 2;
  const int before = i - blockDim.x, after = i + blockDim.x;
  if (threadIdx.x >= blockDim.x - radius) {
    elements[threadIdx.x - (blockDim.x - radius)] = before < 0 ? 0.0f : in[before];
  }
  elements[radius + threadIdx.x] = i < n ? in[i] : 0.0f;
  if (threadIdx.x < radius) {
    elements[radius + blockDim.x + threadIdx.x] = after >= n ? 0.0f : in[after];
  }
  __syncthreads();
  if (i >= n) return;
  float sum = 0.0f;
  for (int tap = 0; tap < taps; ++tap) sum += elements[threadIdx.x + tap] * conv1d_mask[tap];
  out[i] = clamped(sum);
}

// Dynamic: an element a thread; what lies beside the block comes from global memory.
extern "C" __global__ void conv1d_tiled_caching(const float *in, float *out, int n, int taps) {
  const int start = blockIdx.x * blockDim.x, end = start + blockDim.x;
  const int i = start + threadIdx.x;
  elements[threadIdx.x] = i < n ? in[i] : 0.0f;
  __syncthreads();
  if (i >= n) return;
  const int first = i - taps / 2;
  float sum = 0.0f;
  for (int tap = 0; tap < taps; ++tap) {
    const int place = first + tap;
    if (place < 0 || place >= n) continue;
    const float own = place >= start && place < end ? elements[place - start] : in[place];
    sum += own * conv1d_mask[tap];
  }
  out[i] = clamped(sum);
}

extern "C" __global__ void rgb_to_gray(const u8 *rgb, u8 *gray, int n) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= n || column >= n) return;
  const int i = row * n + column;
  gray[i] = static_cast<u8>(0.21f * rgb[3 * i] + 0.71f * rgb[3 * i + 1] + 0.07f * rgb[3 * i + 2]);
}

extern "C" __global__ void histogram_global(const u32 *data, u32 *bins, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&bins[data[i]], 1u);
}

// Dynamic: a word a bin. Empty bins are added too: the times of small blocks say so.
extern "C" __global__ void histogram_smem(const u32 *data, u32 *bins, int n, int count) {
  for (int bin = threadIdx.x; bin < count; bin += blockDim.x) words[bin] = 0;
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&words[data[i]], 1u);
  __syncthreads();
  for (int bin = threadIdx.x; bin < count; bin += blockDim.x) atomicAdd(&bins[bin], words[bin]);
}
