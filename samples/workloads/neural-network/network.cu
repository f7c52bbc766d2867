// A neural network that recognises handwritten digits, four layers of neurons: two that convolve
// with steps of two pixels, two that are joined to all neurons of the layer before. A launch is a
// layer for a batch of images, blockIdx.y is the image.
#ifndef TRIPS
#define TRIPS(n) (n) // trip counts of main loops
#endif
#define IMAGE 29     // pixels a side
#define FIRST 13     // neurons a side of a map of the first layer
#define FIRST_MAPS 6
#define SECOND 5     // of the second
#define SECOND_MAPS 50
#define THIRD 100    // neurons of the third layer
#define FOURTH 10    // and of the last: the digits
#define WINDOW 25    // 5 x 5 inputs of a convolution

// Places in a window, in a plane whose rows have IMAGE and FIRST elements.
__constant__ int image_window[WINDOW] = {
    0, 1, 2, 3, 4, 29, 30, 31, 32, 33, 58, 59, 60, 61, 62, 87, 88, 89, 90, 91,
    116, 117, 118, 119, 120};
__constant__ int map_window[WINDOW] = {
    0, 1, 2, 3, 4, 13, 14, 15, 16, 17, 26, 27, 28, 29, 30, 39, 40, 41, 42, 43,
    52, 53, 54, 55, 56};

// A sigmoid through (1, 1) and (-1, -1).
inline __device__ float activated(float sum) { return 1.7159f * tanhf(0.66666667f * sum); }

// A CTA has the 13 x 13 neurons of a map, which share their weights: a bias, then 5 x 5 of them.
extern "C" __global__ void first_layer(const float *__restrict__ pixels,
                                       const float *__restrict__ weights,
                                       float *__restrict__ neurons) {
  const int map = blockIdx.x;
  const float *const weight = weights + map * (1 + WINDOW);
  const float *const window = pixels + blockIdx.y * IMAGE * IMAGE +
                              2 * threadIdx.y * IMAGE + 2 * threadIdx.x;
  float sum = weight[0];
  for (int i = 0; i < TRIPS(WINDOW); ++i) {
    sum += window[image_window[i]] * weight[1 + i];
  }
  const int place = (blockIdx.y * FIRST_MAPS + map) * FIRST + threadIdx.y;
  neurons[place * FIRST + threadIdx.x] = activated(sum);
}

// A CTA has the 5 x 5 neurons of a map; windows are of all maps of the layer before.
extern "C" __global__ void second_layer(const float *__restrict__ before,
                                        const float *__restrict__ weights,
                                        float *__restrict__ neurons) {
  const int map = blockIdx.x;
  const float *const weight = weights + map * (1 + FIRST_MAPS * WINDOW);
  const float *const window = before + blockIdx.y * FIRST_MAPS * FIRST * FIRST +
                              2 * threadIdx.y * FIRST + 2 * threadIdx.x;
  float sum = weight[0];
  for (int i = 0; i < TRIPS(WINDOW); ++i) {
    for (int m = 0; m < TRIPS(FIRST_MAPS); ++m) {
      sum += window[m * FIRST * FIRST + map_window[i]] * weight[1 + FIRST_MAPS * i + m];
    }
  }
  const int place = (blockIdx.y * SECOND_MAPS + map) * SECOND + threadIdx.y;
  neurons[place * SECOND + threadIdx.x] = activated(sum);
}

// A neuron that is joined to `inputs` others: a CTA of one thread.
inline __device__ void joined(const float *before, const float *weights, float *neurons,
                              int inputs) {
  const float *const weight = weights + blockIdx.x * (1 + inputs);
  const float *const input = before + blockIdx.y * inputs;
  float sum = weight[0];
  for (int i = 0; i < TRIPS(inputs); ++i) {
    sum += input[i] * weight[1 + i];
  }
  neurons[blockIdx.y * gridDim.x + blockIdx.x] = activated(sum);
}

extern "C" __global__ void third_layer(const float *__restrict__ before,
                                       const float *__restrict__ weights,
                                       float *__restrict__ neurons) {
  joined(before, weights, neurons, SECOND_MAPS * SECOND * SECOND);
}

extern "C" __global__ void fourth_layer(const float *__restrict__ before,
                                        const float *__restrict__ weights,
                                        float *__restrict__ neurons) {
  joined(before, weights, neurons, THIRD);
}
