// The sum of each CTA's share: a loop over the grid, a tree in shared memory, the last warp shuffles.
extern "C" __global__ void reduction(const float *in, float *sums, int n) {
  __shared__ float tree[256];
  float sum = 0.0f;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    sum += in[i];
  tree[threadIdx.x] = sum;
  __syncthreads();
  for (unsigned half = blockDim.x / 2; half >= 32; half /= 2) {
    if (threadIdx.x < half) tree[threadIdx.x] += tree[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x < 32) {
    sum = tree[threadIdx.x];
    for (int distance = 16; distance > 0; distance /= 2)
      sum += __shfl_down_sync(0xffffffff, sum, distance);
    if (threadIdx.x == 0) sums[blockIdx.x] = sum;
  }
}
