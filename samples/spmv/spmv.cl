// y = A * x for a sparse matrix in CSR form, one row a work item.
// Row r holds the entries row_ptr[r] .. row_ptr[r + 1] - 1 of col_idx and values.
__kernel void spmv(__global const int *restrict row_ptr, __global const int *restrict col_idx,
                   __global const float *restrict values, __global const float *restrict x,
                   __global float *restrict y, int rows) {
  const int row = get_global_id(0);
  if (row < rows) {
    const int end = row_ptr[row + 1];
    float sum = 0.0f;
    for (int i = row_ptr[row]; i < end; ++i) {
      sum += values[i] * x[col_idx[i]];
    }
    y[row] = sum;
  }
}
