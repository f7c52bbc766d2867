// Breadth-first search level by level, one launch a level: every node has a thread, and those on
// the frontier hand the search on to their neighbours.

// The edges of a node: from the first one to the one after its last.
struct Range {
  int begin;
  int end;
};

// Whether the thread has a node, and that node is on the frontier.
inline __device__ bool is_on_frontier(const bool *frontier, int node, int node_count) {
  return node < node_count && frontier[node];
}

// Visits the neighbours of the frontier. Those on the frontier read one mask and clear it; the next
// frontier goes to another, or a CTA that comes later would go on with it at once. Several nodes may
// find the same neighbour: they store the same values. Nodes have few edges, so that the loop is not
// unrolled: what that takes before the loop would cost more than it saves.
extern "C" __global__ void bfs_level(const Range *__restrict__ edges_of,
                                     const int *__restrict__ targets, bool *frontier, bool *next,
                                     bool *visited, int *levels, bool *go_on, int node_count) {
  const int from = blockIdx.x * blockDim.x + threadIdx.x;
  if (!is_on_frontier(frontier, from, node_count))
    return;
  frontier[from] = false;
  const Range edges = edges_of[from];
#pragma unroll 1
  for (int e = edges.begin; e < edges.end; ++e) {
    const int to = targets[e];
    if (visited[to])
      continue;
    next[to] = true;
    visited[to] = true;
    levels[to] = levels[from] + 1;
    *go_on = true;
  }
}
