// Breadth-first search level by level. A node on the frontier has its mask set; each level takes
// two launches: bfs_expand visits the neighbours of the frontier, bfs_advance makes those that are
// new the next frontier and tells the host that there is one.

typedef struct {
  int first_edge;
  int edges;
} Node;

// Expands the frontier: neighbours that were not visited get their level and are marked as new.
__kernel void bfs_expand(__global const Node *restrict nodes, __global const int *restrict targets,
                         __global char *frontier, __global char *next, __global const char *visited,
                         __global int *levels, int node_count) {
  const int v = get_global_id(0);
  if (v < node_count && frontier[v]) {
    frontier[v] = 0;
    const Node node = nodes[v];
    for (int e = node.first_edge; e < node.first_edge + node.edges; ++e) {
      const int w = targets[e];
      if (!visited[w]) {
        levels[w] = levels[v] + 1;
        next[w] = 1;
      }
    }
  }
}

// Makes the nodes that are marked as new the frontier; any one of them lets the search go on.
__kernel void bfs_advance(__global char *frontier, __global char *next, __global char *visited,
                          __global char *go_on, int node_count) {
  const int v = get_global_id(0);
  if (v < node_count && next[v]) {
    frontier[v] = 1;
    visited[v] = 1;
    *go_on = 1;
    next[v] = 0;
  }
}
