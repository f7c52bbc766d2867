// Histograms of what is in view of a photo: how often each of 256 levels occurs in red, green, blue
// and in brightness. A CTA counts a tile of TILE x TILE pixels in shared memory, with atomics that
// meet where a tile has few colours; a second kernel adds the tiles' counts up.
#ifndef TRIPS
#define TRIPS(n) (n)  // of main loops, which a build may shorten
#endif
#define TILE 64
#define ROWS 4  // of threads; a CTA is TILE x ROWS threads, each goes down TILE / ROWS pixels
#define LEVELS 256
#define COUNTS (4 * LEVELS)  // red, green, blue, brightness

// Counts a pixel. Brightness weighs green most, in steps of 1 / 256, rounded.
inline __device__ void count_pixel(unsigned int *counts, uchar4 pixel) {
  const int brightness = (77 * pixel.x + 150 * pixel.y + 29 * pixel.z + 128) >> 8;
  atomicAdd(&counts[pixel.x], 1u);
  atomicAdd(&counts[LEVELS + pixel.y], 1u);
  atomicAdd(&counts[2 * LEVELS + pixel.z], 1u);
  atomicAdd(&counts[3 * LEVELS + brightness], 1u);
}

// Counts a tile of the view, which is `width` x `height` pixels from `view` on, in rows of `pitch`.
extern "C" __global__ void histogram_tiles(const uchar4 *__restrict__ view, int pitch, int width,
                                           int height, unsigned int *__restrict__ of_tiles) {
  __shared__ unsigned int counts[COUNTS];
  const int t = threadIdx.y * TILE + threadIdx.x;
  for (int i = t; i < COUNTS; i += TILE * ROWS) counts[i] = 0;
  __syncthreads();

  const int x = blockIdx.x * TILE + threadIdx.x;
  const int top = blockIdx.y * TILE + threadIdx.y;
#pragma unroll 1  // a turn is a pixel
  for (int i = 0; i < TRIPS(TILE / ROWS); ++i) {
    const int y = top + i * ROWS;
    if (x < width && y < height) count_pixel(counts, view[y * pitch + x]);
  }
  __syncthreads();

  unsigned int *const own = of_tiles + (blockIdx.y * gridDim.x + blockIdx.x) * COUNTS;
  for (int i = t; i < COUNTS; i += TILE * ROWS) own[i] = counts[i];
}

// Adds the counts of all tiles up, a level a thread.
extern "C" __global__ void histogram_sum(const unsigned int *__restrict__ of_tiles, int tiles,
                                         unsigned int *__restrict__ histogram) {
  const int level = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned int sum = 0;
  for (int i = 0; i < TRIPS(tiles); ++i) sum += of_tiles[i * COUNTS + level];
  histogram[level] = sum;
}
