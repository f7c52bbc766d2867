// One level of a breadth-first search: the vertices of this level mark those of the next.
extern "C" __global__ void bfs(const int *rows, const int *columns, int *levels, int *found,
                               int level, int n) {
  const int vertex = blockIdx.x * blockDim.x + threadIdx.x;
  if (vertex >= n || levels[vertex] != level) return;
  for (int edge = rows[vertex]; edge < rows[vertex + 1]; edge++) {
    const int next = columns[edge];
    if (levels[next] < 0) {
      levels[next] = level + 1;
      *found = 1;
    }
  }
}
