// Walsh-Hadamard transforms in natural order, for dyadic convolution: the transforms of two signals
// are multiplied and transformed back. A transform of a power of two takes steps of radix 4 through
// global memory until parts fit into shared memory, where all further steps are taken at once.
#ifndef TRIPS
#define TRIPS(n) (n)
#endif

// Four values with equal distances: sums and differences of two levels.
struct Four {
  float a, b, c, d;
};

inline __device__ Four butterfly(Four x) {
  const float a = x.a + x.c;
  const float b = x.b + x.d;
  const float c = x.a - x.c;
  const float d = x.b - x.d;
  return {a + b, a - b, c + d, c - d};
}

// One step of radix 4 over all elements, four of them a thread, `quarter` apart: a power of two.
extern "C" __global__ void walsh_step(float *after, const float *before, int quarter) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  const int low = thread & (quarter - 1);
  const int place = 4 * (thread - low) + low;
  const Four x = butterfly({before[place], before[place + quarter], before[place + 2 * quarter],
                            before[place + 3 * quarter]});
  after[place] = x.a;
  after[place + quarter] = x.b;
  after[place + 2 * quarter] = x.c;
  after[place + 3 * quarter] = x.d;
}

// All steps of a part of 2^log_size elements, a CTA with a quarter as many threads. Where elements
// are less than a warp apart, its threads meet in 8 or 16 of 32 banks. An odd power of two leaves a
// step of radix 2.
extern "C" __global__ void walsh_part(float *after, const float *before, int log_size) {
  extern __shared__ float part[];
  const int size = 1 << log_size;
  const int first = blockIdx.x << log_size;
  const int thread = threadIdx.x;
  const int threads = blockDim.x;

  for (int i = 0; i < TRIPS(4); ++i) {
    part[thread + i * threads] = before[first + thread + i * threads];
  }

  int quarter = size / 4;
  for (int step = 0; step < TRIPS(log_size / 2); ++step) {
    const int low = thread & (quarter - 1);
    const int place = 4 * (thread - low) + low;
    __syncthreads();
    const Four x = butterfly({part[place], part[place + quarter], part[place + 2 * quarter],
                              part[place + 3 * quarter]});
    part[place] = x.a;
    part[place + quarter] = x.b;
    part[place + 2 * quarter] = x.c;
    part[place + 3 * quarter] = x.d;
    quarter /= 4;
  }

  if (log_size & 1) {
    __syncthreads();
    for (int i = 0; i < TRIPS(2); ++i) {
      const int place = 2 * (thread + i * threads);
      const float a = part[place];
      const float b = part[place + 1];
      part[place] = a + b;
      part[place + 1] = a - b;
    }
  }

  __syncthreads();
  for (int i = 0; i < TRIPS(4); ++i) {
    after[first + thread + i * threads] = part[thread + i * threads];
  }
}

// Multiplies two transforms element by element, and by what transforming there and back enlarges.
// As many threads as there are take elements in turn; their number divides that of elements.
extern "C" __global__ void walsh_multiply(float *a, const float *b, int size) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  const int threads = gridDim.x * blockDim.x;
  const float scale = 1.0f / size;
  for (int i = 0; i < TRIPS(size / threads); ++i) {
    const int place = thread + i * threads;
    a[place] *= b[place] * scale;
  }
}
