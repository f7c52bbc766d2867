// What a video editor does with frames, a small kernel each. Videos come and go as bytes, a plane
// of brightness (Y) and two of colour (U, V) with a quarter of the pixels, by BT.709; between
// effects a pixel is four floats from 0 to 1: red, green, blue, and how opaque it is.
#ifndef TRIPS
#define TRIPS(n) (n)  // of the loops over weights
#endif
#define MOST_RADIUS 24
#define CURVE 64  // places of a colour curve

__constant__ float weights[2 * MOST_RADIUS + 1];
__constant__ float curve_table[3 * CURVE];  // of red, green and blue

inline __device__ int column() { return blockIdx.x * blockDim.x + threadIdx.x; }
inline __device__ int row() { return blockIdx.y * blockDim.y + threadIdx.y; }

inline __device__ float limited(float value) { return fminf(fmaxf(value, 0.0f), 1.0f); }

inline __device__ float4 added(float4 sum, float weight, float4 pixel) {
  return make_float4(sum.x + weight * pixel.x, sum.y + weight * pixel.y, sum.z + weight * pixel.z,
                     sum.w + weight * pixel.w);
}

inline __device__ float4 mixed(float4 a, float4 b, float share) {
  return make_float4(a.x + share * (b.x - a.x), a.y + share * (b.y - a.y),
                     a.z + share * (b.z - a.z), a.w + share * (b.w - a.w));
}

inline __device__ unsigned char byte_of(float value) {
  return (unsigned char)fminf(fmaxf(value + 0.5f, 0.0f), 255.0f);
}

// Decodes a frame: planes one after the other, pixels of the colour planes are 2 x 2 ones.
extern "C" __global__ void yuv_to_rgb(const unsigned char *__restrict__ planes,
                                      float4 *__restrict__ result, int width, int height) {
  const int x = column();
  const int y = row();
  if (x >= width || y >= height) return;
  const int chroma = width * height + y / 2 * (width / 2) + x / 2;
  const float bright = (planes[y * width + x] - 16.0f) / 219.0f;
  const float u = (planes[chroma] - 128.0f) / 224.0f;
  const float v = (planes[chroma + width * height / 4] - 128.0f) / 224.0f;
  result[y * width + x] = make_float4(limited(bright + 1.5748f * v),
                                      limited(bright - 0.187324f * u - 0.468124f * v),
                                      limited(bright + 1.8556f * u), 1.0f);
}

inline __device__ float brightness(float4 pixel) {
  return 0.2126f * pixel.x + 0.7152f * pixel.y + 0.0722f * pixel.z;
}

// Encodes a frame, 2 x 2 pixels a thread: their brightness, and the colour of their mean.
extern "C" __global__ void rgb_to_yuv(const float4 *__restrict__ frame,
                                      unsigned char *__restrict__ planes, int width, int height) {
  const int x = 2 * column();
  const int y = 2 * row();
  if (x >= width || y >= height) return;
  float4 mean = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
  for (int i = 0; i < 4; ++i) {
    const int at = (y + i / 2) * width + x + i % 2;
    planes[at] = byte_of(16.0f + 219.0f * brightness(frame[at]));
    mean = added(mean, 0.25f, frame[at]);
  }
  const float bright = brightness(mean);
  const int chroma = width * height + y / 2 * (width / 2) + x / 2;
  planes[chroma] = byte_of(128.0f + 224.0f * (mean.z - bright) / 1.8556f);
  planes[chroma + width * height / 4] = byte_of(128.0f + 224.0f * (mean.x - bright) / 1.5748f);
}

inline __device__ float light_of(float value) {
  if (value < 0.08124286f) return value / 4.5f;
  return __powf((value + 0.09929683f) / 1.09929683f, 1.0f / 0.45f);
}

// Gamma: turns values of a video to amounts of light.
extern "C" __global__ void to_light(const float4 *__restrict__ frame, float4 *__restrict__ result,
                                    int width, int height) {
  const int x = column();
  const int y = row();
  if (x >= width || y >= height) return;
  const float4 pixel = frame[y * width + x];
  result[y * width + x] =
      make_float4(light_of(pixel.x), light_of(pixel.y), light_of(pixel.z), pixel.w);
}

inline __device__ float video_of(float light) {
  if (light < 0.01805397f) return 4.5f * light;
  return 1.09929683f * __powf(light, 0.45f) - 0.09929683f;
}

// Gamma: turns amounts of light to values of a video.
extern "C" __global__ void to_video(const float4 *__restrict__ frame, float4 *__restrict__ result,
                                    int width, int height) {
  const int x = column();
  const int y = row();
  if (x >= width || y >= height) return;
  const float4 pixel = frame[y * width + x];
  result[y * width + x] =
      make_float4(video_of(pixel.x), video_of(pixel.y), video_of(pixel.z), pixel.w);
}

// A pixel, or nothing at all beyond the edges.
inline __device__ float4 pixel_at(const float4 *frame, int width, int height, int x, int y) {
  if (x < 0 || x >= width || y < 0 || y >= height) return make_float4(0.0f, 0.0f, 0.0f, 0.0f);
  return frame[y * width + x];
}

// Scales a part of a frame to another size, between four pixels. The part begins at left and top,
// `step` is how far pixels of the result are apart in the frame.
extern "C" __global__ void scale(const float4 *__restrict__ frame, float4 *__restrict__ result,
                                 int width, int height, int new_width, int new_height, float left,
                                 float top, float step) {
  const int x = column();
  const int y = row();
  if (x >= new_width || y >= new_height) return;
  const float from_x = left + (x + 0.5f) * step - 0.5f;
  const float from_y = top + (y + 0.5f) * step - 0.5f;
  const int x0 = (int)floorf(from_x);
  const int y0 = (int)floorf(from_y);
  const float4 upper = mixed(pixel_at(frame, width, height, x0, y0),
                             pixel_at(frame, width, height, x0 + 1, y0), from_x - x0);
  const float4 lower = mixed(pixel_at(frame, width, height, x0, y0 + 1),
                             pixel_at(frame, width, height, x0 + 1, y0 + 1), from_x - x0);
  result[y * new_width + x] = mixed(upper, lower, from_y - y0);
}

// Blurs along rows; beyond the edges are the pixels of the edges.
extern "C" __global__ void blur_rows(const float4 *__restrict__ frame, float4 *__restrict__ result,
                                     int width, int height, int radius) {
  const int x = column();
  const int y = row();
  if (x >= width || y >= height) return;
  float4 sum = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
  for (int i = 0; i < TRIPS(2 * radius + 1); ++i) {
    sum = added(sum, weights[i], frame[y * width + min(max(x + i - radius, 0), width - 1)]);
  }
  result[y * width + x] = sum;
}

// Blurs along columns.
extern "C" __global__ void blur_columns(const float4 *__restrict__ frame,
                                        float4 *__restrict__ result, int width, int height,
                                        int radius) {
  const int x = column();
  const int y = row();
  if (x >= width || y >= height) return;
  float4 sum = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
  for (int i = 0; i < TRIPS(2 * radius + 1); ++i) {
    sum = added(sum, weights[i], frame[min(max(y + i - radius, 0), height - 1) * width + x]);
  }
  result[y * width + x] = sum;
}

// Fades from one frame to another.
extern "C" __global__ void cross_fade(const float4 *__restrict__ from,
                                      const float4 *__restrict__ to, float4 *__restrict__ result,
                                      int width, int height, float share) {
  const int x = column();
  const int y = row();
  if (x >= width || y >= height) return;
  const int at = y * width + x;
  result[at] = mixed(from[at], to[at], share);
}

// Wipes one frame away for another: a soft edge moves over the picture, in the direction that
// `along` and `down` are. It is at `edge`; `soft` is how wide it is.
extern "C" __global__ void wipe(const float4 *__restrict__ from, const float4 *__restrict__ to,
                                float4 *__restrict__ result, int width, int height, float along,
                                float down, float edge, float soft) {
  const int x = column();
  const int y = row();
  if (x >= width || y >= height) return;
  const int at = y * width + x;
  const float share = (edge - along * x - down * y) / soft;
  if (share <= 0.0f) {
    result[at] = from[at];
  } else if (share >= 1.0f) {
    result[at] = to[at];
  } else {
    const float smooth = share * share * (3.0f - 2.0f * share);
    result[at] = mixed(from[at], to[at], smooth);
  }
}

inline __device__ float on_curve(const float *curve, float value) {
  const float place = limited(value) * (CURVE - 1);
  const int before = min((int)place, CURVE - 2);
  return curve[before] + (place - before) * (curve[before + 1] - curve[before]);
}

// Puts red, green and blue through curves, which lie in shared memory: pixels decide where they
// are read.
extern "C" __global__ void curves(const float4 *__restrict__ frame, float4 *__restrict__ result,
                                  int width, int height) {
  __shared__ float table[3 * CURVE];
  const int first = threadIdx.y * blockDim.x + threadIdx.x;
  for (int i = first; i < 3 * CURVE; i += blockDim.x * blockDim.y) {
    table[i] = curve_table[i];
  }
  __syncthreads();
  const int x = column();
  const int y = row();
  if (x >= width || y >= height) return;
  const float4 pixel = frame[y * width + x];
  result[y * width + x] =
      make_float4(on_curve(table, pixel.x), on_curve(table + CURVE, pixel.y),
                  on_curve(table + 2 * CURVE, pixel.z), pixel.w);
}

// Lays a smaller picture over a frame, a thread for each of its pixels; most of a title is clear.
extern "C" __global__ void overlay(const float4 *__restrict__ layer, float4 *__restrict__ frame,
                                   int layer_width, int layer_height, int width, int height,
                                   int left, int top, float opacity) {
  const int x = column();
  const int y = row();
  if (x >= layer_width || y >= layer_height) return;
  const int to_x = left + x;
  const int to_y = top + y;
  if (to_x < 0 || to_x >= width || to_y < 0 || to_y >= height) return;
  const float4 pixel = layer[y * layer_width + x];
  const float share = opacity * pixel.w;
  if (share <= 0.0f) return;
  const float4 below = frame[to_y * width + to_x];
  const float4 above = make_float4(pixel.x, pixel.y, pixel.z, 1.0f);
  frame[to_y * width + to_x] = mixed(below, above, share);
}

// Puts a frame in front of another one; where it is green, the other one is seen.
extern "C" __global__ void chroma_key(const float4 *__restrict__ front,
                                      const float4 *__restrict__ back, float4 *__restrict__ result,
                                      int width, int height, float low, float high) {
  const int x = column();
  const int y = row();
  if (x >= width || y >= height) return;
  const int at = y * width + x;
  const float4 pixel = front[at];
  const float green = pixel.y - fmaxf(pixel.x, pixel.z);
  if (green <= low) {
    result[at] = pixel;
    return;
  }
  if (green >= high) {
    result[at] = back[at];
    return;
  }
  const float4 less_green = make_float4(pixel.x, pixel.y - (green - low), pixel.z, pixel.w);
  result[at] = mixed(less_green, back[at], (green - low) / (high - low));
}

inline __device__ float graded(float value, float bright, float saturation, float contrast,
                               float offset) {
  return limited((bright + saturation * (value - bright) - 0.5f) * contrast + 0.5f + offset);
}

// Changes saturation, contrast and brightness.
extern "C" __global__ void grade(const float4 *__restrict__ frame, float4 *__restrict__ result,
                                 int width, int height, float saturation, float contrast,
                                 float offset) {
  const int x = column();
  const int y = row();
  if (x >= width || y >= height) return;
  const float4 pixel = frame[y * width + x];
  const float bright = brightness(pixel);
  result[y * width + x] = make_float4(graded(pixel.x, bright, saturation, contrast, offset),
                                      graded(pixel.y, bright, saturation, contrast, offset),
                                      graded(pixel.z, bright, saturation, contrast, offset),
                                      pixel.w);
}

// Sharpens: adds what a blur has taken away.
extern "C" __global__ void sharpen(const float4 *__restrict__ frame,
                                   const float4 *__restrict__ blurred, float4 *__restrict__ result,
                                   int width, int height, float amount) {
  const int x = column();
  const int y = row();
  if (x >= width || y >= height) return;
  const float4 pixel = frame[y * width + x];
  const float4 much = mixed(blurred[y * width + x], pixel, 1.0f + amount);
  result[y * width + x] = make_float4(limited(much.x), limited(much.y), limited(much.z), pixel.w);
}

// Fades to a colour.
extern "C" __global__ void fade(const float4 *__restrict__ frame, float4 *__restrict__ result,
                                int width, int height, float red, float green, float blue,
                                float share) {
  const int x = column();
  const int y = row();
  if (x >= width || y >= height) return;
  const float4 colour = make_float4(red, green, blue, 1.0f);
  result[y * width + x] = mixed(frame[y * width + x], colour, share);
}

// Makes a background: waves between two colours.
extern "C" __global__ void waves(float4 *__restrict__ result, int width, int height, float phase,
                                 float across, float down) {
  const int x = column();
  const int y = row();
  if (x >= width || y >= height) return;
  const float first = 0.5f + 0.5f * __sinf(phase + across * x + down * y);
  const float second = 0.5f + 0.5f * __cosf(2.0f * phase - down * x + across * y);
  result[y * width + x] =
      make_float4(0.1f + 0.3f * first, 0.15f + 0.2f * second, 0.4f + 0.5f * first * second, 1.0f);
}
