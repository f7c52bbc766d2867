// Convolution of an image with a filter that is a product of two: one for the rows, one for the
// columns. A CTA loads a tile and what lies on its sides to shared memory; each thread computes
// several pixels. Outside the image there are zeros.

#ifndef RADIUS
#define RADIUS 8
#endif
#ifndef ROW_X
#define ROW_X 16
#endif
#ifndef ROW_Y
#define ROW_Y 4
#endif
#ifndef ROW_STEPS
#define ROW_STEPS 8  // pixels of a thread
#endif
#ifndef COLUMN_X
#define COLUMN_X 16
#endif
#ifndef COLUMN_Y
#define COLUMN_Y 8
#endif
#ifndef COLUMN_STEPS
#define COLUMN_STEPS 8
#endif
#ifndef HALO_STEPS
#define HALO_STEPS 1  // pixels of a thread on each side of a tile
#endif

__constant__ float taps[2 * RADIUS + 1];

// Convolves the rows. A thread's pixels are ROW_X apart, so that the loads of a CTA are contiguous.
extern "C" __global__ void __launch_bounds__(ROW_X *ROW_Y)
    convolution_rows(float *__restrict__ output, const float *__restrict__ input, int width,
                     int pitch) {
  __shared__ float tile[ROW_Y][(ROW_STEPS + 2 * HALO_STEPS) * ROW_X];
  float *line = tile[threadIdx.y];
  // where the left halo begins
  const int x = ((int)blockIdx.x * ROW_STEPS - HALO_STEPS) * ROW_X + threadIdx.x;
  const int y = blockIdx.y * ROW_Y + threadIdx.y;
  input += y * pitch + x;
  output += y * pitch + x;

#pragma unroll
  for (int i = HALO_STEPS; i < HALO_STEPS + ROW_STEPS; ++i) {
    line[i * ROW_X + threadIdx.x] = input[i * ROW_X];
  }
#pragma unroll
  for (int i = 0; i < HALO_STEPS; ++i) {
    line[i * ROW_X + threadIdx.x] = x + i * ROW_X >= 0 ? input[i * ROW_X] : 0.0f;
  }
#pragma unroll
  for (int i = HALO_STEPS + ROW_STEPS; i < 2 * HALO_STEPS + ROW_STEPS; ++i) {
    line[i * ROW_X + threadIdx.x] = x + i * ROW_X < width ? input[i * ROW_X] : 0.0f;
  }
  __syncthreads();

#pragma unroll
  for (int i = HALO_STEPS; i < HALO_STEPS + ROW_STEPS; ++i) {
    float sum = 0.0f;
#pragma unroll
    for (int j = -RADIUS; j <= RADIUS; ++j) {
      sum += taps[RADIUS - j] * line[i * ROW_X + threadIdx.x + j];
    }
    output[i * ROW_X] = sum;
  }
}

// Convolves the columns. The tile lies the other way, a column of pixels after another; one word
// more a column keeps the threads of a row in different banks.
extern "C" __global__ void __launch_bounds__(COLUMN_X *COLUMN_Y)
    convolution_columns(float *__restrict__ output, const float *__restrict__ input, int height,
                        int pitch) {
  __shared__ float tile[COLUMN_X][(COLUMN_STEPS + 2 * HALO_STEPS) * COLUMN_Y + 1];
  float *line = tile[threadIdx.x];
  const int x = blockIdx.x * COLUMN_X + threadIdx.x;
  // where the upper halo begins
  const int y = ((int)blockIdx.y * COLUMN_STEPS - HALO_STEPS) * COLUMN_Y + threadIdx.y;
  input += y * pitch + x;
  output += y * pitch + x;

#pragma unroll
  for (int i = HALO_STEPS; i < HALO_STEPS + COLUMN_STEPS; ++i) {
    line[i * COLUMN_Y + threadIdx.y] = input[i * COLUMN_Y * pitch];
  }
#pragma unroll
  for (int i = 0; i < HALO_STEPS; ++i) {
    line[i * COLUMN_Y + threadIdx.y] = y + i * COLUMN_Y >= 0 ? input[i * COLUMN_Y * pitch] : 0.0f;
  }
#pragma unroll
  for (int i = HALO_STEPS + COLUMN_STEPS; i < 2 * HALO_STEPS + COLUMN_STEPS; ++i) {
    const bool inside = y + i * COLUMN_Y < height;
    line[i * COLUMN_Y + threadIdx.y] = inside ? input[i * COLUMN_Y * pitch] : 0.0f;
  }
  __syncthreads();

#pragma unroll
  for (int i = HALO_STEPS; i < HALO_STEPS + COLUMN_STEPS; ++i) {
    float sum = 0.0f;
#pragma unroll
    for (int j = -RADIUS; j <= RADIUS; ++j) {
      sum += taps[RADIUS - j] * line[i * COLUMN_Y + threadIdx.y + j];
    }
    output[i * COLUMN_Y * pitch] = sum;
  }
}
