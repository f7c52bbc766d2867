// Minimum spanning tree by rounds (Boruvka): each component takes the lightest edge that leaves it,
// and components joined by such edges become one. Every node has a thread in every kernel.
//
// Components are trees of pointers: the boss of a node belongs to its component too, and the one
// that is its own boss, the root, stands for all. A round hangs trees under other trees, and nothing
// makes them flat: who wants to know a node's component walks up to its root. Pointers are written
// in launches in which nobody walks, so that no walk depends on the order of CTAs.
//
// Edges are compared by weight and then by number, which is the same for both ways of an edge: no
// two are equal, and the edges that components take close no ring.

typedef unsigned long long Key;

#define NO_EDGE 0xffffffffffffffffull

inline __device__ Key key_of(int weight, int number) {
  return static_cast<Key>(weight) << 32 | static_cast<unsigned>(number);
}

// Walks from a node to the root of its component. How far that is depends on the node.
inline __device__ int root_of(const int *__restrict__ boss, int v) {
  int above = boss[v];
  while (above != v) {
    v = above;
    above = boss[v];
  }
  return v;
}

// Makes each node a component.
extern "C" __global__ void mst_init(int *boss, int node_count) {
  const int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v < node_count)
    boss[v] = v;
}

// Forgets what the last round found.
extern "C" __global__ void mst_reset(Key *node_lightest, Key *component_lightest, int *partner,
                                     int node_count) {
  const int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v < node_count) {
    node_lightest[v] = NO_EDGE;
    component_lightest[v] = NO_EDGE;
    partner[v] = v;
  }
}

// Finds each node's lightest edge to another component, and the lightest of each component. Only an
// edge that would be the lightest so far is worth the walk to the root of its other end: within a
// component that is every edge. Other threads lower the component's minimum while it is read, so
// that it may be too high, which costs an atomic in vain and changes no result.
extern "C" __global__ void mst_find_lightest(const int *__restrict__ offsets,
                                             const int *__restrict__ targets,
                                             const int *__restrict__ weights,
                                             const int *__restrict__ numbers,
                                             const int *__restrict__ boss, Key *node_lightest,
                                             Key *component_lightest, int node_count) {
  const int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= node_count)
    return;
  const int own = root_of(boss, v);
  Key lightest = NO_EDGE;
  const int end = offsets[v + 1];
  for (int e = offsets[v]; e < end; ++e) {
    const Key key = key_of(weights[e], numbers[e]);
    if (key < lightest && root_of(boss, targets[e]) != own)
      lightest = key;
  }
  if (lightest == NO_EDGE)
    return;
  node_lightest[v] = lightest;
  if (lightest < component_lightest[own])
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
  const Key lightest = node_lightest[v];
  if (lightest == NO_EDGE)
    return;
  const int own = root_of(boss, v);
  if (lightest != component_lightest[own])
    return;
  const int end = offsets[v + 1];
  for (int e = offsets[v]; e < end; ++e) {
    if (key_of(weights[e], numbers[e]) == lightest) {
      partner[own] = root_of(boss, targets[e]);
      in_tree[numbers[e]] = true;
      break;
    }
  }
}

// Two components that took the same edge are each other's partner: the lower of the two roots stays
// one, for all that join them.
extern "C" __global__ void mst_break_cycles(int *partner, int node_count) {
  const int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v < node_count) {
    const int other = partner[v];
    if (other > v && partner[other] == v)
      partner[v] = v;
  }
}

// Puts the root of each component under that of its partner, and adds up the edges that join them.
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

// Names the component of each node by its root, when all rounds are done.
extern "C" __global__ void mst_label(const int *__restrict__ boss, int *label, int node_count) {
  const int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v < node_count)
    label[v] = root_of(boss, v);
}
