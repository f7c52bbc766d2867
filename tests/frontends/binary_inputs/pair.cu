extern "C" __global__ void scale(float *a, float f, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) a[i] *= f; }
__global__ void shift(float *a, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i + 1 < n) a[i] = a[i + 1]; }
int main() { shift<<<1, 32>>>(nullptr, 0); return 0; }
