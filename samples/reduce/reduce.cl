// Sum of n numbers, first half: each work group adds 2 * BLOCK numbers into one partial sum.
// The work group size is a power of two, BLOCK at most.
#define BLOCK 256

__kernel void reduce(__global const float *restrict in, __global float *restrict partial, int n) {
  __local float sums[BLOCK];

  const uint t = get_local_id(0);
  const uint size = get_local_size(0);
  const int first = get_group_id(0) * size * 2 + t;
  const int second = first + size;

  float sum = first < n ? in[first] : 0.0f;
  if (second < n) {
    sum += in[second];
  }
  sums[t] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);

  for (uint s = size / 2; s > 0; s >>= 1) {
    if (t < s) {
      sums[t] += sums[t + s];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }

  if (t == 0) {
    partial[get_group_id(0)] = sums[0];
  }
}
