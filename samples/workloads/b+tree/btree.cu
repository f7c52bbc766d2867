// Searches in a B+ tree: one CTA a query, one thread a key of the node that the query has come to.
// On each level the thread whose key range holds the wanted key finds the child to go on with.

#ifndef ORDER
#define ORDER 256 // most children of a node, and threads a CTA
#endif

// A node's keys are the least ones of its children, or of its records; keys beyond the last are
// the largest integer. Indices are those of children, or of records in the order of their keys.
struct Node {
  int location;
  int indices[ORDER + 1];
  int keys[ORDER + 1];
  bool is_leaf;
  int key_count;
};

// Moves the next node of a query to a child of it, if this thread's key range has the wanted key.
inline __device__ void descend(const Node *nodes, int node_count, int at, int *next, int wanted) {
  const int t = threadIdx.x;
  if (nodes[at].keys[t] <= wanted && nodes[at].keys[t + 1] > wanted) {
    const int child = nodes[*next].indices[t];
    if (child < node_count) {
      *next = child;
    }
  }
}

// Looks up one key a CTA. Where each query is stands in global memory: the thread that finds the
// child writes it to `next`, and thread 0 makes it the current node between two barriers.
extern "C" __global__ void findK(int height, const Node *__restrict__ nodes, int node_count,
                                 const int *__restrict__ records, int *current, int *next,
                                 const int *__restrict__ wanted, int *answers) {
  const int t = threadIdx.x;
  const int query = blockIdx.x;
#pragma unroll 1 // trees are low
  for (int level = 0; level < height; ++level) {
    descend(nodes, node_count, current[query], &next[query], wanted[query]);
    __syncthreads();
    if (t == 0) {
      current[query] = next[query];
    }
    __syncthreads();
  }
  const Node *leaf = &nodes[current[query]];
  if (leaf->keys[t] == wanted[query]) {
    answers[query] = records[leaf->indices[t]];
  }
}

// Looks up the records from one key to another: two ways down the tree at once, for the first and
// the last key. Gives the first record and their number, if both keys are there.
extern "C" __global__ void findRangeK(int height, const Node *__restrict__ nodes, int node_count,
                                      int *current, int *next, int *current_last, int *next_last,
                                      const int *__restrict__ first, const int *__restrict__ last,
                                      int *starts, int *lengths) {
  const int t = threadIdx.x;
  const int query = blockIdx.x;
#pragma unroll 1 // trees are low
  for (int level = 0; level < height; ++level) {
    descend(nodes, node_count, current[query], &next[query], first[query]);
    descend(nodes, node_count, current_last[query], &next_last[query], last[query]);
    __syncthreads();
    if (t == 0) {
      current[query] = next[query];
      current_last[query] = next_last[query];
    }
    __syncthreads();
  }
  const Node *leaf = &nodes[current[query]];
  if (leaf->keys[t] == first[query]) {
    starts[query] = leaf->indices[t];
  }
  __syncthreads();
  const Node *leaf_last = &nodes[current_last[query]];
  if (leaf_last->keys[t] == last[query] && starts[query] >= 0) {
    lengths[query] = leaf_last->indices[t] - starts[query] + 1;
  }
}
