// Exclusive prefix sums of n numbers, two a work item: scan_blocks leaves the sum of each block of
// 2 * group size numbers in sums; once these are scanned too, scan_add adds them to their blocks.
// Work-efficient: sums up a balanced tree, then down again. The work group size is a power of two,
// BLOCK at most.
#define BLOCK 256

__kernel void scan_blocks(__global const int *restrict in, __global int *restrict out,
                          __global int *restrict sums, int n) {
  __local int tree[2 * BLOCK];

  const int t = get_local_id(0);
  const int size = get_local_size(0);
  const int first = 2 * get_group_id(0) * size + t;
  const int second = first + size;
  tree[t] = first < n ? in[first] : 0;
  tree[t + size] = second < n ? in[second] : 0;

  int distance = 1;
  for (int nodes = size; nodes > 0; nodes /= 2) {  // up: a node becomes the sum of what is below
    barrier(CLK_LOCAL_MEM_FENCE);
    if (t < nodes) {
      const int left = distance * (2 * t + 1) - 1;
      tree[left + distance] += tree[left];
    }
    distance *= 2;
  }
  if (t == 0) {
    sums[get_group_id(0)] = tree[2 * size - 1];
    tree[2 * size - 1] = 0;
  }
  for (int nodes = 1; nodes <= size; nodes *= 2) {  // down: the sum of all before goes left
    distance /= 2;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (t < nodes) {
      const int left = distance * (2 * t + 1) - 1;
      const int below_left = tree[left];
      tree[left] = tree[left + distance];
      tree[left + distance] += below_left;
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);

  if (first < n) {
    out[first] = tree[t];
  }
  if (second < n) {
    out[second] = tree[t + size];
  }
}

__kernel void scan_add(__global int *restrict out, __global const int *restrict sums, int n) {
  const int size = get_local_size(0);
  const int first = 2 * get_group_id(0) * size + get_local_id(0);
  const int second = first + size;
  const int before = sums[get_group_id(0)];
  if (first < n) {
    out[first] += before;
  }
  if (second < n) {
    out[second] += before;
  }
}
