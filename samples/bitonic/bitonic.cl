// Bitonic sort of n keys, ascending, in blocks of 2 * size keys; n and the work group size are
// powers of two, the size is BLOCK at most. bitonic_sort sorts each block, up and down in turn.
// Then for k = 4 * size, doubling up to n: bitonic_global for each j = k / 2, halving down to
// 2 * size, and bitonic_merge for all smaller j at once.
#define BLOCK 512

// Sorts blocks in local memory.
__kernel void bitonic_sort(__global uint *restrict keys) {
  __local uint tile[2 * BLOCK];

  const uint t = get_local_id(0);
  const uint pairs = get_local_size(0);
  const uint first = 2 * get_group_id(0) * pairs;
  tile[t] = keys[first + t];
  tile[t + pairs] = keys[first + t + pairs];

  for (uint k = 2; k <= 2 * pairs; k *= 2) {
    for (uint j = k / 2; j > 0; j /= 2) {
      barrier(CLK_LOCAL_MEM_FENCE);
      const uint low = 2 * t - (t & (j - 1));
      const uint a = tile[low];
      const uint b = tile[low + j];
      const bool ascends = ((first + low) & k) == 0;
      tile[low] = ascends ? (a < b ? a : b) : (a < b ? b : a);
      tile[low + j] = ascends ? (a < b ? b : a) : (a < b ? a : b);
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);

  keys[first + t] = tile[t];
  keys[first + t + pairs] = tile[t + pairs];
}

// Compares keys at distance j, one pair a work item, within sequences of k.
__kernel void bitonic_global(__global uint *restrict keys, uint k, uint j) {
  const uint t = get_global_id(0);
  const uint low = 2 * t - (t & (j - 1));
  const uint a = keys[low];
  const uint b = keys[low + j];
  const bool ascends = (low & k) == 0;
  keys[low] = ascends ? (a < b ? a : b) : (a < b ? b : a);
  keys[low + j] = ascends ? (a < b ? b : a) : (a < b ? a : b);
}

// Merges blocks in local memory: all distances from the group size down, within sequences of k.
__kernel void bitonic_merge(__global uint *restrict keys, uint k) {
  __local uint tile[2 * BLOCK];

  const uint t = get_local_id(0);
  const uint pairs = get_local_size(0);
  const uint first = 2 * get_group_id(0) * pairs;
  const bool ascends = (first & k) == 0;
  tile[t] = keys[first + t];
  tile[t + pairs] = keys[first + t + pairs];

  for (uint j = pairs; j > 0; j /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint low = 2 * t - (t & (j - 1));
    const uint a = tile[low];
    const uint b = tile[low + j];
    tile[low] = ascends ? (a < b ? a : b) : (a < b ? b : a);
    tile[low + j] = ascends ? (a < b ? b : a) : (a < b ? a : b);
  }
  barrier(CLK_LOCAL_MEM_FENCE);

  keys[first + t] = tile[t];
  keys[first + t + pairs] = tile[t + pairs];
}
