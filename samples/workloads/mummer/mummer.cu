// Exact matches of many short queries (reads of a sequencer) with a reference, as MUMmerGPU finds
// them: a thread takes a query down the reference's suffix tree, from each of its symbols on. From
// one start to the next it follows a suffix link instead of going back to the root, and what is
// known to match is passed over. The tree is in two-dimensional textures, a texel a node: where its
// edge lies in the reference and its link in the one, its four children in the other.
#ifndef TRIPS
#define TRIPS(n) (n)  // of main loops, which a build may shorten
#endif
#define ROOT 0
#define NONE 0  // no child: the root is none
#define WIDTH_BITS 10  // of the textures: 1,024 nodes a row

// What lies in textures: texels of the tree, symbols of the reference and of all queries.
struct Data {
  cudaTextureObject_t nodes, children, reference, queries;
};

inline __device__ uint4 texel_of(cudaTextureObject_t texture, unsigned int node) {
  return tex2D<uint4>(texture, (node & ((1 << WIDTH_BITS) - 1)) + 0.5f,
                      (node >> WIDTH_BITS) + 0.5f);
}

// The child of a node whose edge begins with a symbol; other symbols than the four have none.
inline __device__ unsigned int child_of(const Data &data, unsigned int node, unsigned char symbol) {
  const uint4 children = texel_of(data.children, node);
  switch (symbol) {
    case 'A': return children.x;
    case 'C': return children.y;
    case 'G': return children.z;
    case 'T': return children.w;
    default: return NONE;
  }
}

inline __device__ unsigned char complement(unsigned char symbol) {
  switch (symbol) {
    case 'A': return 'T';
    case 'C': return 'G';
    case 'G': return 'C';
    case 'T': return 'A';
    default: return symbol;
  }
}

// Symbol i of a query; of its reverse complement, the other strand read the other way, if asked.
template <bool REVERSE>
inline __device__ unsigned char symbol_of(const Data &data, int begin, int end, int i) {
  if (REVERSE) return complement(tex1Dfetch<unsigned char>(data.queries, end - 1 - i));
  return tex1Dfetch<unsigned char>(data.queries, begin + i);
}

// Finds the longest match from each start of a query that leaves `least` symbols: where it lies in
// the reference, or -1 where it is shorter than `least`, and its length.
template <bool REVERSE>
inline __device__ void match_query(const Data &data, const int *__restrict__ offsets, int query,
                                   int least, int2 *__restrict__ matches) {
  const int begin = offsets[query], end = offsets[query + 1];
  const int length = end - begin;

  unsigned int node = ROOT;
  int depth = 0;    // symbols that the way to the node reads
  int matched = 0;  // symbols from this start on that are known to match
  for (int start = 0; start < TRIPS(length - least + 1); ++start) {
    bool is_within_edge = false;
    int position = 0;
    while (!is_within_edge && start + depth < length) {
      const unsigned char first = symbol_of<REVERSE>(data, begin, end, start + depth);
      const unsigned int child = child_of(data, node, first);
      if (child == NONE) break;
      const uint4 edge = texel_of(data.nodes, child);
      const int size = edge.y - edge.x;
      int along = min(max(matched - depth, 1), size);
      while (along < size && start + depth + along < length &&
             tex1Dfetch<unsigned char>(data.reference, edge.x + along) ==
                 symbol_of<REVERSE>(data, begin, end, start + depth + along)) {
        ++along;
      }
      matched = depth + along;
      is_within_edge = along < size;
      if (is_within_edge) {
        position = edge.x - depth;
      } else {
        node = child;
        depth += size;
      }
    }

    const uint4 reached = texel_of(data.nodes, node);
    if (!is_within_edge) position = reached.y - depth;
    matches[begin + start] = make_int2(matched < least ? -1 : position, matched);

    // the next start: the same without its first symbol
    matched = max(matched - 1, 0);
    if (node != ROOT) {
      node = reached.z;
      --depth;
    }
  }
}

// Matches the queries as they are, a thread each. `offsets` say where each begins, and one more
// where the last one ends; a match lies in `matches` where its start lies among the queries.
extern "C" __global__ void mummer_match(cudaTextureObject_t nodes, cudaTextureObject_t children,
                                        cudaTextureObject_t reference, cudaTextureObject_t queries,
                                        const int *__restrict__ offsets, int count, int least,
                                        int2 *__restrict__ matches) {
  const int query = blockIdx.x * blockDim.x + threadIdx.x;
  if (query >= count) return;
  const Data data = {nodes, children, reference, queries};
  match_query<false>(data, offsets, query, least, matches);
}

// Matches the reverse complements of the queries.
extern "C" __global__ void mummer_match_reverse(cudaTextureObject_t nodes,
                                                cudaTextureObject_t children,
                                                cudaTextureObject_t reference,
                                                cudaTextureObject_t queries,
                                                const int *__restrict__ offsets, int count,
                                                int least, int2 *__restrict__ matches) {
  const int query = blockIdx.x * blockDim.x + threadIdx.x;
  if (query >= count) return;
  const Data data = {nodes, children, reference, queries};
  match_query<true>(data, offsets, query, least, matches);
}
