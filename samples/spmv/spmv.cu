// y = A * x for a sparse matrix in CSR form, one row a thread.
// Row r holds the entries row_ptr[r] .. row_ptr[r + 1] - 1 of col_idx and values.
#include "../common/cuda_words.h"

extern "C" __global__ void spmv(const int *__restrict__ row_ptr, const int *__restrict__ col_idx,
                                const float *__restrict__ values, const float *__restrict__ x,
                                float *__restrict__ y, int rows) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows) {
    const int end = row_ptr[row + 1];
    float sum = 0.0f;
    for (int i = row_ptr[row]; i < end; ++i) {
      sum += values[i] * x[col_idx[i]];
    }
    y[row] = sum;
  }
}
