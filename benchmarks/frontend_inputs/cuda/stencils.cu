// Stencils in two and three dimensions with orders and types as template parameters.
__constant__ float weights[33];
__constant__ double weights_double[33] = {1.0, -0.5, 0.25, -0.125, 0.0625};
template <typename T> __device__ T weight(int i);
template <> __device__ float weight<float>(int i) { return weights[i]; }
template <> __device__ double weight<double>(int i) { return weights_double[i]; }

template <typename T, int R> __global__ void star3d(const T *__restrict__ in, T *__restrict__ out, int nx, int ny, int nz) {
  __shared__ T plane[16 + 2 * R][16 + 2 * R];
  int x = blockIdx.x * 16 + threadIdx.x + R, y = blockIdx.y * 16 + threadIdx.y + R;
  long long stride = (long long)nx * ny, at = (long long)y * nx + x;
  T column[2 * R + 1];
#pragma unroll
  for (int i = 0; i < 2 * R; ++i, at += stride) column[i + 1] = in[at];
  at -= stride * R;
  for (int z = R; z < nz - R; ++z, at += stride) {
#pragma unroll
    for (int i = 0; i < 2 * R; ++i) column[i] = column[i + 1];
    column[2 * R] = in[at + R * stride];
    __syncthreads();
    plane[threadIdx.y + R][threadIdx.x + R] = column[R];
    if (threadIdx.y < R) {
      plane[threadIdx.y][threadIdx.x + R] = in[at - R * nx];
      plane[threadIdx.y + 16 + R][threadIdx.x + R] = in[at + 16 * nx];
    }
    if (threadIdx.x < R) {
      plane[threadIdx.y + R][threadIdx.x] = in[at - R];
      plane[threadIdx.y + R][threadIdx.x + 16 + R] = in[at + 16];
    }
    __syncthreads();
    T sum = weight<T>(0) * column[R];
#pragma unroll
    for (int r = 1; r <= R; ++r)
      sum += weight<T>(r) * (column[R - r] + column[R + r] + plane[threadIdx.y + R - r][threadIdx.x + R] + plane[threadIdx.y + R + r][threadIdx.x + R] +
                             plane[threadIdx.y + R][threadIdx.x + R - r] + plane[threadIdx.y + R][threadIdx.x + R + r]);
    if (x < nx - R && y < ny - R) out[at] = sum;
  }
}
template <typename T, int R> __global__ void box2d(const T *in, T *out, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  T sum = 0;
#pragma unroll
  for (int dy = -R; dy <= R; ++dy)
#pragma unroll
    for (int dx = -R; dx <= R; ++dx) {
      int cx = min(max(x + dx, 0), w - 1), cy = min(max(y + dy, 0), h - 1);
      sum += weight<T>(abs(dx) + abs(dy)) * in[cy * w + cx];
    }
  if (x < w && y < h) out[y * w + x] = sum;
}
#define STENCIL(T, R) \
  template __global__ void star3d<T, R>(const T *, T *, int, int, int); \
  template __global__ void box2d<T, R>(const T *, T *, int, int);
STENCIL(float, 1)
STENCIL(float, 2)
STENCIL(float, 4)
STENCIL(float, 8)
STENCIL(double, 1)
STENCIL(double, 3)
STENCIL(double, 4)
