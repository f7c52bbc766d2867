// Chains of arithmetic, to find out how much of it a machine does: each work-item has CHAINS of
// them, which do not depend on each other, and memory is hardly touched. What comes out has a
// closed form.
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#define CHAINS 4
#define HALVINGS 4  // after which the means of numbers up to 1 are equal in single precision

// Points that are turned about the origin again and again. `start` has a point and the cosine and
// sine of its turn; chain k begins k + 1 times as far away.
__kernel void stress_float(__global float2 *out, __global const float4 *start, int count,
                           int steps) {
  const int i = get_global_id(0);
  if (i >= count) return;
  const float4 given = start[i];
  float x[CHAINS];
  float y[CHAINS];
#pragma unroll
  for (int k = 0; k < CHAINS; ++k) {
    x[k] = given.x * (k + 1);
    y[k] = given.y * (k + 1);
  }
  for (int step = 0; step < steps; ++step) {
#pragma unroll
    for (int k = 0; k < CHAINS; ++k) {
      const float turned = x[k] * given.z - y[k] * given.w;
      y[k] = x[k] * given.w + y[k] * given.z;
      x[k] = turned;
    }
  }
#pragma unroll
  for (int k = 0; k < CHAINS; ++k) out[k * count + i] = (float2)(x[k], y[k]);
}

// The same in double precision.
__kernel void stress_double(__global double2 *out, __global const double2 *start, int count,
                            int steps) {
  const int i = get_global_id(0);
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
  for (int step = 0; step < steps; ++step) {
#pragma unroll
    for (int k = 0; k < CHAINS; ++k) {
      const double turned = x[k] * turn.x - y[k] * turn.y;
      y[k] = x[k] * turn.y + y[k] * turn.x;
      x[k] = turned;
    }
  }
#pragma unroll
  for (int k = 0; k < CHAINS; ++k) out[k * count + i] = (double2)(x[k], y[k]);
}

// Sequences x a + b of 32-bit numbers; chain k begins at start + k.
__kernel void stress_int(__global uint *out, __global const uint *start, int count,
                         int steps, uint factor, uint term) {
  const int i = get_global_id(0);
  if (i >= count) return;
  uint x[CHAINS];
#pragma unroll
  for (int k = 0; k < CHAINS; ++k) x[k] = start[i] + k;
  for (int step = 0; step < steps; ++step) {
#pragma unroll
    for (int k = 0; k < CHAINS; ++k) x[k] = x[k] * factor + term;
  }
#pragma unroll
  for (int k = 0; k < CHAINS; ++k) out[k * count + i] = x[k];
}

// The same with 64 bits, of which a machine does a multiplication in parts.
__kernel void stress_long(__global ulong *out,
                          __global const ulong *start, int count, int steps,
                          ulong factor, ulong term) {
  const int i = get_global_id(0);
  if (i >= count) return;
  ulong x[CHAINS];
#pragma unroll
  for (int k = 0; k < CHAINS; ++k) x[k] = start[i] + k;
  for (int step = 0; step < steps; ++step) {
#pragma unroll
    for (int k = 0; k < CHAINS; ++k) x[k] = x[k] * factor + term;
  }
#pragma unroll
  for (int k = 0; k < CHAINS; ++k) out[k * count + i] = x[k];
}

// Shifts and exclusive ors; each step is a linear map of the word's bits.
__kernel void stress_logic(__global uint *out, __global const uint *start,
                           int count, int steps) {
  const int i = get_global_id(0);
  if (i >= count) return;
  uint x[CHAINS];
#pragma unroll
  for (int k = 0; k < CHAINS; ++k) x[k] = start[i] + k;
  for (int step = 0; step < steps; ++step) {
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
__kernel void stress_roots(__global float *out, __global const float *start, int count, int steps) {
  const int i = get_global_id(0);
  if (i >= count) return;
  const float shrink = 0.5f / steps;
  float sum = 0.0f;
  for (int step = 0; step < steps; ++step) {
    float a = 1.0f;
    float b = start[i] * (1.0f - step * shrink);
#pragma unroll
    for (int k = 0; k < HALVINGS; ++k) {
      const float middle = 0.5f * (a + b);
      b = sqrt(a * b);
      a = middle;
    }
    sum += a;
  }
  out[i] = sum;
}
