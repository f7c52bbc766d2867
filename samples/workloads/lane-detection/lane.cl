// Lane detection and tracking, three kernels: lane_pre finds pixels of markings in a part of the
// frame, the region of interest; lane_detect scores lanes that were drawn anywhere; lane_track
// moves the particles of a filter and scores them. A lane's centre is a parabola over rows,
// counted from the nearest one; its two lines come together with the distance.

#ifndef SPAN
#define SPAN 2  // pixels that are added up to either side of a line
#endif

// How far from a pixel its surroundings are, in this row: markings are wider when near.
static inline int reach_of(int row) {
  return 4 + row * 3 / 32;
}

// A pixel and its eight neighbours, weighted.
static inline int smoothed(__global const uchar *frame, int width, int at) {
  int sum = 0;
  for (int dy = -1; dy <= 1; ++dy) {
    __global const uchar *row = frame + at + dy * width;
    sum += (2 - dy * dy) * (row[-1] + 2 * row[0] + row[1]);
  }
  return sum >> 4;
}

// Finds markings, a thread for each pixel: those brighter than both sides, by more in bright
// surroundings, that are not too wide. Few pixels come to the loops that measure the width.
__kernel void lane_pre(__global const uchar *restrict frame, __global uchar *restrict markings,
                       int frame_width, int left, int top, int width, int height) {
  const int id = get_global_id(0);
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
static inline int marks_around(__global const uchar *row, int width, float x) {
  const int middle = (int)floor(x + 0.5f);
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
__kernel void lane_detect(__global const uchar *restrict markings, int width, int height,
                          __global const float *restrict lanes, __global int *restrict scores,
                          int count, float half_near, float narrowing) {
  const int id = get_global_id(0);
  if (id >= count) {
    return;
  }
  const float offset = lanes[id];
  const float slope = lanes[count + id];
  const float curve = lanes[2 * count + id];
  int score = 0;
  for (int far = 0; far < height; ++far) {
    __global const uchar *row = markings + (height - 1 - far) * width;
    const float centre = offset + far * (slope + far * curve);
    const float apart = half_near - narrowing * far;
    score += marks_around(row, width, centre - apart) + marks_around(row, width, centre + apart);
  }
  scores[id] = score;
}

// Moves a particle: its ancestor of the last frame, by what the host has drawn. Its score is
// counted from the farthest row to where one of its lines leaves the region; its weight grows with
// the mean mark.
__kernel void lane_track(__global const uchar *restrict markings, int width, int height,
                         __global const float *restrict before,
                         __global const int *restrict ancestors,
                         __global const float *restrict moves, __global float *restrict after,
                         __global int *restrict scores, __global float *restrict weights, int count,
                         float half_near, float narrowing, float sharpness) {
  const int id = get_global_id(0);
  if (id >= count) {
    return;
  }
  const int from = ancestors[id];
  const float offset = before[from] + moves[id];
  const float slope = before[count + from] + moves[count + id];
  const float curve = before[2 * count + from] + moves[2 * count + id];
  int score = 0;
  for (int far = height - 1; far >= 0; --far) {
    __global const uchar *row = markings + (height - 1 - far) * width;
    const float centre = offset + far * (slope + far * curve);
    const float apart = half_near - narrowing * far;
    const int left_line = (int)floor(centre - apart + 0.5f);
    const int right_line = (int)floor(centre + apart + 0.5f);
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
  weights[id] = exp(sharpness * (score / most - 1.0f));
}
