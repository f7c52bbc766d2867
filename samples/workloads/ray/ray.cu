// Ray tracing of spheres on a floor, with shadows of one lamp and with reflections. A thread
// follows the path of one pixel: it ends where it leaves the scene, at a dull object, or after so
// many bounces, so that the threads of a warp part at every edge in the picture. What each bounce
// adds is kept in local memory until the path has ended.

#define MOST_OBJECTS 64
#define MOST_BOUNCES 5
#define SPHERE 0
#define AWAY 1e30f      // no object is that far
#define LIFT 0.001f     // what leaves a surface starts this far above it
#define LEAST 0.004f    // shares of light below this are not to be seen in eight bits
#define AMBIENT 0.25f

struct Object {
  float4 place;   // centre and radius of a sphere; height (y) and extent (w) of the floor
  float4 paint;   // colour, and the share of light that is mirrored
  float4 finish;  // diffuse and specular weight, shininess, kind
};

// Right, up and forward, with the eye's position as the fourth column.
__constant__ float4 view[3];
__constant__ float4 lamp;
__constant__ Object objects[MOST_OBJECTS];

inline __device__ float dot3(float3 a, float3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

// a + s * b
inline __device__ float3 along(float3 a, float s, float3 b) {
  return make_float3(a.x + s * b.x, a.y + s * b.y, a.z + s * b.z);
}

// Where a ray meets an object in front of it, or AWAY. The discriminant is taken from the part of
// the centre's offset across the ray, which loses less to rounding than the textbook's form.
inline __device__ float distance_to(const Object &object, float3 from, float3 way) {
  const float4 place = object.place;
  if (object.finish.w == SPHERE) {
    const float3 offset = make_float3(place.x - from.x, place.y - from.y, place.z - from.z);
    const float middle = dot3(offset, way);
    const float3 across = along(offset, -middle, way);
    const float inside = place.w * place.w - dot3(across, across);
    if (inside <= 0.0f) return AWAY;
    const float t = middle - sqrtf(inside);
    return t > 0.0f ? t : AWAY;
  }
  if (way.y >= 0.0f) return AWAY;  // the floor is seen from above only
  const float t = (place.y - from.y) / way.y;
  const float3 met = along(from, t, way);
  return met.x * met.x + met.z * met.z < place.w * place.w ? t : AWAY;
}

// Whether anything stands between a point and the lamp; the first object that does is enough.
inline __device__ bool in_shadow(float3 from, float3 way, float reach, int object_count) {
  for (int i = 0; i < object_count; ++i) {
    if (distance_to(objects[i], from, way) < reach) return true;
  }
  return false;
}

inline __device__ unsigned int packed(float3 light) {
  const unsigned int r = (unsigned int)(__saturatef(light.x) * 255.0f + 0.5f);
  const unsigned int g = (unsigned int)(__saturatef(light.y) * 255.0f + 0.5f);
  const unsigned int b = (unsigned int)(__saturatef(light.z) * 255.0f + 0.5f);
  return 0xff000000u | b << 16 | g << 8 | r;
}

// Renders the picture, and tells for each pixel which object it shows (-1: none). The floor's
// colour comes from a texture that repeats. A stack has the colour of each bounce, and as fourth
// part the share of light that it mirrors; run-time indices keep it out of registers. The picture's
// colour is made of it backwards: what a bounce mirrors is all that came after it.
extern "C" __global__ void ray_render(unsigned int *picture, int *shown, int width, int height,
                                      float pitch, int object_count, int bounces,
                                      cudaTextureObject_t pattern, float repeats) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  float4 stack[MOST_BOUNCES];

  const float right = (column + 0.5f - 0.5f * width) * pitch;
  const float up = (0.5f * height - row - 0.5f) * pitch;
  const float4 across = view[0], above = view[1], ahead = view[2];
  float3 from = make_float3(across.w, above.w, ahead.w);
  float3 way = make_float3(right * across.x + up * above.x + ahead.x,
                           right * across.y + up * above.y + ahead.y,
                           right * across.z + up * above.z + ahead.z);
  const float shorten = rsqrtf(dot3(way, way));
  way = make_float3(way.x * shorten, way.y * shorten, way.z * shorten);

  __syncthreads();  // all threads of the CTA set off together, those outside the picture end here
  if (column >= width || row >= height) return;

  float share = 1.0f;  // that the bounce has in the pixel
  int depth = 0;
  int first = -1;
  for (int bounce = 0; bounce < bounces; ++bounce) {
    int nearest = -1;
    float reach = AWAY;
    for (int i = 0; i < object_count; ++i) {
      const float t = distance_to(objects[i], from, way);
      if (t < reach) {
        reach = t;
        nearest = i;
      }
    }
    if (bounce == 0) first = nearest;
    if (nearest < 0) {
      const float height_of_sky = fmaxf(way.y, 0.0f);
      stack[depth++] = make_float4(0.75f - 0.5f * height_of_sky, 0.8f - 0.35f * height_of_sky,
                                   0.9f, 0.0f);
      break;
    }

    const Object object = objects[nearest];
    const float3 met = along(from, reach, way);
    float3 normal = make_float3(0.0f, 1.0f, 0.0f);
    float3 colour = make_float3(object.paint.x, object.paint.y, object.paint.z);
    if (object.finish.w == SPHERE) {
      const float scale = 1.0f / object.place.w;
      normal = make_float3((met.x - object.place.x) * scale, (met.y - object.place.y) * scale,
                           (met.z - object.place.z) * scale);
    } else {
      const float4 texel = tex2D<float4>(pattern, met.x * repeats, met.z * repeats);
      colour = make_float3(colour.x * texel.x, colour.y * texel.y, colour.z * texel.z);
    }

    from = along(met, LIFT, normal);
    float3 to_lamp = make_float3(lamp.x - from.x, lamp.y - from.y, lamp.z - from.z);
    const float closeness = rsqrtf(dot3(to_lamp, to_lamp));
    to_lamp = make_float3(to_lamp.x * closeness, to_lamp.y * closeness, to_lamp.z * closeness);
    const float facing = dot3(normal, to_lamp);
    const float3 mirrored = along(way, -2.0f * dot3(way, normal), normal);
    float diffuse = AMBIENT;
    float gloss = 0.0f;
    if (facing > 0.0f && !in_shadow(from, to_lamp, 1.0f / closeness, object_count)) {
      diffuse += object.finish.x * facing;
      const float towards = dot3(mirrored, to_lamp);
      if (towards > 0.0f) gloss = object.finish.y * lamp.w * __powf(towards, object.finish.z);
    }
    const float3 light = along(make_float3(gloss, gloss, gloss),
                               (1.0f - object.paint.w) * diffuse, colour);
    stack[depth++] = make_float4(light.x, light.y, light.z, object.paint.w);

    share *= object.paint.w;
    if (share < LEAST) break;
    way = mirrored;
  }

  float3 light = make_float3(0.0f, 0.0f, 0.0f);
#pragma unroll 1
  while (depth > 0) {
    const float4 bounce = stack[--depth];
    light = along(make_float3(bounce.x, bounce.y, bounce.z), bounce.w, light);
  }
  picture[row * width + column] = packed(light);
  shown[row * width + column] = first;
}
