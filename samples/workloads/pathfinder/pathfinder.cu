// Cheapest ways through a grid of costs, from any cell of its first row down to each cell of its
// last one; a way goes straight down or one column aside with each row. One launch goes through
// several rows (the pyramid, or ghost zone, method): the pieces of a row overlap, and the part of a
// piece that is still right shrinks by one cell at each end with each row. A block is BLOCK
// threads, and 2 * steps < BLOCK.
#ifndef BLOCK
#define BLOCK 256
#endif

// Takes a piece of a row of sums through `steps` rows of costs, from `first_row` on, and stores its
// inner BLOCK - 2 * steps cells.
extern "C" __global__ void dynproc(int steps, const int *costs, const int *before, int *after,
                                   int columns, int first_row) {
  __shared__ int sum[BLOCK];
  __shared__ int next[BLOCK];

  const int tx = threadIdx.x;
  const int first_column = (BLOCK - 2 * steps) * (int)blockIdx.x - steps;
  const int column = first_column + tx;
  const bool in_grid = column >= 0 && column < columns;

  // the neighbours in the piece, clamped to the part of it that lies in the grid
  const int west = max(tx - 1, max(-first_column, 0));
  const int east = min(tx + 1, min(columns - first_column, BLOCK) - 1);

  if (in_grid) {
    sum[tx] = before[column];
  }
  __syncthreads();

  bool reached = false;
  for (int done = 1; done <= steps; ++done) {
    reached = in_grid && tx >= done && tx < BLOCK - done;
    if (reached) {
      const int cheapest = min(min(sum[west], sum[tx]), sum[east]);
      next[tx] = cheapest + costs[(first_row + done - 1) * columns + column];
    }
    __syncthreads();
    if (done == steps) {
      break;
    }
    if (reached) {
      sum[tx] = next[tx];
    }
    __syncthreads();
  }

  if (reached) {
    after[column] = next[tx];
  }
}
