// Built-in functions, in single and double precision.
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
__kernel void single(__global const float *in, __global float *out, int n) {
  int i = get_global_id(0);
  float x = in[i], y = in[i + n], f;
  int e;
  float r = sin(x) + cos(y) * tan(x) - exp(y) + log(x) * pow(x, y) + exp2(x) + log2(y) + sqrt(x) + rsqrt(y) + cbrt(x) + hypot(x, y);
  r += fmod(x, y) + atan2(y, x) + floor(x) + ceil(y) + trunc(x) + rint(y) + round(x) + fabs(x) + fmax(x, y) + fmin(x, y) + copysign(x, y);
  r += native_sin(x) + native_exp(y) + native_recip(x) + half_sqrt(y) + mix(x, y, 0.3f) + step(x, y) + smoothstep(0.f, 1.f, x) + sign(y) + degrees(x);
  r += fract(x, &f) + frexp(y, &e) + ldexp(x, 3) + isnan(x) + isinf(y) + signbit(x) + f + e + clamp(x, 0.f, 1.f) + fma(x, y, r) + mad(x, y, r);
  out[i] = r;
}
__kernel void twice(__global const double *in, __global double *out, int n) {
  int i = get_global_id(0);
  double x = in[i], y = in[i + n];
  out[i] = sin(x) * exp(y) + log(x) / sqrt(y) + floor(x) - fma(x, y, 1.0) + (double)(int)y + (float)x + convert_double_rte((long)x) + fmax(x, y) / 3.0;
}
__kernel void integers(__global const uint *in, __global ulong *out, int n) {
  int i = get_global_id(0);
  uint x = in[i], y = in[i + n];
  ulong z = upsample(x, y);
  z += popcount(x) + clz(y) + rotate(x, 5u) + mul_hi(x, y) + mul24(x, y) + mad24(x, y, 3u) + hadd(x, y) + rhadd(x, y) + add_sat(x, y) + sub_sat(x, y);
  z ^= abs((int)x) + abs_diff(x, y) + max(x, y) + min(x, y) + x / y + x % 7 + (long)z / 13 + bitselect(x, y, 0xf0f0f0f0u);
  out[i] = z;
}
