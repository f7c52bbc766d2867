// y = A * x for a sparse matrix in CSR form, in two ways: one row a thread, and one row a warp, as
// Bell and Garland describe them. Row r holds the entries first[r] .. first[r + 1] - 1. The vector
// is read through a texture: its elements are gathered, and neighbouring rows want the same ones.

#ifndef BLOCK
#define BLOCK 192 // threads a CTA of spmv_csr_vector
#endif
#define WARP 32

// One row a thread. The lanes of a warp read entries that lie a row's length apart, and all wait
// for the longest of their rows.
extern "C" __global__ void spmv_csr_scalar(const int *__restrict__ first,
                                           const int *__restrict__ columns,
                                           const float *__restrict__ values, cudaTextureObject_t x,
                                           float *__restrict__ y, int rows) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows) {
    const int end = first[row + 1];
    float sum = 0.0f;
    for (int i = first[row]; i < end; ++i) {
      sum += values[i] * tex1Dfetch<float>(x, columns[i]);
    }
    y[row] = sum;
  }
}

// One row a warp. Its lanes take entries side by side, 32 at a time, and add their sums up in
// shared memory in five halving steps; rows of fewer entries leave lanes idle.
extern "C" __global__ void spmv_csr_vector(const int *__restrict__ first,
                                           const int *__restrict__ columns,
                                           const float *__restrict__ values, cudaTextureObject_t x,
                                           float *__restrict__ y, int rows) {
  __shared__ volatile float sums[BLOCK];
  const int lane = threadIdx.x % WARP;
  const int row = blockIdx.x * (BLOCK / WARP) + threadIdx.x / WARP;
  if (row < rows) { // the same for all lanes of a warp
    const int end = first[row + 1];
    float sum = 0.0f;
    for (int i = first[row] + lane; i < end; i += WARP) {
      sum += values[i] * tex1Dfetch<float>(x, columns[i]);
    }
    sums[threadIdx.x] = sum;
    __syncwarp();
    for (int width = WARP / 2; width > 0; width /= 2) {
      if (lane < width) {
        sum += sums[threadIdx.x + width];
        sums[threadIdx.x] = sum;
      }
      __syncwarp();
    }
    if (lane == 0) {
      y[row] = sum;
    }
  }
}
