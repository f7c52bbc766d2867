// The mathematical library: long inlined sequences, slow paths with calls, all roundings.
extern "C" __global__ void single(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float x = in[i], y = in[i + n];
  float r = sinf(x) + cosf(y) * tanf(x) - expf(y) + logf(x) * powf(x, y) + exp2f(x) + log2f(y) + log10f(x) + expm1f(x) + log1pf(y);
  r += sqrtf(x) + rsqrtf(y) + cbrtf(x) + hypotf(x, y) + fmodf(x, y) + remainderf(x, y) + atan2f(y, x) + asinf(x) + acosf(y);
  r += sinhf(x) + coshf(y) + tanhf(x) + asinhf(y) + erff(x) + erfcf(y) + tgammaf(x) + lgammaf(y) + j0f(x) + y1f(y) + normcdff(x);
  r += __sinf(x) + __expf(y) + __fdividef(x, y) + __fadd_rd(x, y) + __fmul_ru(x, y) + __fmaf_rz(x, y, r) + __frcp_rn(x) + __fsqrt_ru(y);
  r += rintf(x) + floorf(y) + ceilf(x) + truncf(y) + roundf(x) + fabsf(y) + copysignf(x, y) + ldexpf(x, 3) + scalbnf(y, -2);
  int e;
  r += frexpf(x, &e) + e + ilogbf(y) + isnan(x) + isinf(y) + signbit(x) + __float2int_ru(x) + __float2ull_rd(y) + __saturatef(r);
  float s, c;
  sincosf(x, &s, &c);
  out[i] = r + s * c;
}
extern "C" __global__ void twice(const double *in, double *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double x = in[i], y = in[i + n];
  double r = sin(x) + cos(y) * tan(x) - exp(y) + log(x) * pow(x, y) + exp2(x) + log2(y) + log10(x) + expm1(x) + log1p(y);
  r += sqrt(x) + rsqrt(y) + cbrt(x) + hypot(x, y) + fmod(x, y) + atan2(y, x) + asin(x) + acos(y) + 1.0 / x + x / y;
  r += sinh(x) + cosh(y) + tanh(x) + asinh(y) + erf(x) + erfc(y) + tgamma(x) + lgamma(y) + j0(x) + y1(y) + normcdfinv(x);
  r += __dadd_rd(x, y) + __dmul_ru(x, y) + __fma_rz(x, y, r) + __drcp_rn(x) + __dsqrt_rd(y) + __ddiv_rz(x, y);
  r += rint(x) + floor(y) + ceil(x) + trunc(y) + fabs(x) + copysign(x, y) + __double2int_rn(x) + __double2ll_ru(y) + (float)x;
  r += __hiloint2double(__double2hiint(x), __double2loint(y)) + __longlong_as_double(__double_as_longlong(y) ^ 1);
  out[i] = r;
}
extern "C" __global__ void black_scholes(const float *s, const float *x, const float *t, float *call, float *put, float r, float v, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    float q = sqrtf(t[i]), d1 = (logf(s[i] / x[i]) + (r + 0.5f * v * v) * t[i]) / (v * q), d2 = d1 - v * q;
    float c1 = normcdff(d1), c2 = normcdff(d2), e = expf(-r * t[i]);
    call[i] = s[i] * c1 - x[i] * e * c2;
    put[i] = x[i] * e * (1.f - c2) - s[i] * (1.f - c1);
  }
}
