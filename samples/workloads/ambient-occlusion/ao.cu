// Ambient occlusion: how much of the sky each point of a picture sees, of spheres on a floor
// without end. A thread looks for what its pixel shows, then sends rays from there into the
// hemisphere above the surface, more of them the nearer to its normal, and counts those that
// something stops.
#ifndef TRIPS
#define TRIPS(n) (n)
#endif
#define MOST_SPHERES 32
#define AWAY 1e30f
#define LIFT 0.0005f  // what leaves a surface starts this far above it
#define TURN 6.2831853071795865f

// Right, up and forward, with the eye's position as the fourth column; centres and radii.
__constant__ float4 view[3];
__constant__ float4 spheres[MOST_SPHERES];

inline __device__ float dot3(float3 a, float3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

// a + s * b
inline __device__ float3 along(float3 a, float s, float3 b) {
  return make_float3(a.x + s * b.x, a.y + s * b.y, a.z + s * b.z);
}

// Where a ray meets a sphere from outside, or AWAY.
inline __device__ float to_sphere(float4 sphere, float3 from, float3 way) {
  const float3 offset = make_float3(sphere.x - from.x, sphere.y - from.y, sphere.z - from.z);
  const float middle = dot3(offset, way);
  if (middle <= 0.0f) return AWAY;
  const float3 across = along(offset, -middle, way);
  const float inside = sphere.w * sphere.w - dot3(across, across);
  if (inside <= 0.0f) return AWAY;
  return middle - sqrtf(inside);
}

// Whether anything stops a ray; the first sphere that does is enough.
inline __device__ bool stopped(float3 from, float3 way, int count) {
  if (way.y < 0.0f) return true;  // the floor
  for (int i = 0; i < count; ++i) {
    if (to_sphere(spheres[i], from, way) < AWAY) return true;
  }
  return false;
}

// The next number of a sequence, and a float below 1 of its upper bits. The sequence steps through
// all 32-bit numbers; what is given out is mixed, so that neighbours have nothing in common.
inline __device__ float drawn(unsigned int *state) {
  *state = *state * 747796405u + 2891336453u;
  unsigned int word = ((*state >> ((*state >> 28) + 4)) ^ *state) * 277803737u;
  word = (word >> 22) ^ word;
  return (word >> 8) * (1.0f / 16777216.0f);
}

// One pass over a tile of the picture: `rays` rays a pixel, whose hits are added to those of the
// passes before. Pixels that show the sky are done at once (-1: none, `count`: the floor).
extern "C" __global__ void ao_pass(int *__restrict__ hits, int *__restrict__ shown,
                                   int first_column, int first_row, int width, int height,
                                   float pitch, int count, int rays, int pass, unsigned int seed) {
  const int column = first_column + blockIdx.x * blockDim.x + threadIdx.x;
  const int row = first_row + blockIdx.y * blockDim.y + threadIdx.y;
  if (column >= width || row >= height) return;
  const int place = row * width + column;

  const float right = (column + 0.5f - 0.5f * width) * pitch;
  const float up = (0.5f * height - row - 0.5f) * pitch;
  const float4 across = view[0], above = view[1], ahead = view[2];
  const float3 eye = make_float3(across.w, above.w, ahead.w);
  float3 way = make_float3(right * across.x + up * above.x + ahead.x,
                           right * across.y + up * above.y + ahead.y,
                           right * across.z + up * above.z + ahead.z);
  const float shorten = rsqrtf(dot3(way, way));
  way = make_float3(way.x * shorten, way.y * shorten, way.z * shorten);

  int nearest = -1;
  float reach = AWAY;
  if (way.y < 0.0f) {
    nearest = count;
    reach = -eye.y / way.y;
  }
  for (int i = 0; i < count; ++i) {
    const float t = to_sphere(spheres[i], eye, way);
    if (t < reach) {
      reach = t;
      nearest = i;
    }
  }
  shown[place] = nearest;
  if (nearest < 0) {
    hits[place] = 0;
    return;
  }

  const float3 met = along(eye, reach, way);
  float3 normal = make_float3(0.0f, 1.0f, 0.0f);
  if (nearest < count) {
    const float4 sphere = spheres[nearest];
    const float scale = 1.0f / sphere.w;
    normal = make_float3((met.x - sphere.x) * scale, (met.y - sphere.y) * scale,
                         (met.z - sphere.z) * scale);
  }
  const float3 from = along(met, LIFT, normal);

  // two directions across the normal: the first also across the axis that it leans to least
  float3 tangent = fabsf(normal.x) < 0.6f ? make_float3(0.0f, normal.z, -normal.y)
                                          : make_float3(-normal.z, 0.0f, normal.x);
  const float shrink = rsqrtf(dot3(tangent, tangent));
  tangent = make_float3(tangent.x * shrink, tangent.y * shrink, tangent.z * shrink);
  const float3 third = make_float3(normal.y * tangent.z - normal.z * tangent.y,
                                   normal.z * tangent.x - normal.x * tangent.z,
                                   normal.x * tangent.y - normal.y * tangent.x);

  unsigned int state = (place * 9781u + pass) * 26699u + seed;
  int stops = 0;
  for (int ray = 0; ray < TRIPS(rays); ++ray) {
    const float share = drawn(&state);
    const float turn = drawn(&state) * TURN;
    const float aside = sqrtf(share);
    const float3 zero = make_float3(0.0f, 0.0f, 0.0f);
    float3 towards = along(zero, sqrtf(1.0f - share), normal);
    towards = along(towards, aside * __cosf(turn), tangent);
    towards = along(towards, aside * __sinf(turn), third);
    if (stopped(from, towards, count)) ++stops;
  }
  hits[place] = pass == 0 ? stops : hits[place] + stops;
}

// The picture: white where nothing stops a ray, black where all are stopped.
extern "C" __global__ void ao_shade(unsigned char *__restrict__ picture,
                                    const int *__restrict__ hits, int pixels, int rays) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < pixels) picture[i] = (unsigned char)((255 * (rays - hits[i]) + rays / 2) / rays);
}
