// Shortest paths from one node, in rounds: one thread a node, and nodes whose distance changed in
// the last round relax their edges (Bellman and Ford). Weights are whole numbers.

#define UNREACHED 0x7fffffff

// Makes the source the only node that is reached, and the only one that changed.
extern "C" __global__ void sssp_init(int *distances, int *next_distances, bool *changed,
                                     bool *next_changed, int source, int node_count) {
  const int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v < node_count) {
    const int distance = v == source ? 0 : UNREACHED;
    distances[v] = distance;
    next_distances[v] = distance;
    changed[v] = v == source;
    next_changed[v] = false;
  }
}

// Relaxes the edges of the nodes that changed. Distances of the last round are read, those of this
// one are written: how many rounds there are does not depend on the order of CTAs. The array that
// is written is a round behind, where the last round changed something: each node mends its own.
extern "C" __global__ void sssp_relax(const int *__restrict__ offsets,
                                      const int *__restrict__ targets,
                                      const int *__restrict__ weights,
                                      const int *__restrict__ distances, int *next_distances,
                                      bool *changed, bool *next_changed, bool *go_on,
                                      int node_count) {
  const int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= node_count || !changed[v])
    return;
  changed[v] = false;
  const int distance = distances[v];
  atomicMin(&next_distances[v], distance);
  const int end = offsets[v + 1];
  for (int e = offsets[v]; e < end; ++e) {
    const int w = targets[e];
    const int shorter = distance + weights[e];
    if (shorter < distances[w]) {
      atomicMin(&next_distances[w], shorter);
      next_changed[w] = true;
      *go_on = true;
    }
  }
}
