// A histogram of bytes: 256 bins a CTA in shared memory, added up in global memory.
extern "C" __global__ void histogram(const unsigned *in, unsigned *bins, int n) {
  __shared__ unsigned own[256];
  own[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const unsigned four = in[i];
    for (int byte = 0; byte < 4; byte++) atomicAdd(&own[four >> (8 * byte) & 255], 1u);
  }
  __syncthreads();
  atomicAdd(&bins[threadIdx.x], own[threadIdx.x]);
}
