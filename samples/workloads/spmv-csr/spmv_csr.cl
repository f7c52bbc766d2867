// y = A * x for a sparse matrix in CSR form, in two ways: one row a work-item, and one row for 32
// of them, as Bell and Garland describe them. Row r holds the entries first[r] .. first[r + 1] - 1.

#ifndef BLOCK
#define BLOCK 192 // work-items a group of spmv_csr_vector
#endif
#define WARP 32

// One row a work-item. Those of a warp read entries that lie a row's length apart, and all wait
// for the longest of their rows.
__kernel void spmv_csr_scalar(__global const int *restrict first,
                              __global const int *restrict columns,
                              __global const float *restrict values,
                              __global const float *restrict x, __global float *restrict y,
                              int rows) {
  const int row = get_global_id(0);
  if (row < rows) {
    const int end = first[row + 1];
    float sum = 0.0f;
    for (int i = first[row]; i < end; ++i) {
      sum += values[i] * x[columns[i]];
    }
    y[row] = sum;
  }
}

// One row for 32 work-items. They take entries side by side and add their sums up in local memory
// in five halving steps. OpenCL 1.2 has barriers of whole groups only, so those past the last row
// come along with empty rows.
__kernel __attribute__((reqd_work_group_size(BLOCK, 1, 1))) void
spmv_csr_vector(__global const int *restrict first, __global const int *restrict columns,
                __global const float *restrict values, __global const float *restrict x,
                __global float *restrict y, int rows) {
  __local float sums[BLOCK];
  const int id = get_local_id(0);
  const int lane = id % WARP;
  const int row = get_group_id(0) * (BLOCK / WARP) + id / WARP;
  float sum = 0.0f;
  if (row < rows) {
    const int end = first[row + 1];
    for (int i = first[row] + lane; i < end; i += WARP) {
      sum += values[i] * x[columns[i]];
    }
  }
  sums[id] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int width = WARP / 2; width > 0; width /= 2) {
    if (lane < width) {
      sum += sums[id + width];
      sums[id] = sum;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (lane == 0 && row < rows) {
    y[row] = sum;
  }
}
