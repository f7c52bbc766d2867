// Breadth-first search driven by data: the nodes of the frontier stand in a list, and each level is
// one launch of a fixed grid, which goes through the list and writes that of the next level.

#define UNREACHED 0x7fffffff

// Makes the source the only node that is reached, and the only one in the list.
extern "C" __global__ void frontier_init(int *levels, int *frontier, int *frontier_size, int source,
                                         int node_count) {
  const int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v < node_count)
    levels[v] = v == source ? 0 : UNREACHED;
  if (v == 0) {
    frontier[0] = source;
    *frontier_size = 1;
  }
}

// Expands the frontier. Whoever lowers a node's level first has it, and puts it into the next list:
// a node is there once, at a place that depends on the order of threads. Levels do not depend on
// that.
extern "C" __global__ void frontier_expand(const int *__restrict__ offsets,
                                           const int *__restrict__ targets, int *levels,
                                           const int *__restrict__ frontier,
                                           const int *__restrict__ frontier_size, int *next,
                                           int *next_size, int level) {
  const int size = *frontier_size;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < size; i += gridDim.x * blockDim.x) {
    const int v = frontier[i];
    const int end = offsets[v + 1];
    for (int e = offsets[v]; e < end; ++e) {
      const int w = targets[e];
      // most neighbours have a level by then: a load spares the atomic
      if (levels[w] > level && atomicMin(&levels[w], level) > level)
        next[atomicAdd(next_size, 1)] = w;
    }
  }
}
