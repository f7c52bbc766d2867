// Speckle reducing anisotropic diffusion, for images of ultrasound or radar: in each iteration a
// pixel takes from its four neighbours, the less the more the image varies there beside how much
// speckle varies in all of it. Mean and variance of the image are summed up on the device. A thread
// has a pixel; pixels are numbered down the columns.
#ifndef TRIPS
#define TRIPS(n) (n)
#endif
#define BLOCK 512  // threads of a CTA

// From the logarithm of brightness, as a file has it, to brightness.
extern "C" __global__ void srad_extract(float *image, int pixels) {
  const int p = blockIdx.x * BLOCK + threadIdx.x;
  if (p < pixels) {
    image[p] = expf(image[p] / 255.0f);
  }
}

// Copies the image and its squares, which the sums are made of in place.
extern "C" __global__ void srad_prepare(const float *image, float *sums, float *squares,
                                        int pixels) {
  const int p = blockIdx.x * BLOCK + threadIdx.x;
  if (p < pixels) {
    sums[p] = image[p];
    squares[p] = image[p] * image[p];
  }
}

// Sums up BLOCK values a CTA, which lie `apart` from each other: what an earlier launch has left.
// Level by level, every other thread of those that are left adds its neighbour's sum, so that few
// lanes of all warps are on, and steps between them meet the same banks. The last CTA may have
// fewer values: a power of two of them is summed up so, then one thread adds the others in turn.
extern "C" __global__ void srad_reduce(float *sums, float *squares, int values, int apart) {
  __shared__ float sum[BLOCK];
  __shared__ float square[BLOCK];
  const int t = threadIdx.x;
  const int first = blockIdx.x * BLOCK;
  const int count = min(values - first, BLOCK);
  if (t < count) {
    sum[t] = sums[(first + t) * apart];
    square[t] = squares[(first + t) * apart];
  }
  __syncthreads();

  const int levels = 31 - __clz(count);
  const int whole = 1 << levels;
  int step = 1;
  for (int level = 0; level < TRIPS(levels); ++level) {
    if (t < whole && (t + 1) % (2 * step) == 0) {
      sum[t] += sum[t - step];
      square[t] += square[t - step];
    }
    step *= 2;
    __syncthreads();
  }

  if (t == whole - 1) {
    float total = sum[t];
    float total_square = square[t];
    const int others = count - whole;
    if (others > 0) {
      for (int i = 0; i < TRIPS(others); ++i) {
        total += sum[whole + i];
        total_square += square[whole + i];
      }
    }
    sums[first * apart] = total;
    squares[first * apart] = total_square;
  }
}

// How much each pixel takes in and gives away, from 0 at edges to 1 in speckle (Yu and Acton), and
// its differences from the four neighbours. `speckle` is the image's squared coefficient of
// variation; the places of neighbours come from lists, in which a pixel at the border is its own
// neighbour.
extern "C" __global__ void srad_coefficients(const float *image, const int *north_of,
                                             const int *south_of, const int *west_of,
                                             const int *east_of, float *to_north, float *to_south,
                                             float *to_west, float *to_east, float *coefficient,
                                             int rows, int pixels, float speckle) {
  const int p = blockIdx.x * BLOCK + threadIdx.x;
  if (p < pixels) {
    const int row = p % rows;
    const int column = p / rows;
    const float here = image[p];
    const float north = image[north_of[row] + rows * column] - here;
    const float south = image[south_of[row] + rows * column] - here;
    const float west = image[row + rows * west_of[column]] - here;
    const float east = image[row + rows * east_of[column]] - here;

    const float slope =
        (north * north + south * south + west * west + east * east) / (here * here);
    const float curvature = (north + south + west + east) / here;
    const float numerator = 0.5f * slope - (1.0f / 16.0f) * curvature * curvature;
    const float root = 1.0f + 0.25f * curvature;
    const float variation = numerator / (root * root);
    const float excess = (variation - speckle) / (speckle * (1.0f + speckle));
    float c = 1.0f / (1.0f + excess);
    if (c < 0.0f) {
      c = 0.0f;
    } else if (c > 1.0f) {
      c = 1.0f;
    }

    to_north[p] = north;
    to_south[p] = south;
    to_west[p] = west;
    to_east[p] = east;
    coefficient[p] = c;
  }
}

// Adds what flows over a pixel's four sides: over those to the north and west with its own
// coefficient, over the others with the neighbour's.
extern "C" __global__ void srad_update(float *image, const int *south_of, const int *east_of,
                                       const float *to_north, const float *to_south,
                                       const float *to_west, const float *to_east,
                                       const float *coefficient, int rows, int pixels,
                                       float rate) {
  const int p = blockIdx.x * BLOCK + threadIdx.x;
  if (p < pixels) {
    const int row = p % rows;
    const int column = p / rows;
    const float here = coefficient[p];
    const float south = coefficient[south_of[row] + rows * column];
    const float east = coefficient[row + rows * east_of[column]];
    const float flow =
        here * to_north[p] + south * to_south[p] + here * to_west[p] + east * to_east[p];
    image[p] += 0.25f * rate * flow;
  }
}

// Back to the logarithm.
extern "C" __global__ void srad_compress(float *image, int pixels) {
  const int p = blockIdx.x * BLOCK + threadIdx.x;
  if (p < pixels) {
    image[p] = logf(image[p]) * 255.0f;
  }
}
