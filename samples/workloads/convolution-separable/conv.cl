// Convolution of an image with a filter that is a product of two: one for the rows, one for the
// columns. A CTA loads a tile and what lies on its sides to shared memory; each thread computes
// several pixels. Outside the image there are zeros. The taps lie in constant memory.

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

// Convolves the rows. A thread's pixels are ROW_X apart, so that the loads of a CTA are contiguous.
__kernel __attribute__((reqd_work_group_size(ROW_X, ROW_Y, 1))) void
convolution_rows(__global float *restrict output, __global const float *restrict input, int width,
                 int pitch, __constant float *restrict taps) {
  __local float tile[ROW_Y][(ROW_STEPS + 2 * HALO_STEPS) * ROW_X];
  const int column = get_local_id(0);
  __local float *line = tile[get_local_id(1)];
  // where the left halo begins
  const int x = ((int)get_group_id(0) * ROW_STEPS - HALO_STEPS) * ROW_X + column;
  const int y = get_global_id(1);
  input += y * pitch + x;
  output += y * pitch + x;

#pragma unroll
  for (int i = HALO_STEPS; i < HALO_STEPS + ROW_STEPS; ++i) {
    line[i * ROW_X + column] = input[i * ROW_X];
  }
#pragma unroll
  for (int i = 0; i < HALO_STEPS; ++i) {
    line[i * ROW_X + column] = x + i * ROW_X >= 0 ? input[i * ROW_X] : 0.0f;
  }
#pragma unroll
  for (int i = HALO_STEPS + ROW_STEPS; i < 2 * HALO_STEPS + ROW_STEPS; ++i) {
    line[i * ROW_X + column] = x + i * ROW_X < width ? input[i * ROW_X] : 0.0f;
  }
  barrier(CLK_LOCAL_MEM_FENCE);

#pragma unroll
  for (int i = HALO_STEPS; i < HALO_STEPS + ROW_STEPS; ++i) {
    float sum = 0.0f;
#pragma unroll
    for (int j = -RADIUS; j <= RADIUS; ++j) {
      sum += taps[RADIUS - j] * line[i * ROW_X + column + j];
    }
    output[i * ROW_X] = sum;
  }
}

// Convolves the columns. The tile lies the other way, a column of pixels after another; one word
// more a column keeps the threads of a row in different banks.
__kernel __attribute__((reqd_work_group_size(COLUMN_X, COLUMN_Y, 1))) void
convolution_columns(__global float *restrict output, __global const float *restrict input,
                    int height, int pitch, __constant float *restrict taps) {
  __local float tile[COLUMN_X][(COLUMN_STEPS + 2 * HALO_STEPS) * COLUMN_Y + 1];
  const int row = get_local_id(1);
  __local float *line = tile[get_local_id(0)];
  const int x = get_global_id(0);
  // where the upper halo begins
  const int y = ((int)get_group_id(1) * COLUMN_STEPS - HALO_STEPS) * COLUMN_Y + row;
  input += y * pitch + x;
  output += y * pitch + x;

#pragma unroll
  for (int i = HALO_STEPS; i < HALO_STEPS + COLUMN_STEPS; ++i) {
    line[i * COLUMN_Y + row] = input[i * COLUMN_Y * pitch];
  }
#pragma unroll
  for (int i = 0; i < HALO_STEPS; ++i) {
    line[i * COLUMN_Y + row] = y + i * COLUMN_Y >= 0 ? input[i * COLUMN_Y * pitch] : 0.0f;
  }
#pragma unroll
  for (int i = HALO_STEPS + COLUMN_STEPS; i < 2 * HALO_STEPS + COLUMN_STEPS; ++i) {
    const bool inside = y + i * COLUMN_Y < height;
    line[i * COLUMN_Y + row] = inside ? input[i * COLUMN_Y * pitch] : 0.0f;
  }
  barrier(CLK_LOCAL_MEM_FENCE);

#pragma unroll
  for (int i = HALO_STEPS; i < HALO_STEPS + COLUMN_STEPS; ++i) {
    float sum = 0.0f;
#pragma unroll
    for (int j = -RADIUS; j <= RADIUS; ++j) {
      sum += taps[RADIUS - j] * line[i * COLUMN_Y + row + j];
    }
    output[i * COLUMN_Y * pitch] = sum;
  }
}
