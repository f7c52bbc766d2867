// Histograms of what is in view of a photo, which is an image: it gives the parts of a pixel as
// numbers from 0 to 1, of which 256 levels are made again. A group counts a tile of TILE x TILE
// pixels in local memory, with atomics that meet where a tile has few colours; a second kernel adds
// the tiles' counts up.
#define TILE 64
#define ROWS 4  // of work items; a group is TILE x ROWS of them, each goes down TILE / ROWS pixels
#define LEVELS 256
#define COUNTS (4 * LEVELS)  // red, green, blue, brightness

// The level of a part of a pixel.
inline int level_of(float part) { return (int)(part * (LEVELS - 1) + 0.5f); }

// Counts a pixel. Brightness weighs green most, in steps of 1 / 256, rounded.
inline void count_pixel(__local unsigned int *counts, float4 pixel) {
  const int red = level_of(pixel.x), green = level_of(pixel.y), blue = level_of(pixel.z);
  const int brightness = (77 * red + 150 * green + 29 * blue + 128) >> 8;
  atomic_inc(&counts[red]);
  atomic_inc(&counts[LEVELS + green]);
  atomic_inc(&counts[2 * LEVELS + blue]);
  atomic_inc(&counts[3 * LEVELS + brightness]);
}

// Counts a tile of the view, which is `width` x `height` pixels of the image from (left, top) on.
__kernel void histogram_tiles(__read_only image2d_t image, int left, int top, int width,
                              int height, __global unsigned int *restrict of_tiles) {
  __local unsigned int counts[COUNTS];
  const int t = get_local_id(1) * TILE + get_local_id(0);
  for (int i = t; i < COUNTS; i += TILE * ROWS) counts[i] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);

  const int x = get_group_id(0) * TILE + get_local_id(0);
  const int first = get_group_id(1) * TILE + get_local_id(1);
#pragma unroll 1  // a turn is a pixel
  for (int i = 0; i < TILE / ROWS; ++i) {
    const int y = first + i * ROWS;
    if (x < width && y < height) {
      count_pixel(counts, read_imagef(image, (int2)(left + x, top + y)));
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);

  const int tile = get_group_id(1) * get_num_groups(0) + get_group_id(0);
  __global unsigned int *const own = of_tiles + tile * COUNTS;
  for (int i = t; i < COUNTS; i += TILE * ROWS) own[i] = counts[i];
}

// Adds the counts of all tiles up, a level a work item.
__kernel void histogram_sum(__global const unsigned int *restrict of_tiles, int tiles,
                            __global unsigned int *restrict histogram) {
  const int level = get_global_id(0);
  unsigned int sum = 0;
  for (int i = 0; i < tiles; ++i) sum += of_tiles[i * COUNTS + level];
  histogram[level] = sum;
}
