// nvcc -O3 -arch=compute_80 -ptx: a counter and a flag that thread 0 keeps for its block
extern "C" __global__ void counted(int *out, int n) {
  __shared__ int count;
  __shared__ bool more;
  if (threadIdx.x == 0) count = 0;
  __syncthreads();
  while (count < n) {
    out[threadIdx.x & 63] += 1;
    __syncthreads();
    if (threadIdx.x == 0) count++;
    __syncthreads();
  }
  int i = 0;
  do {
    out[threadIdx.x & 63] += 2;
    i += 3;
    __syncthreads();
    if (threadIdx.x == 0) more = i < n;
    __syncthreads();
  } while (more);
}
