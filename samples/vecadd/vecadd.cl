// c[i] = a[i] + b[i], one element a work item.
__kernel void vecadd(__global const float *restrict a, __global const float *restrict b,
                     __global float *restrict c, int n) {
  const int i = get_global_id(0);
  if (i < n) {
    c[i] = a[i] + b[i];
  }
}
