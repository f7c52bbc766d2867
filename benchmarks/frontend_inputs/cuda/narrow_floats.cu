// Half, bfloat16 and 8-bit floats: arithmetic, comparison, conversion, packed forms.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

extern "C" __global__ void half_pairs(const __half2 *a, const __half2 *b, __half2 *c, float *f, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  __half2 x = a[i], y = b[i], z = __hfma2(x, y, __float2half2_rn(1.5f));
  z = __hadd2(z, __hmul2_sat(x, y));
  z = __hsub2(z, h2exp2(x));
  z = __hmax2(z, __hmin2(x, y));
  z = __h2div(z, __hadd2(y, h2sqrt(__habs2(x))));
  if (__hbgt2(z, x)) z = __hneg2(z);
  if (__hlt(__low2half(z), __high2half(z))) z = __lowhigh2highlow(z);
  z = __hfma2(h2sin(x), h2log2(y), h2rcp(z));
  z = __hadd2(z, h2rint(h2floor(h2ceil(y))));
  f[i] = __low2float(z) + __half2int_rn(__high2half(z)) + __half2ull_rz(__low2half(x)) + __half2float(hexp(__low2half(y)));
  c[i] = __halves2half2(htanh_approx(__low2half(z)), __hge(x.x, y.y) ? x.x : hrsqrt(y.y));
}
extern "C" __global__ void bfloats(const __nv_bfloat162 *a, const __nv_bfloat16 *b, __nv_bfloat162 *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  __nv_bfloat162 x = a[i], y = __bfloat162bfloat162(b[i]);
  __nv_bfloat162 z = __floats2bfloat162_rn(0.5f, 2.0f);
#if __CUDA_ARCH__ >= 800
  z = __hfma2(x, y, z);
#endif
  z = __hadd2(__hmul2(z, x), __hmax2(y, x));
  z = __hsub2(z, __hneg2(y));
  if (__hgt(z.x, y.x)) z.x = __float2bfloat16_rz(__bfloat162float(z.x) * 3.f);
  z.y = hexp(z.y) + hlog(y.y) + __int2bfloat16_rn(i) + __double2bfloat16(1.0 / i);
  c[i] = z;
}
extern "C" __global__ void bytes(const __nv_fp8_e4m3 *a, const __nv_fp8_e5m2 *b, __nv_fp8x4_e4m3 *c, float4 *d, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float x = float(a[i]), y = float(b[i]);
  float4 v = make_float4(x + y, x * y, x - y, fmaf(x, y, 1.f));
  c[i] = __nv_fp8x4_e4m3(v);
  v.x += __half2float(__half(__nv_fp8_e5m2(v.y)));
  d[i] = v;
}
template <typename T, int N> __global__ void axpy(T alpha, const T *x, T *y, int n) {
  int base = (blockIdx.x * blockDim.x + threadIdx.x) * N;
#pragma unroll
  for (int i = 0; i < N; ++i)
    if (base + i < n) y[base + i] = T(alpha * x[base + i] + y[base + i]);
}
template __global__ void axpy<__half, 8>(__half, const __half *, __half *, int);
template __global__ void axpy<__nv_bfloat16, 8>(__nv_bfloat16, const __nv_bfloat16 *, __nv_bfloat16 *, int);
