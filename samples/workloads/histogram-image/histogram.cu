// Histograms of what is in view of a photo, which is an image: a texture gives the parts of a pixel
// as numbers from 0 to 1, of which 256 levels are made again. A CTA counts a tile of TILE x TILE
// pixels in shared memory, with atomics that meet where a tile has few colours; a second kernel
// adds the tiles' counts up.
#ifndef TRIPS
#define TRIPS(n) (n)  // of main loops, which a build may shorten
#endif
#define TILE 64
#define ROWS 4  // of threads; a CTA is TILE x ROWS threads, each goes down TILE / ROWS pixels
#define LEVELS 256
#define COUNTS (4 * LEVELS)  // red, green, blue, brightness

// The level of a part of a pixel.
inline __device__ int level_of(float part) { return (int)(part * (LEVELS - 1) + 0.5f); }

// Counts a pixel. Brightness weighs green most, in steps of 1 / 256, rounded.
inline __device__ void count_pixel(unsigned int *counts, float4 pixel) {
  const int red = level_of(pixel.x), green = level_of(pixel.y), blue = level_of(pixel.z);
  const int brightness = (77 * red + 150 * green + 29 * blue + 128) >> 8;
  atomicAdd(&counts[red], 1u);
  atomicAdd(&counts[LEVELS + green], 1u);
  atomicAdd(&counts[2 * LEVELS + blue], 1u);
  atomicAdd(&counts[3 * LEVELS + brightness], 1u);
}

// Counts a tile of the view, which is `width` x `height` pixels of the image from (left, top) on.
extern "C" __global__ void histogram_tiles(cudaTextureObject_t image, int left, int top, int width,
                                           int height, unsigned int *__restrict__ of_tiles) {
  __shared__ unsigned int counts[COUNTS];
  const int t = threadIdx.y * TILE + threadIdx.x;
  for (int i = t; i < COUNTS; i += TILE * ROWS) counts[i] = 0;
  __syncthreads();

  const int x = blockIdx.x * TILE + threadIdx.x;
  const int first = blockIdx.y * TILE + threadIdx.y;
#pragma unroll 1  // a turn is a pixel
  for (int i = 0; i < TRIPS(TILE / ROWS); ++i) {
    const int y = first + i * ROWS;
    if (x < width && y < height) {
      count_pixel(counts, tex2D<float4>(image, left + x + 0.5f, top + y + 0.5f));
    }
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
