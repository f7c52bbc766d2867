// Breadth-first search level by level. A node on the frontier has its mask set; each level takes
// two launches: bfs_expand visits the neighbours of the frontier, bfs_advance makes those that are
// new the next frontier and tells the host that there is one.

// The edges of a node: from the first one to the one after its last.
typedef struct {
  int begin;
  int end;
} Range;

// Whether a work item has a node, and that node has a mark.
static inline bool is_marked(__global const char *marks, int node, int node_count) {
  return node < node_count && marks[node];
}

// Expands the frontier: neighbours that were not visited get their level and are marked as new.
__kernel void bfs_expand(__global const Range *restrict edges_of,
                         __global const int *restrict targets, __global char *frontier,
                         __global char *next, __global const char *visited, __global int *levels,
                         int node_count) {
  const int from = get_global_id(0);
  if (!is_marked(frontier, from, node_count))
    return;
  frontier[from] = 0;
  const Range edges = edges_of[from];
  for (int e = edges.begin; e < edges.end; ++e) {
    const int to = targets[e];
    if (visited[to])
      continue;
    next[to] = 1;
    levels[to] = 1 + levels[from];
  }
}

// Makes the nodes that are marked as new the frontier; any one of them lets the search go on.
__kernel void bfs_advance(__global char *frontier, __global char *next, __global char *visited,
                          __global char *go_on, int node_count) {
  const int reached = get_global_id(0);
  if (!is_marked(next, reached, node_count))
    return;
  next[reached] = 0;
  *go_on = 1;
  visited[reached] = 1;
  frontier[reached] = 1;
}
