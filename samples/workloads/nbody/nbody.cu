// Bodies that attract each other, step by step: each step sums up what every body does to every
// other. Tiles of bodies go through shared memory, as many as a CTA has threads.

#ifndef TRIPS
#define TRIPS(n) (n)
#endif

__constant__ float softening_squared;  // what is added to squared distances: no force is infinite

// Adds to an acceleration what a body with its mass as w does at a place.
inline __device__ float3 attracted(float3 sum, float4 place, float4 body) {
  const float dx = body.x - place.x;
  const float dy = body.y - place.y;
  const float dz = body.z - place.z;
  const float squared = dx * dx + dy * dy + dz * dz + softening_squared;
  const float inverse = rsqrtf(squared);
  const float strength = body.w * inverse * inverse * inverse;
  sum.x += dx * strength;
  sum.y += dy * strength;
  sum.z += dz * strength;
  return sum;
}

// Moves each body on by one step, a body a thread: first its velocity, then its place with the new
// one. Shared memory is a float4 a thread. Threads beyond the last body take part in loading and at
// the barriers; where the last tile has no body, it has one without mass.
extern "C" __global__ void nbody_step(const float4 *__restrict__ before,
                                      float4 *__restrict__ after, float4 *velocities, int bodies,
                                      float seconds, float damping) {
  extern __shared__ float4 tile[];

  const int own = blockIdx.x * blockDim.x + threadIdx.x;
  const float4 place = before[min(own, bodies - 1)];
  float3 sum = make_float3(0.0f, 0.0f, 0.0f);
  const int tiles = (bodies + blockDim.x - 1) / blockDim.x;
  for (int t = 0; t < TRIPS(tiles); ++t) {
    const int other = t * blockDim.x + threadIdx.x;
    tile[threadIdx.x] = other < bodies ? before[other] : make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    __syncthreads();
    const int in_tile = blockDim.x;
    for (int k = 0; k < TRIPS(in_tile); ++k) {
      sum = attracted(sum, place, tile[k]);
    }
    __syncthreads();
  }

  if (own < bodies) {
    float4 velocity = velocities[own];
    velocity.x = (velocity.x + sum.x * seconds) * damping;
    velocity.y = (velocity.y + sum.y * seconds) * damping;
    velocity.z = (velocity.z + sum.z * seconds) * damping;
    velocities[own] = velocity;
    after[own] = make_float4(place.x + velocity.x * seconds, place.y + velocity.y * seconds,
                             place.z + velocity.z * seconds, place.w);
  }
}
