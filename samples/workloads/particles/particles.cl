// Balls in a box that push each other away. A uniform grid, whose cells are as wide as a ball,
// finds those that touch: balls are sorted by the number of their cell, so that those of one cell
// stand in a row, and each looks through the cells around its own. Sorting is bitonic, of a power
// of two of elements: within local memory as far as that reaches, in global memory beyond.
#define BLOCK 256        // work-items of a group where local memory is used
#define LOCAL (2 * BLOCK)  // elements that a group sorts
#define LOCAL_LEVELS 9     // its logarithm
#define EMPTY 0xffffffffu  // a cell without balls, and the key of what only fills up the sort

typedef struct {
  float seconds, gravity, drag, bounce;      // of a step
  float radius, spring, damping, shear;      // of a ball, and of two that touch
  float obstacle_x, obstacle_y, obstacle_z, obstacle_radius;  // a ball that nothing moves
  float per_length;                          // cells in a unit of length
} Rules;

// Numbers of the cell of a place, in x, y and z. The box goes from -1 to 1.
static inline int3 cell_of(float3 place, float per_length) {
  const float3 cells = (place + 1.0f) * per_length;
  return (int3)((int)floor(cells.x), (int)floor(cells.y), (int)floor(cells.z));
}

// The number of a cell; the grid of 2^bits cells a side repeats itself beyond the box.
static inline uint number_of(int3 cell, int bits) {
  const int mask = (1 << bits) - 1;
  return (uint)(((cell.z & mask) << bits | (cell.y & mask)) << bits | (cell.x & mask));
}

// Turns a ball back at a wall.
static inline void reflect(float *place, float *speed, float radius, float bounce) {
  const float most = 1.0f - radius;
  if (*place > most) {
    *place = most;
    *speed *= bounce;
  }
  if (*place < -most) {
    *place = -most;
    *speed *= bounce;
  }
}

__kernel void integrate(__global float4 *places, __global float4 *speeds, int balls,
                        __constant Rules *rules) {
  const int i = get_global_id(0);
  if (i >= balls) return;
  float4 place = places[i];
  float4 speed = speeds[i];
  float x = place.x, y = place.y, z = place.z;
  float vx = speed.x * rules->drag;
  float vy = (speed.y + rules->gravity * rules->seconds) * rules->drag;
  float vz = speed.z * rules->drag;
  x += vx * rules->seconds;
  y += vy * rules->seconds;
  z += vz * rules->seconds;
  reflect(&x, &vx, rules->radius, rules->bounce);
  reflect(&y, &vy, rules->radius, rules->bounce);
  reflect(&z, &vz, rules->radius, rules->bounce);
  places[i] = (float4)(x, y, z, place.w);
  speeds[i] = (float4)(vx, vy, vz, speed.w);
}

// The key of each ball is its cell; what is beyond the last ball sorts to the end.
__kernel void hash_balls(__global uint *keys, __global uint *ids, __global const float4 *places,
                         int balls, int bits, __constant Rules *rules) {
  const int i = get_global_id(0);
  ids[i] = i;
  if (i >= balls) {
    keys[i] = EMPTY;
    return;
  }
  keys[i] = number_of(cell_of(places[i].xyz, rules->per_length), bits);
}

// Takes a group's elements to local memory, and back.
static inline void take(__local uint *part, __global const uint *all) {
  const int first = get_group_id(0) * LOCAL + get_local_id(0);
  part[get_local_id(0)] = all[first];
  part[get_local_id(0) + BLOCK] = all[first + BLOCK];
}

static inline void give(__global uint *all, __local const uint *part) {
  const int first = get_group_id(0) * LOCAL + get_local_id(0);
  all[first] = part[get_local_id(0)];
  all[first + BLOCK] = part[get_local_id(0) + BLOCK];
}

// Merges runs of `size` elements, of which groups have all or a part: strides from `stride` down.
static inline void merge(__local uint *keys, __local uint *ids, int size, int stride) {
  const int first = get_group_id(0) * LOCAL;
  const int t = get_local_id(0);
  for (; stride > 0; stride >>= 1) {
    barrier(CLK_LOCAL_MEM_FENCE);
    const int low = 2 * t - (t & (stride - 1));
    const int high = low + stride;
    const bool up = ((first + low) & size) == 0;
    const uint key = keys[low];
    const uint key_high = keys[high];
    if ((key > key_high) == up) {  // they stand the wrong way round
      const uint id = ids[low];
      keys[low] = key_high;
      ids[low] = ids[high];
      keys[high] = key;
      ids[high] = id;
    }
  }
}

// Sorts runs of LOCAL elements, every other one downwards.
__kernel void sort_local(__global uint *keys, __global uint *ids) {
  __local uint part[LOCAL];
  __local uint part_ids[LOCAL];
  take(part, keys);
  take(part_ids, ids);
  for (int level = 0; level < LOCAL_LEVELS; ++level) {
    merge(part, part_ids, 2 << level, 1 << level);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  give(keys, part);
  give(ids, part_ids);
}

// One stride of a merge, too wide for local memory.
__kernel void merge_global(__global uint *keys, __global uint *ids, int size, int stride) {
  const int i = get_global_id(0);
  const int low = 2 * i - (i & (stride - 1));
  const int high = low + stride;
  const uint key = keys[low];
  const uint key_high = keys[high];
  if ((key > key_high) == ((low & size) == 0)) {
    const uint id = ids[low];
    keys[low] = key_high;
    ids[low] = ids[high];
    keys[high] = key;
    ids[high] = id;
  }
}

// The strides of a merge that local memory holds.
__kernel void merge_local(__global uint *keys, __global uint *ids, int size) {
  __local uint part[LOCAL];
  __local uint part_ids[LOCAL];
  take(part, keys);
  take(part_ids, ids);
  merge(part, part_ids, size, LOCAL / 2);
  barrier(CLK_LOCAL_MEM_FENCE);
  give(keys, part);
  give(ids, part_ids);
}

__kernel void clear_cells(__global uint *starts, int cells) {
  const int i = get_global_id(0);
  if (i < cells) starts[i] = EMPTY;
}

// Finds where cells start and end among the sorted balls, and puts places and speeds in that order.
// A work-item compares its ball's cell with the one before, which a neighbour has loaded.
__kernel void find_cells(__global uint *starts, __global uint *ends, __global float4 *sorted_places,
                         __global float4 *sorted_speeds, __global const uint *keys,
                         __global const uint *ids, __global const float4 *places,
                         __global const float4 *speeds, int balls) {
  __local uint before[BLOCK + 1];
  const int t = get_local_id(0);
  const int i = get_global_id(0);
  uint key = EMPTY;
  if (i < balls) {
    key = keys[i];
    before[t + 1] = key;
    if (t == 0 && i > 0) before[0] = keys[i - 1];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (i >= balls) return;
  if (i == 0 || key != before[t]) {
    starts[key] = i;
    if (i > 0) ends[before[t]] = i;
  }
  if (i == balls - 1) ends[key] = balls;
  const uint id = ids[i];
  sorted_places[i] = places[id];
  sorted_speeds[i] = speeds[id];
}

// What one ball does to another: a spring, and friction along their line and across it.
static inline float3 push(float3 way, float3 speed, float reach, __constant Rules *rules) {
  const float distance = sqrt(way.x * way.x + way.y * way.y + way.z * way.z);
  if (distance >= reach || distance == 0.0f) return (float3)(0.0f, 0.0f, 0.0f);
  const float3 line = way * (1.0f / distance);
  const float along = speed.x * line.x + speed.y * line.y + speed.z * line.z;
  const float pressure = -rules->spring * (reach - distance) - rules->shear * along;
  return pressure * line + (rules->damping + rules->shear) * speed;
}

// The new speed of each ball, from those in its cell and in the 26 around it. It goes to where the
// ball was before sorting.
__kernel void collide(__global float4 *new_speeds, __global const float4 *restrict sorted_places,
                      __global const float4 *restrict sorted_speeds,
                      __global const uint *restrict ids, __global const uint *restrict starts,
                      __global const uint *restrict ends, int balls, int bits,
                      __constant Rules *rules) {
  const int i = get_global_id(0);
  if (i >= balls) return;
  const float3 place = sorted_places[i].xyz;
  const float3 speed = sorted_speeds[i].xyz;
  const int3 cell = cell_of(place, rules->per_length);
  float3 sum = (float3)(0.0f, 0.0f, 0.0f);
  for (int z = -1; z <= 1; ++z) {
    for (int y = -1; y <= 1; ++y) {
      for (int x = -1; x <= 1; ++x) {
        const uint number = number_of(cell + (int3)(x, y, z), bits);
        const uint start = starts[number];
        if (start == EMPTY) continue;
        const uint end = ends[number];
        for (uint j = start; j < end; ++j) {
          if (j == i) continue;
          sum += push(sorted_places[j].xyz - place, sorted_speeds[j].xyz - speed,
                      2.0f * rules->radius, rules);
        }
      }
    }
  }
  const float3 obstacle = (float3)(rules->obstacle_x, rules->obstacle_y, rules->obstacle_z);
  sum += push(obstacle - place, -speed, rules->radius + rules->obstacle_radius, rules);
  new_speeds[ids[i]] = (float4)(speed + sum, 0.0f);
}
