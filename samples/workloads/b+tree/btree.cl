// Searches in a B+ tree: one group a query, one work-item a key of the node that the query has come
// to. On each level the item whose key range holds the wanted key finds the child to go on with.

#ifndef ORDER
#define ORDER 256 // most children of a node, and work-items a group
#endif

// A node's keys are the least ones of its children, or of its records; keys beyond the last are
// the largest integer. Indices are those of children, or of records in the order of their keys.
typedef struct {
  int location;
  int indices[ORDER + 1];
  int keys[ORDER + 1];
  char is_leaf;
  int key_count;
} Node;

// Moves the next node of a query to a child of it, if this item's key range has the wanted key.
inline void descend(__global const Node *nodes, int node_count, int at, __global int *next,
                    int wanted) {
  const int t = get_local_id(0);
  if (nodes[at].keys[t] <= wanted && nodes[at].keys[t + 1] > wanted) {
    const int child = nodes[*next].indices[t];
    if (child < node_count) {
      *next = child;
    }
  }
}

// Looks up one key a group. Where each query is stands in global memory: the item that finds the
// child writes it to `next`, and item 0 makes it the current node between two barriers.
__kernel void findK(int height, __global const Node *restrict nodes, int node_count,
                    __global const int *restrict records, __global int *current,
                    __global int *next, __global const int *restrict wanted,
                    __global int *answers) {
  const int t = get_local_id(0);
  const int query = get_group_id(0);
  for (int level = 0; level < height; ++level) {
    descend(nodes, node_count, current[query], &next[query], wanted[query]);
    barrier(CLK_GLOBAL_MEM_FENCE);
    if (t == 0) {
      current[query] = next[query];
    }
    barrier(CLK_GLOBAL_MEM_FENCE);
  }
  __global const Node *leaf = &nodes[current[query]];
  if (leaf->keys[t] == wanted[query]) {
    answers[query] = records[leaf->indices[t]];
  }
}

// Looks up the records from one key to another: two ways down the tree at once, for the first and
// the last key. Gives the first record and their number, if both keys are there.
__kernel void findRangeK(int height, __global const Node *restrict nodes, int node_count,
                         __global int *current, __global int *next, __global int *current_last,
                         __global int *next_last, __global const int *restrict first,
                         __global const int *restrict last, __global int *starts,
                         __global int *lengths) {
  const int t = get_local_id(0);
  const int query = get_group_id(0);
  for (int level = 0; level < height; ++level) {
    descend(nodes, node_count, current[query], &next[query], first[query]);
    descend(nodes, node_count, current_last[query], &next_last[query], last[query]);
    barrier(CLK_GLOBAL_MEM_FENCE);
    if (t == 0) {
      current[query] = next[query];
      current_last[query] = next_last[query];
    }
    barrier(CLK_GLOBAL_MEM_FENCE);
  }
  __global const Node *leaf = &nodes[current[query]];
  if (leaf->keys[t] == first[query]) {
    starts[query] = leaf->indices[t];
  }
  barrier(CLK_GLOBAL_MEM_FENCE);
  __global const Node *leaf_last = &nodes[current_last[query]];
  if (leaf_last->keys[t] == last[query] && starts[query] >= 0) {
    lengths[query] = leaf_last->indices[t] - starts[query] + 1;
  }
}
