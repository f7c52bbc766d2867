// Face detection by a cascade of boosted features (Viola and Jones): a frame is made smaller level
// by level; of each level integral images of values and squares are made, along rows and then
// along columns; then every window of WINDOW x WINDOW pixels goes through stages of stumps, each of
// which compares a weighted sum of two or three rectangles with a threshold. Few windows pass the
// first stages: those go on in a launch of their own.
#ifndef TRIPS
#define TRIPS(n) (n)  // of the loops over the rows of a column, and over the stumps of a stage
#endif
#define WINDOW 24
#define SCAN 128         // threads that sum up a row
#define MOST_STUMPS 768
#define MOST_STAGES 18
#define LEAST_SPREAD 25  // variance of the pixels in a window, below which it is flat

struct Stump {
  unsigned int place[3];  // of a rectangle: left, top, width, height, a byte each; 0 for none
  int weight[3];
  float threshold;  // in multiples of the window's deviation, times its pixels
  int below;        // votes
  int above;
};

struct Stage {
  int first;  // of its stumps
  int count;
  int least;  // votes with which a window passes
};

__constant__ Stump stumps[MOST_STUMPS];
__constant__ Stage stages[MOST_STAGES];

// Makes a level of a frame, by linear interpolation between pixels. `step` is how far pixels are
// apart in the frame, in 65536ths; weights are 256ths.
extern "C" __global__ void shrink(const unsigned char *__restrict__ frame,
                                  unsigned char *__restrict__ level, int frame_width, int width,
                                  int height, int step) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  const int across = x * step >> 8;
  const int down = y * step >> 8;
  const int right = across & 255;
  const int low = down & 255;
  const unsigned char *from = frame + (down >> 8) * frame_width + (across >> 8);
  const int next = right ? 1 : 0;
  const int below = low ? frame_width : 0;
  const int upper = (256 - right) * from[0] + right * from[next];
  const int lower = (256 - right) * from[below] + right * from[below + next];
  level[y * width + x] = ((256 - low) * upper + low * lower + 32768) >> 16;
}

// Sums up the values and the squares of a row, a block each, SCAN pixels at a time. Integral
// images have a column and a row of zeros before the pixels; sums of squares may wrap.
extern "C" __global__ void integral_rows(const unsigned char *__restrict__ level,
                                         unsigned int *__restrict__ sums,
                                         unsigned int *__restrict__ squares, int width) {
  __shared__ unsigned int sum[SCAN];
  __shared__ unsigned int square[SCAN];
  const int t = threadIdx.x;
  const unsigned char *from = level + blockIdx.x * width;
  const int row = (blockIdx.x + 1) * (width + 1);
  unsigned int sum_before = 0;
  unsigned int square_before = 0;
  if (t == 0) {
    sums[row] = 0;
    squares[row] = 0;
  }
  for (int first = 0; first < width; first += SCAN) {
    const unsigned int value = first + t < width ? from[first + t] : 0;
    sum[t] = value;
    square[t] = value * value;
    __syncthreads();
    for (int apart = 1; apart < SCAN; apart *= 2) {
      const unsigned int sum_left = t >= apart ? sum[t - apart] : 0;
      const unsigned int square_left = t >= apart ? square[t - apart] : 0;
      __syncthreads();
      sum[t] += sum_left;
      square[t] += square_left;
      __syncthreads();
    }
    if (first + t < width) {
      sums[row + first + t + 1] = sum_before + sum[t];
      squares[row + first + t + 1] = square_before + square[t];
    }
    sum_before += sum[SCAN - 1];
    square_before += square[SCAN - 1];
    __syncthreads();
  }
}

// Adds up the sums of rows, a column of the integral images a thread.
extern "C" __global__ void integral_columns(unsigned int *__restrict__ sums,
                                            unsigned int *__restrict__ squares, int width,
                                            int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x > width) return;
  unsigned int sum = 0;
  unsigned int square = 0;
  sums[x] = 0;
  squares[x] = 0;
  for (int y = 1; y <= TRIPS(height); ++y) {
    const int at = y * (width + 1) + x;
    sum += sums[at];
    square += squares[at];
    sums[at] = sum;
    squares[at] = square;
  }
}

// The sum in a rectangle of a window, whose first corner is at `corner`.
inline __device__ unsigned int sum_in(const unsigned int *corner, int pitch, unsigned int place) {
  const int width = place >> 16 & 255;
  const int down = (place >> 24) * pitch;
  const unsigned int *from = corner + (place >> 8 & 255) * pitch + (place & 255);
  return from[0] + from[down + width] - from[width] - from[down];
}

// The deviation of a window's pixels, times their number; 0 for a flat one.
inline __device__ float deviation(const unsigned int *sums, const unsigned int *squares,
                                  int pitch) {
  const unsigned int whole = (unsigned int)WINDOW << 16 | (unsigned int)WINDOW << 24;
  const long long sum = sum_in(sums, pitch, whole);
  const long long square = sum_in(squares, pitch, whole);
  const long long pixels = WINDOW * WINDOW;
  const long long spread = pixels * square - sum * sum;
  return spread < LEAST_SPREAD * pixels * pixels ? 0.0f : sqrtf((float)spread);
}

// Takes a window through stages; the first that it does not pass.
inline __device__ int stages_passed(const unsigned int *window, int pitch, float spread, int from,
                                    int to) {
  int stage = from;
  for (; stage < to; ++stage) {
    const Stump *stump = stumps + stages[stage].first;
    int votes = 0;
    for (int i = 0; i < TRIPS(stages[stage].count); ++i, ++stump) {
      int value = stump->weight[0] * (int)sum_in(window, pitch, stump->place[0]) +
                  stump->weight[1] * (int)sum_in(window, pitch, stump->place[1]);
      if (stump->place[2] != 0) {
        value += stump->weight[2] * (int)sum_in(window, pitch, stump->place[2]);
      }
      votes += (float)value < stump->threshold * spread ? stump->below : stump->above;
    }
    if (votes < stages[stage].least) break;
  }
  return stage;
}

// Takes all windows of a level through the first stages, a thread each; writes how many each has
// passed. Windows are `apart` pixels from each other.
extern "C" __global__ void cascade_begin(const unsigned int *__restrict__ sums,
                                         const unsigned int *__restrict__ squares,
                                         unsigned char *__restrict__ passed, int width,
                                         int windows_across, int windows_down, int apart,
                                         int stage_count) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= windows_across || y >= windows_down) return;
  const int pitch = width + 1;
  const int at = apart * (y * pitch + x);
  const float spread = deviation(sums + at, squares + at, pitch);
  int stage = 0;
  if (spread > 0.0f) {
    stage = stages_passed(sums + at, pitch, spread, 0, stage_count);
  }
  passed[y * windows_across + x] = stage;
}

// Takes those windows that have passed the first stages through the others.
extern "C" __global__ void cascade_rest(const unsigned int *__restrict__ sums,
                                        const unsigned int *__restrict__ squares,
                                        const int *__restrict__ windows,
                                        unsigned char *__restrict__ passed, int count, int width,
                                        int windows_across, int apart, int first_stage,
                                        int stage_count) {
  const int id = blockIdx.x * blockDim.x + threadIdx.x;
  if (id >= count) return;
  const int window = windows[id];
  const int pitch = width + 1;
  const int at = apart * (window / windows_across * pitch + window % windows_across);
  const float spread = deviation(sums + at, squares + at, pitch);
  passed[window] = stages_passed(sums + at, pitch, spread, first_stage, stage_count);
}
