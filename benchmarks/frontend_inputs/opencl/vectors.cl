// Vector types: swizzles, conversions, comparisons, selects, reinterpretation.
__kernel void swizzles(__global const float8 *a, __global const int4 *b, __global float16 *c, __global uchar4 *d) {
  int i = get_global_id(0);
  float8 v = a[i];
  int4 w = b[i];
  float16 r = (float16)(v.odd, v.even, v.hi, v.lo);
  r.s0123 += convert_float4(w.wzyx) * v.s7;
  int4 less = isless(v.lo, v.hi);
  r.s4567 = select(v.lo, v.hi, less);
  r.sfedc = as_float4(w << 3) + as_float4(rotate(w, (int4)(7)));
  c[i] = r;
  d[i] = convert_uchar4_sat(w) + convert_uchar4(v.lo);
}
__kernel void widths(__global const char16 *a, __global const short8 *b, __global long2 *c, __global const ulong4 *e, __global half *h) {
  int i = get_global_id(0);
  int8 s = convert_int8(a[i].hi) * convert_int8(b[i]);
  long4 l = convert_long4(s.lo) + convert_long4(s.hi) * convert_long4(e[i]);
  c[i] = l.xy ^ l.zw;
  vstore_half((float)s.s3 * 0.5f, i, h);
  float4 f = vload_half4(i, h) + vload4(i, (__global float *)h);
  vstore4(f, i + 8, (__global float *)h);
}
__kernel void three(__global const float *in, __global float *out, float3 offset, int2 size) {
  int i = get_global_id(0);
  float3 p = vload3(i, in) - offset;
  float3 q = cross(p, offset) * dot(p, p) + normalize(p) * length(offset);
  if (all(q > (float3)(0)) || any(isnan(q))) q = fma(p, q, offset);
  vstore3(clamp(q, 0.f, (float)size.x), i, out);
}
