// A Julia set: which points stay bounded when z becomes z * z + c again and again, and how soon the
// others escape. A thread follows a point until it has escaped or has taken all steps, so that
// neighbours part wherever the picture is not flat.
#ifndef TRIPS
#define TRIPS(n) (n)
#endif
#define ESCAPED 16.0f    // the square of the distance beyond which nothing comes back
#define SHADES 256
#define SHADES_A_STEP 8  // so that the colours run on smoothly between steps

__constant__ unsigned int palette[SHADES];

// The picture around a centre, `pitch` from point to point, and for each the steps that it took.
extern "C" __global__ void julia(unsigned int *__restrict__ picture, int *__restrict__ steps,
                                 int width, int height, float centre_x, float centre_y, float pitch,
                                 float c_x, float c_y, int most) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (column >= width || row >= height) return;
  float x = centre_x + (column + 0.5f - 0.5f * width) * pitch;
  float y = centre_y + (row + 0.5f - 0.5f * height) * pitch;
  float xx = x * x;
  float yy = y * y;
  int taken = 0;
  for (int step = 0; step < TRIPS(most); ++step) {
    if (xx + yy > ESCAPED) break;
    y = 2.0f * x * y + c_y;
    x = xx - yy + c_x;
    xx = x * x;
    yy = y * y;
    ++taken;
  }
  unsigned int colour = 0xff000000u;
  if (xx + yy > ESCAPED) {
    // the logarithm of the distance doubles with each step: what is left of a step can be told
    const float part = __log2f(0.5f * __log2f(xx + yy));
    const float shade = SHADES_A_STEP * (taken + 1 - part);
    colour = palette[(int)floorf(shade) & (SHADES - 1)];
  }
  picture[row * width + column] = colour;
  steps[row * width + column] = taken;
}
