// c[i] = a[i] + b[i] + scalar, an element a thread; the grid has no thread beyond the last.
extern "C" __global__ void vector_add(float *a, float *b, float *c, float scalar) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  c[i] = a[i] + b[i] + scalar;
}
