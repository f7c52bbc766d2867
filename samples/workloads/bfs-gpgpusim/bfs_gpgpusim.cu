// Breadth-first search level by level, one launch a level: every node has a thread, and those on
// the frontier hand the search on to their neighbours.

struct Node {
  int first_edge;
  int edges;
};

// Visits the neighbours of the frontier. Those on the frontier read one mask and clear it; the next
// frontier goes to another, or a CTA that comes later would go on with it at once. Several nodes may
// find the same neighbour: they store the same values.
extern "C" __global__ void bfs_level(const Node *__restrict__ nodes,
                                     const int *__restrict__ targets, bool *frontier, bool *next,
                                     bool *visited, int *levels, bool *go_on, int node_count) {
  const int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v < node_count && frontier[v]) {
    frontier[v] = false;
    const Node node = nodes[v];
    for (int e = node.first_edge; e < node.first_edge + node.edges; ++e) {
      const int w = targets[e];
      if (!visited[w]) {
        visited[w] = true;
        levels[w] = levels[v] + 1;
        next[w] = true;
        *go_on = true;
      }
    }
  }
}
