// Reductions and scans in local memory, and atomics.
__kernel void sum(__global const int *in, __global int *out, __local int *part, uint n) {
  uint l = get_local_id(0), i = get_global_id(0);
  int s = 0;
  for (; i < n; i += get_global_size(0)) s += in[i];
  part[l] = s;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint step = get_local_size(0) / 2; step > 0; step >>= 1) {
    if (l < step) part[l] += part[l + step];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (l == 0) atomic_add(out, part[0]);
}
__kernel void scan(__global const float *in, __global float *out, __local float *a, __local float *b, int n) {
  int l = get_local_id(0), from = 0;
  a[l] = l < n ? in[get_global_id(0)] : 0.f;
  for (int step = 1; step < get_local_size(0); step *= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    __local float *src = from ? b : a, *dst = from ? a : b;
    dst[l] = l >= step ? src[l] + src[l - step] : src[l];
    from = !from;
  }
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  out[get_global_id(0)] = from ? b[l] : a[l];
}
__kernel void histogram(__global const uchar4 *in, __global volatile uint *out, int n) {
  __local uint bins[256];
  for (int i = get_local_id(0); i < 256; i += get_local_size(0)) bins[i] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = get_global_id(0); i < n; i += get_global_size(0)) {
    uchar4 v = in[i];
    atomic_inc(&bins[v.x]); atomic_inc(&bins[v.y]); atomic_inc(&bins[v.z]); atomic_inc(&bins[v.w]);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = get_local_id(0); i < 256; i += get_local_size(0)) atomic_add(&out[i], bins[i]);
}
__kernel void atomics(__global int *p, __global uint *u, __local int *l) {
  int i = get_local_id(0), r = atomic_xchg(p, i) + atomic_cmpxchg(p + 1, 3, i) + atomic_min(p + 2, i) + atomic_max(p + 3, i);
  r += atomic_and(p + 4, i) + atomic_or(p + 5, i) + atomic_xor(p + 6, i) + atomic_dec(p + 7) + atomic_sub(p + 8, i) + atomic_add(l, i);
  u[i] = r + atomic_max(u + 9, (uint)i);
  mem_fence(CLK_GLOBAL_MEM_FENCE);
}
