// Two kernels that take different numbers of registers.
extern "C" __global__ void narrow(float *p) { p[threadIdx.x] += 1.0f; }
template <class T> __global__ void wide(T *p, const T *q) {
  T v[8];
  for (int i = 0; i < 8; i++) v[i] = q[threadIdx.x + i * 32];
  __syncthreads();
  for (int i = 0; i < 8; i++) p[threadIdx.x * 8 + i] = v[i] * v[(i + 3) % 8];
}
template __global__ void wide<double>(double *, const double *);
