// Cheapest ways through a grid of costs, from any cell of its first row down to each cell of its
// last one; a way goes straight down or one column aside with each row. One launch goes through
// several rows (the pyramid, or ghost zone, method): the pieces of a row overlap, and the part of a
// piece that is still right shrinks by one cell at each end with each row. A block is BLOCK
// threads, and 2 * steps < BLOCK.
#ifndef TRIPS
#define TRIPS(n) (n)  // of main loops, which a build may shorten
#endif
#ifndef BLOCK
#define BLOCK 256
#endif

// Gives the cell at one side of a cell; at the border of the grid, where there is none, the cell.
inline __device__ int beside(int cell, int side, int column, int columns) {
  const int there = column + side;
  return 0 <= there && there < columns ? cell + side : cell;
}

// Whether a cell's sum can still be told from those in its piece, `row` rows down.
inline __device__ bool is_inner(int cell, int row) { return row < cell && cell < BLOCK - 1 - row; }

// Takes a piece of a row of sums through `steps` rows of costs, from `first_row` on, and stores its
// inner BLOCK - 2 * steps cells.
extern "C" __global__ void dynproc(int steps, const int *costs, const int *before, int *after,
                                   int columns, int first_row) {
  __shared__ int above[BLOCK];
  __shared__ int sums[BLOCK];

  const int cell = threadIdx.x;
  const int stored = BLOCK - 2 * steps;  // cells of a piece
  const int column = stored * (int)blockIdx.x + cell - steps;
  const int left = beside(cell, -1, column, columns);
  const int right = beside(cell, 1, column, columns);
  const bool in_grid = 0 <= column && column < columns;
  if (in_grid)
    above[cell] = before[column];
  __syncthreads();

  const int *cost = costs + first_row * columns + column;
  for (int row = 0;; ++row, cost += columns) {
    const bool is_known = in_grid & is_inner(cell, row);  // one branch for both
    if (is_known)
      sums[cell] = *cost + min(above[cell], min(above[left], above[right]));
    __syncthreads();  // none needs the row above any more
    if (row == TRIPS(steps) - 1) {
      if (is_known)
        after[column] = sums[cell];
      return;
    }
    if (is_known)
      above[cell] = sums[cell];
    __syncthreads();
  }
}
