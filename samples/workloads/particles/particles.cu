// Balls in a box that push each other away. A uniform grid, whose cells are as wide as a ball,
// finds those that touch: balls are sorted by the number of their cell, so that those of one cell
// stand in a row, and each looks through the cells around its own. Sorting is bitonic, of a power
// of two of elements: within shared memory as far as that reaches, in global memory beyond.
#ifndef TRIPS
#define TRIPS(n) (n)
#endif
#define BLOCK 256        // threads of a CTA where shared memory is used
#define LOCAL (2 * BLOCK)  // elements that a CTA sorts
#define LOCAL_LEVELS 9     // its logarithm
#define EMPTY 0xffffffffu  // a cell without balls, and the key of what only fills up the sort

struct Rules {
  float seconds, gravity, drag, bounce;      // of a step
  float radius, spring, damping, shear;      // of a ball, and of two that touch
  float obstacle_x, obstacle_y, obstacle_z, obstacle_radius;  // a ball that nothing moves
  float per_length;                          // cells in a unit of length
};
__constant__ Rules rules;

// Numbers of the cell of a place, in x, y and z. The box goes from -1 to 1.
inline __device__ int3 cell_of(float3 place) {
  return make_int3((int)floorf((place.x + 1.0f) * rules.per_length),
                   (int)floorf((place.y + 1.0f) * rules.per_length),
                   (int)floorf((place.z + 1.0f) * rules.per_length));
}

// The number of a cell; the grid of 2^bits cells a side repeats itself beyond the box.
inline __device__ unsigned int number_of(int3 cell, int bits) {
  const int mask = (1 << bits) - 1;
  return (unsigned int)(((cell.z & mask) << bits | (cell.y & mask)) << bits | (cell.x & mask));
}

// Turns a ball back at a wall.
inline __device__ void reflect(float *place, float *speed) {
  const float most = 1.0f - rules.radius;
  if (*place > most) {
    *place = most;
    *speed *= rules.bounce;
  }
  if (*place < -most) {
    *place = -most;
    *speed *= rules.bounce;
  }
}

extern "C" __global__ void integrate(float4 *places, float4 *speeds, int balls) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= balls) return;
  float4 place = places[i];
  float4 speed = speeds[i];
  speed.y += rules.gravity * rules.seconds;
  speed.x *= rules.drag;
  speed.y *= rules.drag;
  speed.z *= rules.drag;
  place.x += speed.x * rules.seconds;
  place.y += speed.y * rules.seconds;
  place.z += speed.z * rules.seconds;
  reflect(&place.x, &speed.x);
  reflect(&place.y, &speed.y);
  reflect(&place.z, &speed.z);
  places[i] = place;
  speeds[i] = speed;
}

// The key of each ball is its cell; what is beyond the last ball sorts to the end.
extern "C" __global__ void hash_balls(unsigned int *keys, unsigned int *ids, const float4 *places,
                                      int balls, int bits) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  ids[i] = i;
  if (i >= balls) {
    keys[i] = EMPTY;
    return;
  }
  const float4 place = places[i];
  keys[i] = number_of(cell_of(make_float3(place.x, place.y, place.z)), bits);
}

// Exchanges two elements that stand the wrong way round.
inline __device__ void compare(unsigned int *key_a, unsigned int *id_a, unsigned int *key_b,
                               unsigned int *id_b, bool up) {
  if ((*key_a > *key_b) == up) {
    const unsigned int key = *key_a;
    const unsigned int id = *id_a;
    *key_a = *key_b;
    *id_a = *id_b;
    *key_b = key;
    *id_b = id;
  }
}

// Takes a CTA's elements to shared memory, and back.
inline __device__ void take(unsigned int *part, const unsigned int *all) {
  const int first = blockIdx.x * LOCAL + threadIdx.x;
  part[threadIdx.x] = all[first];
  part[threadIdx.x + BLOCK] = all[first + BLOCK];
}

inline __device__ void give(unsigned int *all, const unsigned int *part) {
  const int first = blockIdx.x * LOCAL + threadIdx.x;
  all[first] = part[threadIdx.x];
  all[first + BLOCK] = part[threadIdx.x + BLOCK];
}

// Merges runs of `size` elements, of which CTAs have all or a part: strides from `stride` down.
inline __device__ void merge(unsigned int *keys, unsigned int *ids, int size, int stride) {
  const int first = blockIdx.x * LOCAL;
  for (; stride > 0; stride >>= 1) {
    __syncthreads();
    const int low = 2 * threadIdx.x - (threadIdx.x & (stride - 1));
    const bool up = ((first + low) & size) == 0;
    compare(&keys[low], &ids[low], &keys[low + stride], &ids[low + stride], up);
  }
}

// Sorts runs of LOCAL elements, every other one downwards.
extern "C" __global__ void sort_local(unsigned int *keys, unsigned int *ids) {
  __shared__ unsigned int part[LOCAL];
  __shared__ unsigned int part_ids[LOCAL];
  take(part, keys);
  take(part_ids, ids);
#pragma unroll 1
  for (int level = 0; level < TRIPS(LOCAL_LEVELS); ++level) {
    merge(part, part_ids, 2 << level, 1 << level);
  }
  __syncthreads();
  give(keys, part);
  give(ids, part_ids);
}

// One stride of a merge, too wide for shared memory.
extern "C" __global__ void merge_global(unsigned int *keys, unsigned int *ids, int size,
                                        int stride) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int low = 2 * i - (i & (stride - 1));
  compare(&keys[low], &ids[low], &keys[low + stride], &ids[low + stride], (low & size) == 0);
}

// The strides of a merge that shared memory holds.
extern "C" __global__ void merge_local(unsigned int *keys, unsigned int *ids, int size) {
  __shared__ unsigned int part[LOCAL];
  __shared__ unsigned int part_ids[LOCAL];
  take(part, keys);
  take(part_ids, ids);
  merge(part, part_ids, size, LOCAL / 2);
  __syncthreads();
  give(keys, part);
  give(ids, part_ids);
}

extern "C" __global__ void clear_cells(unsigned int *starts, int cells) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < cells) starts[i] = EMPTY;
}

// Finds where cells start and end among the sorted balls, and puts places and speeds in that order.
// A thread compares its ball's cell with the one before, which a neighbour has loaded.
extern "C" __global__ void find_cells(unsigned int *starts, unsigned int *ends,
                                      float4 *sorted_places, float4 *sorted_speeds,
                                      const unsigned int *keys,
                                      const unsigned int *ids, const float4 *places,
                                      const float4 *speeds, int balls) {
  __shared__ unsigned int before[BLOCK + 1];
  const int i = blockIdx.x * BLOCK + threadIdx.x;
  unsigned int key = EMPTY;
  if (i < balls) {
    key = keys[i];
    before[threadIdx.x + 1] = key;
    if (threadIdx.x == 0 && i > 0) before[0] = keys[i - 1];
  }
  __syncthreads();
  if (i >= balls) return;
  if (i == 0 || key != before[threadIdx.x]) {
    starts[key] = i;
    if (i > 0) ends[before[threadIdx.x]] = i;
  }
  if (i == balls - 1) ends[key] = balls;
  const unsigned int id = ids[i];
  sorted_places[i] = places[id];
  sorted_speeds[i] = speeds[id];
}

// Adds what one ball does to another: a spring, and friction along their line and across it.
inline __device__ void push(float3 *sum, float3 way, float3 speed, float reach) {
  const float distance = sqrtf(way.x * way.x + way.y * way.y + way.z * way.z);
  if (distance >= reach || distance == 0.0f) return;
  const float scale = 1.0f / distance;
  const float3 line = make_float3(way.x * scale, way.y * scale, way.z * scale);
  const float along = speed.x * line.x + speed.y * line.y + speed.z * line.z;
  const float pressure = -rules.spring * (reach - distance) - rules.shear * along;
  const float friction = rules.damping + rules.shear;
  sum->x += pressure * line.x + friction * speed.x;
  sum->y += pressure * line.y + friction * speed.y;
  sum->z += pressure * line.z + friction * speed.z;
}

// The new speed of each ball, from those in its cell and in the 26 around it. It goes to where the
// ball was before sorting.
extern "C" __global__ void collide(float4 *new_speeds, const float4 *__restrict__ sorted_places,
                                   const float4 *__restrict__ sorted_speeds,
                                   const unsigned int *__restrict__ ids,
                                   const unsigned int *__restrict__ starts,
                                   const unsigned int *__restrict__ ends, int balls, int bits) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= balls) return;
  const float4 place = sorted_places[i];
  const float4 speed = sorted_speeds[i];
  const int3 cell = cell_of(make_float3(place.x, place.y, place.z));
  float3 sum = make_float3(0.0f, 0.0f, 0.0f);
  for (int z = -1; z <= 1; ++z) {
    for (int y = -1; y <= 1; ++y) {
      for (int x = -1; x <= 1; ++x) {
        const int3 other = make_int3(cell.x + x, cell.y + y, cell.z + z);
        const unsigned int number = number_of(other, bits);
        const unsigned int start = starts[number];
        if (start == EMPTY) continue;
        const unsigned int inside = ends[number] - start;
        for (unsigned int k = 0; k < TRIPS(inside); ++k) {
          const unsigned int j = start + k;
          if (j == i) continue;
          const float4 near = sorted_places[j];
          const float4 its = sorted_speeds[j];
          push(&sum, make_float3(near.x - place.x, near.y - place.y, near.z - place.z),
               make_float3(its.x - speed.x, its.y - speed.y, its.z - speed.z),
               2.0f * rules.radius);
        }
      }
    }
  }
  push(&sum,
       make_float3(rules.obstacle_x - place.x, rules.obstacle_y - place.y,
                   rules.obstacle_z - place.z),
       make_float3(-speed.x, -speed.y, -speed.z), rules.radius + rules.obstacle_radius);
  new_speeds[ids[i]] = make_float4(speed.x + sum.x, speed.y + sum.y, speed.z + sum.z, 0.0f);
}
