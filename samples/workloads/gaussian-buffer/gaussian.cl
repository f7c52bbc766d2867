// Gaussian blur of images in buffers, along rows and then along columns. A pixel is four bytes:
// red, green, blue and how opaque it is; between the two passes it is four floats. Pixels that
// are wanted beyond an edge are those of the edge.
#define MOST_RADIUS 24
#define ROW_WIDTH 64  // a group of the first pass has ROW_WIDTH x ROW_HEIGHT work items
#define ROW_HEIGHT 4
#define COLUMN_WIDTH 16  // and of the second one COLUMN_WIDTH x COLUMN_HEIGHT
#define COLUMN_HEIGHT 16

// Blurs along rows. A group's pixels, and `radius` more on both sides, go to local memory first.
__kernel void gaussian_rows(__global const uchar4 *restrict image, __global float4 *restrict blurred,
                            int width, int height, int radius, __constant float *weights) {
  __local float4 part[ROW_HEIGHT][ROW_WIDTH + 2 * MOST_RADIUS];
  const int x = get_local_id(0);
  const int y = get_local_id(1);
  const int first = get_group_id(0) * ROW_WIDTH;
  const int row = get_group_id(1) * ROW_HEIGHT + y;
  __global const uchar4 *from = image + min(row, height - 1) * width;
  for (int i = x; i < ROW_WIDTH + 2 * radius; i += ROW_WIDTH) {
    part[y][i] = convert_float4(from[clamp(first + i - radius, 0, width - 1)]);
  }
  barrier(CLK_LOCAL_MEM_FENCE);

  const int column = first + x;
  if (column >= width || row >= height) {
    return;
  }
  float4 sum = (float4)(0.0f);
  for (int i = 0; i < 2 * radius + 1; ++i) {
    sum += weights[i] * part[y][x + i];
  }
  blurred[row * width + column] = sum;
}

// Blurs along columns what the first pass has left, and rounds to bytes.
__kernel void gaussian_columns(__global const float4 *restrict blurred,
                               __global uchar4 *restrict result, int width, int height, int radius,
                               __constant float *weights) {
  __local float4 part[COLUMN_HEIGHT + 2 * MOST_RADIUS][COLUMN_WIDTH];
  const int x = get_local_id(0);
  const int y = get_local_id(1);
  const int column = get_group_id(0) * COLUMN_WIDTH + x;
  const int first = get_group_id(1) * COLUMN_HEIGHT;
  __global const float4 *from = blurred + min(column, width - 1);
  for (int i = y; i < COLUMN_HEIGHT + 2 * radius; i += COLUMN_HEIGHT) {
    part[i][x] = from[clamp(first + i - radius, 0, height - 1) * width];
  }
  barrier(CLK_LOCAL_MEM_FENCE);

  const int row = first + y;
  if (column >= width || row >= height) {
    return;
  }
  float4 sum = (float4)(0.0f);
  for (int i = 0; i < 2 * radius + 1; ++i) {
    sum += weights[i] * part[y + i][x];
  }
  result[row * width + column] = convert_uchar4_sat(sum + 0.5f);
}
