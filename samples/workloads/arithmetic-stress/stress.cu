// Chains of arithmetic, to find out how much of it a machine does: each thread has CHAINS of them,
// which do not depend on each other, and memory is hardly touched. What comes out has a closed
// form.
#ifndef TRIPS
#define TRIPS(n) (n)
#endif
#define CHAINS 4
#define HALVINGS 4  // after which the means of numbers up to 1 are equal in single precision

// Points that are turned about the origin again and again. `start` has a point and the cosine and
// sine of its turn; chain k begins k + 1 times as far away.
extern "C" __global__ void stress_float(float2 *out, const float4 *start, int count, int steps) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const float4 given = start[i];
  float x[CHAINS];
  float y[CHAINS];
#pragma unroll
  for (int k = 0; k < CHAINS; ++k) {
    x[k] = given.x * (k + 1);
    y[k] = given.y * (k + 1);
  }
  for (int step = 0; step < TRIPS(steps); ++step) {
#pragma unroll
    for (int k = 0; k < CHAINS; ++k) {
      const float turned = x[k] * given.z - y[k] * given.w;
      y[k] = x[k] * given.w + y[k] * given.z;
      x[k] = turned;
    }
  }
#pragma unroll
  for (int k = 0; k < CHAINS; ++k) out[k * count + i] = make_float2(x[k], y[k]);
}

// The same in double precision.
extern "C" __global__ void stress_double(double2 *out, const double2 *start, int count,
                                         int steps) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const double2 point = start[2 * i];
  const double2 turn = start[2 * i + 1];
  double x[CHAINS];
  double y[CHAINS];
#pragma unroll
  for (int k = 0; k < CHAINS; ++k) {
    x[k] = point.x * (k + 1);
    y[k] = point.y * (k + 1);
  }
  for (int step = 0; step < TRIPS(steps); ++step) {
#pragma unroll
    for (int k = 0; k < CHAINS; ++k) {
      const double turned = x[k] * turn.x - y[k] * turn.y;
      y[k] = x[k] * turn.y + y[k] * turn.x;
      x[k] = turned;
    }
  }
#pragma unroll
  for (int k = 0; k < CHAINS; ++k) out[k * count + i] = make_double2(x[k], y[k]);
}

// Sequences x a + b of 32-bit numbers; chain k begins at start + k.
extern "C" __global__ void stress_int(unsigned int *out, const unsigned int *start, int count,
                                      int steps, unsigned int factor, unsigned int term) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  unsigned int x[CHAINS];
#pragma unroll
  for (int k = 0; k < CHAINS; ++k) x[k] = start[i] + k;
  for (int step = 0; step < TRIPS(steps); ++step) {
#pragma unroll
    for (int k = 0; k < CHAINS; ++k) x[k] = x[k] * factor + term;
  }
#pragma unroll
  for (int k = 0; k < CHAINS; ++k) out[k * count + i] = x[k];
}

// The same with 64 bits, of which a machine does a multiplication in parts.
extern "C" __global__ void stress_long(unsigned long long *out, const unsigned long long *start,
                                       int count, int steps, unsigned long long factor,
                                       unsigned long long term) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  unsigned long long x[CHAINS];
#pragma unroll
  for (int k = 0; k < CHAINS; ++k) x[k] = start[i] + k;
  for (int step = 0; step < TRIPS(steps); ++step) {
#pragma unroll
    for (int k = 0; k < CHAINS; ++k) x[k] = x[k] * factor + term;
  }
#pragma unroll
  for (int k = 0; k < CHAINS; ++k) out[k * count + i] = x[k];
}

// Shifts and exclusive ors; each step is a linear map of the word's bits.
extern "C" __global__ void stress_logic(unsigned int *out, const unsigned int *start, int count,
                                        int steps) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  unsigned int x[CHAINS];
#pragma unroll
  for (int k = 0; k < CHAINS; ++k) x[k] = start[i] + k;
  for (int step = 0; step < TRIPS(steps); ++step) {
#pragma unroll
    for (int k = 0; k < CHAINS; ++k) {
      x[k] ^= x[k] << 13;
      x[k] ^= x[k] >> 17;
      x[k] ^= x[k] << 5;
    }
  }
#pragma unroll
  for (int k = 0; k < CHAINS; ++k) out[k * count + i] = x[k];
}

// Roots: the sum of the arithmetic-geometric means of 1 and numbers from `start` down, each of
// which halves the way between two means so many times.
extern "C" __global__ void stress_roots(float *out, const float *start, int count, int steps) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const float shrink = 0.5f / steps;
  float sum = 0.0f;
  for (int step = 0; step < TRIPS(steps); ++step) {
    float a = 1.0f;
    float b = start[i] * (1.0f - step * shrink);
#pragma unroll
    for (int k = 0; k < HALVINGS; ++k) {
      const float middle = 0.5f * (a + b);
      b = sqrtf(a * b);
      a = middle;
    }
    sum += a;
  }
  out[i] = sum;
}
