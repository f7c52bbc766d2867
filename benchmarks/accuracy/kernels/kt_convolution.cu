// A picture weighted with a filter: out[y][x] = sum of in[y + i][x + j] * filter[i][j].
//
// A thread makes TILE_SIZE_Y * TILE_SIZE_X outputs that lie a block apart, all sums in registers.
// With USE_SHMEM a block first copies the part of the input that it reads to shared memory; without,
// every tap is a load from global memory. READ_ONLY takes the path of data that nobody writes.
// All sizes are macros: what they are is known when this is compiled.
#ifndef IMAGE
#define IMAGE 4096  // outputs a side
#endif
#define SPAN_X (BLOCK_SIZE_X * TILE_SIZE_X)  // outputs of a block
#define SPAN_Y (BLOCK_SIZE_Y * TILE_SIZE_Y)
#define INPUT_WIDTH (IMAGE + FILTER_W - 1)
#define INPUT_HEIGHT (IMAGE + FILTER_H - 1)
#define PATCH_WIDTH (SPAN_X + FILTER_W - 1)  // inputs of a block
#define PATCH_HEIGHT (SPAN_Y + FILTER_H - 1)
// Rows of a patch are lengthened so that lanes of a warp in two rows meet other banks.
#if USE_PADDING && (PATCH_WIDTH - BLOCK_SIZE_X) % 32 != 0
#define PADDING ((32 - (PATCH_WIDTH - BLOCK_SIZE_X) % 32) % 32)
#else
#define PADDING 0
#endif
// Blocks that reach over the edge exist only where they do not divide the picture.
#define CUT (IMAGE % SPAN_X != 0 || IMAGE % SPAN_Y != 0)

#if READ_ONLY
#define INPUT(place) __ldg(in + (place))
#else
#define INPUT(place) in[place]
#endif

__constant__ float filter[FILTER_H * FILTER_W];

// `out` is IMAGE x IMAGE; `in` is INPUT_HEIGHT x INPUT_WIDTH and, without USE_SHMEM, goes on for as
// many rows as blocks reach over the edge: taps that only such outputs use are not tested.
extern "C" __global__ void convolution(float *out, float *in) {
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int left = blockIdx.x * SPAN_X, top = blockIdx.y * SPAN_Y;

#if USE_SHMEM
  __shared__ float patch[PATCH_HEIGHT][PATCH_WIDTH + PADDING];
#pragma unroll
  for (int i = ty; i < PATCH_HEIGHT; i += BLOCK_SIZE_Y) {
#pragma unroll
    for (int j = tx; j < PATCH_WIDTH; j += BLOCK_SIZE_X) {
#if CUT
      if (top + i < INPUT_HEIGHT && left + j < INPUT_WIDTH)
#endif
        patch[i][j] = INPUT((top + i) * INPUT_WIDTH + left + j);
    }
  }
  __syncthreads();
#define TAP(y, x) patch[y][x]
#else
#define TAP(y, x) INPUT((top + (y)) * INPUT_WIDTH + left + (x))
#endif
  // Without shared memory, taps of outputs over the edge are tested too, one by one.
#if CUT && !USE_SHMEM
#define IN_PICTURE(y, x) (top + (y) < IMAGE && left + (x) < IMAGE)
#else
#define IN_PICTURE(y, x) true
#endif

  float sum[TILE_SIZE_Y][TILE_SIZE_X] = {};
#pragma unroll
  for (int i = 0; i < FILTER_H; ++i) {
#pragma unroll
    for (int j = 0; j < FILTER_W; ++j) {
#pragma unroll
      for (int yi = 0; yi < TILE_SIZE_Y; ++yi) {
#pragma unroll
        for (int xi = 0; xi < TILE_SIZE_X; ++xi) {
          if (IN_PICTURE(ty + yi * BLOCK_SIZE_Y, tx + xi * BLOCK_SIZE_X)) {
            const float value = TAP(ty + i + yi * BLOCK_SIZE_Y, tx + j + xi * BLOCK_SIZE_X);
            sum[yi][xi] += value * filter[i * FILTER_W + j];
          }
        }
      }
    }
  }

#pragma unroll
  for (int yi = 0; yi < TILE_SIZE_Y; ++yi) {
#pragma unroll
    for (int xi = 0; xi < TILE_SIZE_X; ++xi) {
      const int y = top + ty + yi * BLOCK_SIZE_Y, x = left + tx + xi * BLOCK_SIZE_X;
#if CUT
      if (y < IMAGE && x < IMAGE)
#endif
        out[y * IMAGE + x] = sum[yi][xi];
    }
  }
}
