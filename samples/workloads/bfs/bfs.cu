// Breadth-first search level by level. A node on the frontier has its mask set; each level takes
// two launches: bfs_expand visits the neighbours of the frontier, bfs_advance makes those that are
// new the next frontier and tells the host that there is one.
#ifndef TRIPS
#define TRIPS(n) (n)  // of main loops, which a build may shorten
#endif

// The edges of a node: from the first one to the one after its last.
struct Range {
  int begin;
  int end;
};

// Whether a thread has a node, and that node has a mark.
inline __device__ bool is_marked(const bool *marks, int node, int node_count) {
  return node < node_count && marks[node];
}

// Expands the frontier: neighbours that were not visited get their level and are marked as new.
extern "C" __global__ void bfs_expand(const Range *__restrict__ edges_of,
                                      const int *__restrict__ targets, bool *frontier, bool *next,
                                      const bool *visited, int *levels, int node_count) {
  const int from = blockIdx.x * blockDim.x + threadIdx.x;
  if (!is_marked(frontier, from, node_count))
    return;
  frontier[from] = false;
  const Range edges = edges_of[from];
  for (int e = edges.begin; e < edges.begin + TRIPS(edges.end - edges.begin); ++e) {
    const int to = targets[e];
    if (visited[to])
      continue;
    next[to] = true;
    levels[to] = 1 + levels[from];
  }
}

// Makes the nodes that are marked as new the frontier; any one of them lets the search go on.
extern "C" __global__ void bfs_advance(bool *frontier, bool *next, bool *visited, bool *go_on,
                                       int node_count) {
  const int reached = blockIdx.x * blockDim.x + threadIdx.x;
  if (!is_marked(next, reached, node_count))
    return;
  next[reached] = false;
  *go_on = true;
  visited[reached] = true;
  frontier[reached] = true;
}
