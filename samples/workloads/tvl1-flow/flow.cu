// Optical flow by the TV-L1 method (Zach, Pock and Bischof): where each pixel of a frame is in the
// next one, such that brightness differs little and the flow has little total variation. From the
// coarsest level of a pyramid to the finest, the next frame is warped by the flow so far, and the
// problem, linear around that, is solved by turns: for the flow, pixel by pixel, and for the dual
// field of its variation. Pixels that are wanted beyond an edge are those of the edge.
#ifndef TRIPS
#define TRIPS(n) (n)  // of the loop over a thread's pixels in sum_errors
#endif
#define SUMMED 256       // threads of a block of sum_errors
#define SMALLEST 1e-10f  // squared gradient, below which brightness says nothing of the flow

inline __device__ int within(int place, int size) { return min(max(place, 0), size - 1); }

// Makes the next level of a pyramid: half as large, smoothed with the weights 1, 4, 6, 4, 1.
extern "C" __global__ void halve(const float *__restrict__ image, float *__restrict__ level,
                                 int width, int height, int half_width, int half_height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= half_width || y >= half_height) return;
  const float weights[5] = {0.0625f, 0.25f, 0.375f, 0.25f, 0.0625f};
  float sum = 0.0f;
  for (int down = 0; down < 5; ++down) {
    const float *row = image + within(2 * y + down - 2, height) * width;
    float part = 0.0f;
    for (int across = 0; across < 5; ++across) {
      part += weights[across] * row[within(2 * x + across - 2, width)];
    }
    sum += weights[down] * part;
  }
  level[y * half_width + x] = sum;
}

// The gradient of a frame, by central differences.
extern "C" __global__ void gradient(const float *__restrict__ image, float *__restrict__ slope_x,
                                    float *__restrict__ slope_y, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  const float *row = image + y * width;
  const int at = y * width + x;
  slope_x[at] = 0.5f * (row[within(x + 1, width)] - row[within(x - 1, width)]);
  slope_y[at] =
      0.5f * (image[within(y + 1, height) * width + x] - image[within(y - 1, height) * width + x]);
}

// A value between four pixels.
inline __device__ float between(const float *image, int at, int next, int below, float across,
                                float down) {
  const float upper = image[at] + across * (image[at + next] - image[at]);
  const float lower = image[at + below] + across * (image[at + below + next] - image[at + below]);
  return upper + down * (lower - upper);
}

// Warps the next frame and its gradient by the flow. `off` is what the next frame differs by from
// the first one, without the flow's part. Where the flow leads out of the frame, nothing is known:
// gradient and difference are zero there.
extern "C" __global__ void warp(const float *__restrict__ first, const float *__restrict__ next,
                                const float *__restrict__ slope_x,
                                const float *__restrict__ slope_y,
                                const float *__restrict__ flow_x,
                                const float *__restrict__ flow_y, float *__restrict__ warped_x,
                                float *__restrict__ warped_y, float *__restrict__ off, int width,
                                int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  const int here = y * width + x;
  const float to_x = x + flow_x[here];
  const float to_y = y + flow_y[here];
  if (!(to_x >= 0.0f && to_x <= width - 1 && to_y >= 0.0f && to_y <= height - 1)) {
    warped_x[here] = 0.0f;
    warped_y[here] = 0.0f;
    off[here] = 0.0f;
    return;
  }
  const int left = (int)to_x;
  const int top = (int)to_y;
  const int beside = left + 1 < width ? 1 : 0;
  const int below = top + 1 < height ? width : 0;
  const int at = top * width + left;
  const float across = to_x - left;
  const float down = to_y - top;
  const float gx = between(slope_x, at, beside, below, across, down);
  const float gy = between(slope_y, at, beside, below, across, down);
  const float value = between(next, at, beside, below, across, down);
  warped_x[here] = gx;
  warped_y[here] = gy;
  off[here] = value - gx * flow_x[here] - gy * flow_y[here] - first[here];
}

// The divergence of a dual field: backward differences, as forward ones are those of the flow.
inline __device__ float divergence(const float *dual_x, const float *dual_y, int x, int y, int at,
                                   int width, int height) {
  float sum = 0.0f;
  if (x < width - 1) sum += dual_x[at];
  if (x > 0) sum -= dual_x[at - 1];
  if (y < height - 1) sum += dual_y[at];
  if (y > 0) sum -= dual_y[at - width];
  return sum;
}

// Solves for the flow: each pixel goes against its gradient, by `most` times it or to where the
// brightness is equal, whichever is nearer; then the dual fields smooth. `errors` are how far it
// has moved, squared.
extern "C" __global__ void solve_flow(const float *__restrict__ warped_x,
                                      const float *__restrict__ warped_y,
                                      const float *__restrict__ off,
                                      const float *__restrict__ dual_xx,
                                      const float *__restrict__ dual_xy,
                                      const float *__restrict__ dual_yx,
                                      const float *__restrict__ dual_yy,
                                      float *__restrict__ flow_x, float *__restrict__ flow_y,
                                      float *__restrict__ errors, int width, int height, float most,
                                      float theta) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  const int at = y * width + x;
  const float gx = warped_x[at];
  const float gy = warped_y[at];
  const float steepness = gx * gx + gy * gy;
  const float old_x = flow_x[at];
  const float old_y = flow_y[at];
  const float difference = off[at] + gx * old_x + gy * old_y;
  float step = 0.0f;
  if (difference < -most * steepness) {
    step = most;
  } else if (difference > most * steepness) {
    step = -most;
  } else if (steepness > SMALLEST) {
    step = -difference / steepness;
  }
  const float new_x =
      old_x + step * gx + theta * divergence(dual_xx, dual_xy, x, y, at, width, height);
  const float new_y =
      old_y + step * gy + theta * divergence(dual_yx, dual_yy, x, y, at, width, height);
  flow_x[at] = new_x;
  flow_y[at] = new_y;
  errors[at] = (new_x - old_x) * (new_x - old_x) + (new_y - old_y) * (new_y - old_y);
}

// Moves a dual field along the gradient of its flow, and keeps it from growing beyond 1.
inline __device__ void ascend(const float *flow, float *dual_x, float *dual_y, int x, int y, int at,
                              int width, int height, float step) {
  const float here = flow[at];
  const float across = x < width - 1 ? flow[at + 1] - here : 0.0f;
  const float down = y < height - 1 ? flow[at + width] - here : 0.0f;
  const float shrink = 1.0f / (1.0f + step * sqrtf(across * across + down * down));
  dual_x[at] = shrink * (dual_x[at] + step * across);
  dual_y[at] = shrink * (dual_y[at] + step * down);
}

// Solves for the dual fields of both parts of the flow. `step` is tau / theta.
extern "C" __global__ void solve_dual(const float *__restrict__ flow_x,
                                      const float *__restrict__ flow_y,
                                      float *__restrict__ dual_xx, float *__restrict__ dual_xy,
                                      float *__restrict__ dual_yx, float *__restrict__ dual_yy,
                                      int width, int height, float step) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  const int at = y * width + x;
  ascend(flow_x, dual_xx, dual_xy, x, y, at, width, height, step);
  ascend(flow_y, dual_yx, dual_yy, x, y, at, width, height, step);
}

// Adds up the errors, a sum a block: each thread those of `turns` pixels, then by halves.
extern "C" __global__ void sum_errors(const float *__restrict__ errors, float *__restrict__ sums,
                                      int count, int turns) {
  __shared__ float part[SUMMED];
  const int t = threadIdx.x;
  const int first = blockIdx.x * SUMMED * turns + t;
  float sum = 0.0f;
  for (int turn = 0; turn < TRIPS(turns); ++turn) {
    const int at = first + turn * SUMMED;
    if (at < count) sum += errors[at];
  }
  part[t] = sum;
  __syncthreads();
  for (int half = SUMMED / 2; half > 0; half /= 2) {
    if (t < half) part[t] += part[t + half];
    __syncthreads();
  }
  if (t == 0) sums[blockIdx.x] = part[0];
}

inline __device__ void sort(float &low, float &high) {
  const float lower = fminf(low, high);
  high = fmaxf(low, high);
  low = lower;
}

// Replaces each flow by the median of it and its eight neighbours, so that outliers go.
extern "C" __global__ void median(const float *__restrict__ flow, float *__restrict__ filtered,
                                  int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  float v[9];
  for (int i = 0; i < 9; ++i) {
    v[i] = flow[within(y + i / 3 - 1, height) * width + within(x + i % 3 - 1, width)];
  }
  for (int row = 0; row < 9; row += 3) {  // sorts the rows
    sort(v[row], v[row + 1]);
    sort(v[row + 1], v[row + 2]);
    sort(v[row], v[row + 1]);
  }
  const float low = fmaxf(fmaxf(v[0], v[3]), v[6]);
  const float high = fminf(fminf(v[2], v[5]), v[8]);
  sort(v[1], v[4]);
  const float middle = fmaxf(v[1], fminf(v[4], v[7]));
  filtered[y * width + x] = fmaxf(fminf(fmaxf(low, middle), high), fminf(low, middle));
}

// Takes a flow to the next finer level: between its pixels, and twice as long.
extern "C" __global__ void enlarge(const float *__restrict__ flow, float *__restrict__ larger,
                                   int width, int height, int large_width, int large_height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= large_width || y >= large_height) return;
  const int left = within(x / 2, width);
  const int top = within(y / 2, height);
  const int beside = left + 1 < width ? 1 : 0;
  const int below = top + 1 < height ? width : 0;
  const float across = x % 2 ? 0.5f : 0.0f;
  const float down = y % 2 ? 0.5f : 0.0f;
  larger[y * large_width + x] =
      2.0f * between(flow, top * width + left, beside, below, across, down);
}
