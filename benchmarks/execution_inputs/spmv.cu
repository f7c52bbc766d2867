// y = A * x, a row a thread, A in compressed sparse rows.
extern "C" __global__ void spmv(const int *rows, const int *columns, const float *values,
                                const float *x, float *y, int n) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= n) return;
  float sum = 0.0f;
  for (int entry = rows[row]; entry < rows[row + 1]; entry++)
    sum += values[entry] * x[columns[entry]];
  y[row] = sum;
}
