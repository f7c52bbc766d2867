// Face detection by a cascade of boosted features (Viola and Jones): a frame is made smaller level
// by level; of each level integral images of values and squares are made, along rows and then
// along columns; then every window of WINDOW x WINDOW pixels goes through stages of stumps, each of
// which compares a weighted sum of two or three rectangles with a threshold. Few windows pass the
// first stages: those go on in a launch of their own.
#define WINDOW 24
#define SCAN 128         // work items that sum up a row
#define LEAST_SPREAD 25  // variance of the pixels in a window, below which it is flat

typedef struct {
  uint place[3];  // of a rectangle: left, top, width, height, a byte each; 0 for none
  int weight[3];
  float threshold;  // in multiples of the window's deviation, times its pixels
  int below;        // votes
  int above;
} Stump;

typedef struct {
  int first;  // of its stumps
  int count;
  int least;  // votes with which a window passes
} Stage;

// Makes a level of a frame, by linear interpolation between pixels. `step` is how far pixels are
// apart in the frame, in 65536ths; weights are 256ths.
__kernel void shrink(__global const uchar *restrict frame, __global uchar *restrict level,
                     int frame_width, int width, int height, int step) {
  const int x = get_global_id(0);
  const int y = get_global_id(1);
  if (x >= width || y >= height) {
    return;
  }
  const int across = x * step >> 8;
  const int down = y * step >> 8;
  const int right = across & 255;
  const int low = down & 255;
  __global const uchar *from = frame + (down >> 8) * frame_width + (across >> 8);
  const int next = right ? 1 : 0;
  const int below = low ? frame_width : 0;
  const int upper = (256 - right) * from[0] + right * from[next];
  const int lower = (256 - right) * from[below] + right * from[below + next];
  level[y * width + x] = ((256 - low) * upper + low * lower + 32768) >> 16;
}

// Sums up the values and the squares of a row, a group each, SCAN pixels at a time. Integral
// images have a column and a row of zeros before the pixels; sums of squares may wrap.
__kernel void integral_rows(__global const uchar *restrict level, __global uint *restrict sums,
                            __global uint *restrict squares, int width) {
  __local uint sum[SCAN];
  __local uint square[SCAN];
  const int t = get_local_id(0);
  __global const uchar *from = level + (int)get_group_id(0) * width;
  const int row = ((int)get_group_id(0) + 1) * (width + 1);
  uint sum_before = 0;
  uint square_before = 0;
  if (t == 0) {
    sums[row] = 0;
    squares[row] = 0;
  }
  for (int first = 0; first < width; first += SCAN) {
    const uint value = first + t < width ? from[first + t] : 0;
    sum[t] = value;
    square[t] = value * value;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int apart = 1; apart < SCAN; apart *= 2) {
      const uint sum_left = t >= apart ? sum[t - apart] : 0;
      const uint square_left = t >= apart ? square[t - apart] : 0;
      barrier(CLK_LOCAL_MEM_FENCE);
      sum[t] += sum_left;
      square[t] += square_left;
      barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (first + t < width) {
      sums[row + first + t + 1] = sum_before + sum[t];
      squares[row + first + t + 1] = square_before + square[t];
    }
    sum_before += sum[SCAN - 1];
    square_before += square[SCAN - 1];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}

// Adds up the sums of rows, a column of the integral images a work item.
__kernel void integral_columns(__global uint *restrict sums, __global uint *restrict squares,
                               int width, int height) {
  const int x = get_global_id(0);
  if (x > width) {
    return;
  }
  uint sum = 0;
  uint square = 0;
  sums[x] = 0;
  squares[x] = 0;
  for (int y = 1; y <= height; ++y) {
    const int at = y * (width + 1) + x;
    sum += sums[at];
    square += squares[at];
    sums[at] = sum;
    squares[at] = square;
  }
}

// The sum in a rectangle of a window, whose first corner is at `corner`.
static inline uint sum_in(__global const uint *corner, int pitch, uint place) {
  const int width = place >> 16 & 255;
  const int down = (place >> 24) * pitch;
  __global const uint *from = corner + (place >> 8 & 255) * pitch + (place & 255);
  return from[0] + from[down + width] - from[width] - from[down];
}

// The deviation of a window's pixels, times their number; 0 for a flat one.
static inline float deviation(__global const uint *sums, __global const uint *squares, int pitch) {
  const uint whole = (uint)WINDOW << 16 | (uint)WINDOW << 24;
  const long sum = sum_in(sums, pitch, whole);
  const long square = sum_in(squares, pitch, whole);
  const long pixels = WINDOW * WINDOW;
  const long spread = pixels * square - sum * sum;
  return spread < LEAST_SPREAD * pixels * pixels ? 0.0f : sqrt((float)spread);
}

// Takes a window through stages; the first that it does not pass.
static inline int stages_passed(__global const uint *window, int pitch, float spread, int from,
                                int to, __constant const Stump *stumps,
                                __constant const Stage *stages) {
  int stage = from;
  for (; stage < to; ++stage) {
    __constant const Stump *stump = stumps + stages[stage].first;
    int votes = 0;
    for (int i = 0; i < stages[stage].count; ++i, ++stump) {
      int value = stump->weight[0] * (int)sum_in(window, pitch, stump->place[0]) +
                  stump->weight[1] * (int)sum_in(window, pitch, stump->place[1]);
      if (stump->place[2] != 0) {
        value += stump->weight[2] * (int)sum_in(window, pitch, stump->place[2]);
      }
      votes += (float)value < stump->threshold * spread ? stump->below : stump->above;
    }
    if (votes < stages[stage].least) {
      break;
    }
  }
  return stage;
}

// Takes all windows of a level through the first stages, a work item each; writes how many each has
// passed. Windows are `apart` pixels from each other.
__kernel void cascade_begin(__global const uint *restrict sums,
                            __global const uint *restrict squares, __global uchar *restrict passed,
                            int width, int windows_across, int windows_down, int apart,
                            int stage_count, __constant const Stump *stumps,
                            __constant const Stage *stages) {
  const int x = get_global_id(0);
  const int y = get_global_id(1);
  if (x >= windows_across || y >= windows_down) {
    return;
  }
  const int pitch = width + 1;
  const int at = apart * (y * pitch + x);
  const float spread = deviation(sums + at, squares + at, pitch);
  int stage = 0;
  if (spread > 0.0f) {
    stage = stages_passed(sums + at, pitch, spread, 0, stage_count, stumps, stages);
  }
  passed[y * windows_across + x] = stage;
}

// Takes those windows that have passed the first stages through the others.
__kernel void cascade_rest(__global const uint *restrict sums,
                           __global const uint *restrict squares,
                           __global const int *restrict windows, __global uchar *restrict passed,
                           int count, int width, int windows_across, int apart, int first_stage,
                           int stage_count, __constant const Stump *stumps,
                           __constant const Stage *stages) {
  const int id = get_global_id(0);
  if (id >= count) {
    return;
  }
  const int window = windows[id];
  const int pitch = width + 1;
  const int at = apart * (window / windows_across * pitch + window % windows_across);
  const float spread = deviation(sums + at, squares + at, pitch);
  passed[window] =
      stages_passed(sums + at, pitch, spread, first_stage, stage_count, stumps, stages);
}
