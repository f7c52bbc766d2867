// Direct convolution of images with many channels, as layers of neural networks do it: an output is
// the sum over input channels and over a window, moved by `stride`; beyond the border lie zeros. A
// thread has one output; the grid's z is the output channel.
#ifndef TRIPS
#define TRIPS(n) (n)
#endif
#define CAPACITY 16384  // weights in constant memory: all of its 64 KiB
#define TILE 16         // outputs a side of a CTA's tile
#define MOST_SIDE 7     // of a window
#define MOST_STRIDE 2
#define MOST_SHARED (MOST_STRIDE * (TILE - 1) + MOST_SIDE)

// By output channel, input channel, row and column of the window.
__constant__ float filters[CAPACITY];

// Reads inputs from global memory, and looks at each whether it lies in the image: threads at the
// border leave elements of the window out.
extern "C" __global__ void conv2d_direct(const float *__restrict__ input,
                                         float *__restrict__ output, int channels, int height,
                                         int width, int side, int stride, int out_height,
                                         int out_width) {
  const int x = blockIdx.x * TILE + threadIdx.x;
  const int y = blockIdx.y * TILE + threadIdx.y;
  if (x >= out_width || y >= out_height) {
    return;
  }
  const int left = x * stride - side / 2;
  const int top = y * stride - side / 2;
  const float *weight = filters + blockIdx.z * channels * side * side;
  float sum = 0.0f;
  for (int c = 0; c < TRIPS(channels); ++c) {
    const float *const plane = input + c * height * width;
    for (int i = 0; i < TRIPS(side); ++i) {
      const int row = top + i;
      if (row < 0 || row >= height) {
        continue;
      }
      for (int j = 0; j < TRIPS(side); ++j) {
        const int column = left + j;
        if (column >= 0 && column < width) {
          sum += plane[row * width + column] * weight[(c * side + i) * side + j];
        }
      }
    }
  }
  output[(blockIdx.z * out_height + y) * out_width + x] = sum;
}

// Loads the inputs of a tile into shared memory channel by channel, zeros beyond the border, and
// adds up without looking; two barriers a channel. With a stride of 2, threads of a row read every
// other word.
extern "C" __global__ void conv2d_tiled(const float *__restrict__ input,
                                        float *__restrict__ output, int channels, int height,
                                        int width, int side, int stride, int out_height,
                                        int out_width) {
  __shared__ float tile[MOST_SHARED][MOST_SHARED];
  const int x = blockIdx.x * TILE + threadIdx.x;
  const int y = blockIdx.y * TILE + threadIdx.y;
  const int left = blockIdx.x * TILE * stride - side / 2;
  const int top = blockIdx.y * TILE * stride - side / 2;
  const int wide = (TILE - 1) * stride + side;  // inputs a side that the tile needs
  const int rounds = (wide * wide + TILE * TILE - 1) / (TILE * TILE);
  const float *weight = filters + blockIdx.z * channels * side * side;
  float sum = 0.0f;
  for (int c = 0; c < TRIPS(channels); ++c) {
    const float *const plane = input + c * height * width;
    for (int round = 0; round < TRIPS(rounds); ++round) {
      const int place = round * TILE * TILE + threadIdx.y * TILE + threadIdx.x;
      if (place < wide * wide) {
        const int row = top + place / wide;
        const int column = left + place % wide;
        const bool inside = row >= 0 && row < height && column >= 0 && column < width;
        tile[place / wide][place % wide] = inside ? plane[row * width + column] : 0.0f;
      }
    }
    __syncthreads();
    for (int i = 0; i < TRIPS(side); ++i) {
      for (int j = 0; j < TRIPS(side); ++j) {
        sum += tile[threadIdx.y * stride + i][threadIdx.x * stride + j] *
               weight[(c * side + i) * side + j];
      }
    }
    __syncthreads();
  }
  if (x < out_width && y < out_height) {
    output[(blockIdx.z * out_height + y) * out_width + x] = sum;
  }
}
