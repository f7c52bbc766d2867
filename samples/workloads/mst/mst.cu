// Minimum spanning tree by rounds (Boruvka): each component takes the lightest edge that leaves it,
// and components joined by such edges become one. Every node has a thread in every kernel. The boss
// of a node is the node that stands for its component.
//
// Edges are compared by weight and then by number, which is the same for both ways of an edge: no
// two are equal, and the edges that components take close no ring.

typedef unsigned long long Key;

#define NO_EDGE 0xffffffffffffffffull

#ifndef HOPS
#define HOPS 4 // pointers that a node follows in one launch of mst_jump
#endif

inline __device__ Key key_of(int weight, int number) {
  return static_cast<Key>(weight) << 32 | static_cast<unsigned>(number);
}

// Makes each node a component. All nodes are to be looked at: none has NO_EDGE for its lightest.
extern "C" __global__ void mst_init(int *boss, Key *node_lightest, int node_count) {
  const int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v < node_count) {
    boss[v] = v;
    node_lightest[v] = 0;
  }
}

// Forgets what the last round found.
extern "C" __global__ void mst_reset(Key *component_lightest, int *partner, int node_count) {
  const int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v < node_count) {
    component_lightest[v] = NO_EDGE;
    partner[v] = v;
  }
}

// Finds each node's lightest edge to another component, and the lightest of each component. A node
// without such an edge will never have one again, and is passed over from then on.
extern "C" __global__ void mst_find_lightest(const int *__restrict__ offsets,
                                             const int *__restrict__ targets,
                                             const int *__restrict__ weights,
                                             const int *__restrict__ numbers,
                                             const int *__restrict__ boss, Key *node_lightest,
                                             Key *component_lightest, int node_count) {
  const int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= node_count || node_lightest[v] == NO_EDGE)
    return;
  const int own = boss[v];
  Key lightest = NO_EDGE;
  const int end = offsets[v + 1];
  for (int e = offsets[v]; e < end; ++e) {
    if (boss[targets[e]] != own) {
      const Key key = key_of(weights[e], numbers[e]);
      if (key < lightest)
        lightest = key;
    }
  }
  node_lightest[v] = lightest;
  if (lightest != NO_EDGE)
    atomicMin(&component_lightest[own], lightest);
}

// Looks the edge up again at the one node that has the lightest of its component: the edge is taken
// into the tree, and the component at its other end becomes the partner.
extern "C" __global__ void mst_choose(const int *__restrict__ offsets,
                                      const int *__restrict__ targets,
                                      const int *__restrict__ weights,
                                      const int *__restrict__ numbers, const int *__restrict__ boss,
                                      const Key *__restrict__ node_lightest,
                                      const Key *__restrict__ component_lightest, int *partner,
                                      bool *in_tree, int node_count) {
  const int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= node_count)
    return;
  const int own = boss[v];
  const Key lightest = node_lightest[v];
  if (lightest == NO_EDGE || lightest != component_lightest[own])
    return;
  const int end = offsets[v + 1];
  for (int e = offsets[v]; e < end; ++e) {
    if (key_of(weights[e], numbers[e]) == lightest) {
      partner[own] = boss[targets[e]];
      in_tree[numbers[e]] = true;
      break;
    }
  }
}

// Two components that took the same edge are each other's partner: the one with the lower boss
// stays where it is, and becomes the root of all that join them.
extern "C" __global__ void mst_break_cycles(int *partner, int node_count) {
  const int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v < node_count) {
    const int other = partner[v];
    if (other > v && partner[other] == v)
      partner[v] = v;
  }
}

// Lets the boss of each component follow its partner, and adds up the edges that join them.
extern "C" __global__ void mst_merge(const int *__restrict__ partner,
                                     const Key *__restrict__ component_lightest, int *boss,
                                     Key *total_weight, int *components, int node_count) {
  const int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v < node_count && partner[v] != v) {
    boss[v] = partner[v];
    atomicAdd(total_weight, component_lightest[v] >> 32);
    atomicSub(components, 1);
  }
}

// Follows pointers towards the root, some hops a launch; a node that has not come to one asks for
// another launch. The new pointers go to another array: how many launches it takes does not depend
// on the order of CTAs.
extern "C" __global__ void mst_jump(const int *__restrict__ boss, int *next_boss, bool *again,
                                    int node_count) {
  const int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= node_count)
    return;
  int above = boss[v];
  int further = boss[above];
  for (int hop = 0; hop < HOPS && further != above; ++hop) {
    above = further;
    further = boss[above];
  }
  next_boss[v] = above;
  if (further != above)
    *again = true;
}
