// Searches in a B+ tree whose order is blockDim.x: one block a query, one thread a key of the node
// that the query has come to. A node has order + 1 keys, the last of which ends the range of the
// last child, and as many indices: of children, or of records in the order of their keys.
#include "cuda_words.h"

// Moves the next node of a query to a child of the current one, if this thread's range of keys has
// the wanted key.
__device__ static inline void descend(const int *keys, const int *indices, int nodes, int at,
                                      int *next, int wanted) {
  const int t = threadIdx.x;
  const int pitch = blockDim.x + 1;
  if (keys[at * pitch + t] <= wanted && keys[at * pitch + t + 1] > wanted) {
    const int child = indices[*next * pitch + t];
    if (child < nodes) {
      *next = child;
    }
  }
}

// Looks up one key a block. Where each query is stands in global memory: the thread that finds the
// child writes it to `next`, and thread 0 makes it the current node between two barriers.
extern "C" __global__ void findK(int height, const int *__restrict__ keys,
                                 const int *__restrict__ indices, int nodes,
                                 const int *__restrict__ records, int *current, int *next,
                                 const int *__restrict__ wanted, int *answers) {
  const int t = threadIdx.x;
  const int query = blockIdx.x;
  for (int level = 0; level < height; ++level) {
    descend(keys, indices, nodes, current[query], &next[query], wanted[query]);
    __syncthreads();
    if (t == 0) {
      current[query] = next[query];
    }
    __syncthreads();
  }
  const int leaf = current[query] * (blockDim.x + 1) + t;
  if (keys[leaf] == wanted[query]) {
    answers[query] = records[indices[leaf]];
  }
}

// Looks up the records from one key to another: two ways down the tree at once, for the first and
// the last key. Gives the first record and their number, if both keys are there.
extern "C" __global__ void findRangeK(int height, const int *__restrict__ keys,
                                      const int *__restrict__ indices, int nodes, int *current,
                                      int *next, int *current_last, int *next_last,
                                      const int *__restrict__ first, const int *__restrict__ last,
                                      int *starts, int *lengths) {
  const int t = threadIdx.x;
  const int query = blockIdx.x;
  for (int level = 0; level < height; ++level) {
    descend(keys, indices, nodes, current[query], &next[query], first[query]);
    descend(keys, indices, nodes, current_last[query], &next_last[query], last[query]);
    __syncthreads();
    if (t == 0) {
      current[query] = next[query];
      current_last[query] = next_last[query];
    }
    __syncthreads();
  }
  const int leaf = current[query] * (blockDim.x + 1) + t;
  if (keys[leaf] == first[query]) {
    starts[query] = indices[leaf];
  }
  __syncthreads();
  const int leaf_last = current_last[query] * (blockDim.x + 1) + t;
  if (keys[leaf_last] == last[query] && starts[query] >= 0) {
    lengths[query] = indices[leaf_last] - starts[query] + 1;
  }
}
