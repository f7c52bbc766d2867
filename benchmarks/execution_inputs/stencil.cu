// One step of heat over a plate: five points, the tile with its halo in shared memory.
constexpr int TILE = 16;

extern "C" __global__ void stencil(const float *from, float *to, int n, float rate) {
  __shared__ float tile[TILE + 2][TILE + 2];
  const int x = blockIdx.x * TILE + threadIdx.x;
  const int y = blockIdx.y * TILE + threadIdx.y;
  const int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
  const float here = from[y * n + x];
  tile[ty][tx] = here;
  if (tx == 1) tile[ty][0] = x > 0 ? from[y * n + x - 1] : here;
  if (tx == TILE) tile[ty][TILE + 1] = x + 1 < n ? from[y * n + x + 1] : here;
  if (ty == 1) tile[0][tx] = y > 0 ? from[(y - 1) * n + x] : here;
  if (ty == TILE) tile[TILE + 1][tx] = y + 1 < n ? from[(y + 1) * n + x] : here;
  __syncthreads();
  const float around = tile[ty - 1][tx] + tile[ty + 1][tx] + tile[ty][tx - 1] + tile[ty][tx + 1];
  to[y * n + x] = here + rate * (around - 4.0f * here);
}
