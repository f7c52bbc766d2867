// The acceleration of each body by all others, tiles of bodies in shared memory.
constexpr int TILE = 128;

extern "C" __global__ void nbody(const float4 *bodies, float4 *accelerations, int n,
                                 float softening) {
  __shared__ float4 tile[TILE];
  const int body = blockIdx.x * TILE + threadIdx.x;
  const float4 here = bodies[body];
  float x = 0.0f, y = 0.0f, z = 0.0f;
  for (int first = 0; first < n; first += TILE) {
    tile[threadIdx.x] = bodies[first + threadIdx.x];
    __syncthreads();
#pragma unroll 4
    for (int k = 0; k < TILE; k++) {
      const float4 other = tile[k];
      const float dx = other.x - here.x, dy = other.y - here.y, dz = other.z - here.z;
      const float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + softening);
      const float pull = other.w * inverse * inverse * inverse;
      x += dx * pull;
      y += dy * pull;
      z += dz * pull;
    }
    __syncthreads();
  }
  accelerations[body] = make_float4(x, y, z, 0.0f);
}
