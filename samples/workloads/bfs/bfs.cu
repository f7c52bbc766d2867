// Breadth-first search level by level. A node on the frontier has its mask set; each level takes
// two launches: bfs_expand visits the neighbours of the frontier, bfs_advance makes those that are
// new the next frontier and tells the host that there is one.

struct Node {
  int first_edge;
  int edges;
};

// Expands the frontier: neighbours that were not visited get their level and are marked as new.
extern "C" __global__ void bfs_expand(const Node *__restrict__ nodes,
                                      const int *__restrict__ targets, bool *frontier, bool *next,
                                      const bool *visited, int *levels, int node_count) {
  const int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v < node_count && frontier[v]) {
    frontier[v] = false;
    const Node node = nodes[v];
    for (int e = node.first_edge; e < node.first_edge + node.edges; ++e) {
      const int w = targets[e];
      if (!visited[w]) {
        levels[w] = levels[v] + 1;
        next[w] = true;
      }
    }
  }
}

// Makes the nodes that are marked as new the frontier; any one of them lets the search go on.
extern "C" __global__ void bfs_advance(bool *frontier, bool *next, bool *visited, bool *go_on,
                                       int node_count) {
  const int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v < node_count && next[v]) {
    frontier[v] = true;
    visited[v] = true;
    *go_on = true;
    next[v] = false;
  }
}
