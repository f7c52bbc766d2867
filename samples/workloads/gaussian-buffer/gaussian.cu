// Gaussian blur of images in buffers, along rows and then along columns. A pixel is four bytes:
// red, green, blue and how opaque it is; between the two passes it is four floats. Pixels that
// are wanted beyond an edge are those of the edge.
#ifndef TRIPS
#define TRIPS(n) (n)  // of the loop over weights
#endif
#define MOST_RADIUS 24
#define ROW_WIDTH 64  // a block of the first pass has ROW_WIDTH x ROW_HEIGHT threads
#define ROW_HEIGHT 4
#define COLUMN_WIDTH 16  // and of the second one COLUMN_WIDTH x COLUMN_HEIGHT
#define COLUMN_HEIGHT 16

__constant__ float weights[2 * MOST_RADIUS + 1];

// Adds a pixel that counts with a weight.
inline __device__ float4 added(float4 sum, float weight, float4 pixel) {
  sum.x += weight * pixel.x;
  sum.y += weight * pixel.y;
  sum.z += weight * pixel.z;
  sum.w += weight * pixel.w;
  return sum;
}

inline __device__ unsigned char rounded(float value) {
  return (unsigned char)min(max((int)(value + 0.5f), 0), 255);
}

// Blurs along rows. A block's pixels, and `radius` more on both sides, go to shared memory first.
extern "C" __global__ void gaussian_rows(const uchar4 *__restrict__ image,
                                         float4 *__restrict__ blurred, int width, int height,
                                         int radius) {
  __shared__ float4 part[ROW_HEIGHT][ROW_WIDTH + 2 * MOST_RADIUS];
  const int first = blockIdx.x * ROW_WIDTH;
  const int row = blockIdx.y * ROW_HEIGHT + threadIdx.y;
  const uchar4 *from = image + min(row, height - 1) * width;
  for (int i = threadIdx.x; i < ROW_WIDTH + 2 * radius; i += ROW_WIDTH) {
    const uchar4 pixel = from[min(max(first + i - radius, 0), width - 1)];
    part[threadIdx.y][i] = make_float4(pixel.x, pixel.y, pixel.z, pixel.w);
  }
  __syncthreads();

  const int column = first + threadIdx.x;
  if (column >= width || row >= height) return;
  float4 sum = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
  for (int i = 0; i < TRIPS(2 * radius + 1); ++i) {
    sum = added(sum, weights[i], part[threadIdx.y][threadIdx.x + i]);
  }
  blurred[row * width + column] = sum;
}

// Blurs along columns what the first pass has left, and rounds to bytes.
extern "C" __global__ void gaussian_columns(const float4 *__restrict__ blurred,
                                            uchar4 *__restrict__ result, int width, int height,
                                            int radius) {
  __shared__ float4 part[COLUMN_HEIGHT + 2 * MOST_RADIUS][COLUMN_WIDTH];
  const int column = blockIdx.x * COLUMN_WIDTH + threadIdx.x;
  const int first = blockIdx.y * COLUMN_HEIGHT;
  const float4 *from = blurred + min(column, width - 1);
  for (int i = threadIdx.y; i < COLUMN_HEIGHT + 2 * radius; i += COLUMN_HEIGHT) {
    part[i][threadIdx.x] = from[min(max(first + i - radius, 0), height - 1) * width];
  }
  __syncthreads();

  const int row = first + threadIdx.y;
  if (column >= width || row >= height) return;
  float4 sum = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
  for (int i = 0; i < TRIPS(2 * radius + 1); ++i) {
    sum = added(sum, weights[i], part[threadIdx.y + i][threadIdx.x]);
  }
  result[row * width + column] =
      make_uchar4(rounded(sum.x), rounded(sum.y), rounded(sum.z), rounded(sum.w));
}
