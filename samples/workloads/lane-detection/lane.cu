// Lane detection and tracking, three kernels: lane_pre finds pixels of markings in a part of the
// frame, the region of interest; lane_detect scores lanes that were drawn anywhere; lane_track
// moves the particles of a filter and scores them. A lane's centre is a parabola over rows,
// counted from the nearest one; its two lines come together with the distance.

#ifndef SPAN
#define SPAN 2  // pixels that are added up to either side of a line
#endif
#ifndef UNROLL
#define UNROLL 1  // rows of a lane in one turn of their loop
#endif

constexpr int unroll = UNROLL;  // the pragma takes no macro

// How far from a pixel its surroundings are, in this row: markings are wider when near.
inline __device__ int reach_of(int row) {
  return 4 + row * 3 / 32;
}

// A pixel and its eight neighbours, weighted.
inline __device__ int smoothed(const unsigned char *frame, int width, int at) {
  int sum = 0;
#pragma unroll
  for (int dy = -1; dy <= 1; ++dy) {
    const unsigned char *row = frame + at + dy * width;
    sum += (2 - dy * dy) * (row[-1] + 2 * row[0] + row[1]);
  }
  return sum >> 4;
}

// Finds markings, a thread for each pixel: those brighter than both sides, by more in bright
// surroundings, that are not too wide. Few pixels come to the loops that measure the width.
extern "C" __global__ void lane_pre(const unsigned char *__restrict__ frame,
                                    unsigned char *__restrict__ markings, int frame_width, int left,
                                    int top, int width, int height) {
  const int id = blockIdx.x * blockDim.x + threadIdx.x;
  if (id >= width * height) {
    return;
  }
  const int row = id / width;
  const int at = (top + row) * frame_width + left + id % width;
  const int reach = reach_of(row);
  const int here = smoothed(frame, frame_width, at);
  const int before = smoothed(frame, frame_width, at - reach);
  const int behind = smoothed(frame, frame_width, at + reach);
  const int contrast = here - max(before, behind);
  int mark = 0;
  if (contrast > 8 + (before + behind) / 16) {
    const int edge = here - contrast / 2;
    int to_left = 1;
    while (to_left < reach && smoothed(frame, frame_width, at - to_left) > edge) {
      ++to_left;
    }
    int to_right = 1;
    while (to_right < reach && smoothed(frame, frame_width, at + to_right) > edge) {
      ++to_right;
    }
    if (to_left + to_right <= reach + 2) {
      mark = min(255, 2 * contrast);
    }
  }
  markings[id] = mark;
}

// Adds up the marks around a place in a row; those outside of the region count nothing.
inline __device__ int marks_around(const unsigned char *row, int width, float x) {
  const int middle = (int)floorf(x + 0.5f);
  int sum = 0;
  if (middle >= SPAN && middle < width - SPAN) {
    for (int i = -SPAN; i <= SPAN; ++i) {
      sum += row[middle + i];
    }
  }
  return sum;
}

// Scores lanes that the host has drawn (offsets, slopes and curves, one after the other), a thread
// each. A lane that leaves the region on one side goes on with the other.
extern "C" __global__ void lane_detect(const unsigned char *__restrict__ markings, int width,
                                       int height, const float *__restrict__ lanes,
                                       int *__restrict__ scores, int count, float half_near,
                                       float narrowing) {
  const int id = blockIdx.x * blockDim.x + threadIdx.x;
  if (id >= count) {
    return;
  }
  const float offset = lanes[id];
  const float slope = lanes[count + id];
  const float curve = lanes[2 * count + id];
  int score = 0;
#pragma unroll unroll
  for (int far = 0; far < height; ++far) {
    const unsigned char *row = markings + (height - 1 - far) * width;
    const float centre = offset + far * (slope + far * curve);
    const float apart = half_near - narrowing * far;
    score += marks_around(row, width, centre - apart) + marks_around(row, width, centre + apart);
  }
  scores[id] = score;
}

// Moves a particle: its ancestor of the last frame, by what the host has drawn. Its score is
// counted from the farthest row to where one of its lines leaves the region; its weight grows with
// the mean mark.
extern "C" __global__ void lane_track(const unsigned char *__restrict__ markings, int width,
                                      int height, const float *__restrict__ before,
                                      const int *__restrict__ ancestors,
                                      const float *__restrict__ moves, float *__restrict__ after,
                                      int *__restrict__ scores, float *__restrict__ weights,
                                      int count, float half_near, float narrowing,
                                      float sharpness) {
  const int id = blockIdx.x * blockDim.x + threadIdx.x;
  if (id >= count) {
    return;
  }
  const int from = ancestors[id];
  const float offset = before[from] + moves[id];
  const float slope = before[count + from] + moves[count + id];
  const float curve = before[2 * count + from] + moves[2 * count + id];
  int score = 0;
#pragma unroll unroll
  for (int far = height - 1; far >= 0; --far) {
    const unsigned char *row = markings + (height - 1 - far) * width;
    const float centre = offset + far * (slope + far * curve);
    const float apart = half_near - narrowing * far;
    const int left_line = (int)floorf(centre - apart + 0.5f);
    const int right_line = (int)floorf(centre + apart + 0.5f);
    if (left_line < SPAN || right_line >= width - SPAN) {
      break;
    }
    for (int i = -SPAN; i <= SPAN; ++i) {
      score += row[left_line + i] + row[right_line + i];
    }
  }
  after[id] = offset;
  after[count + id] = slope;
  after[2 * count + id] = curve;
  scores[id] = score;
  const float most = 255.0f * 2 * (2 * SPAN + 1) * height;
  weights[id] = expf(sharpness * (score / most - 1.0f));
}
