// Cheapest ways through a grid of costs, from any cell of its first row down to each cell of its
// last one; a way goes straight down or one column aside with each row. One launch goes through
// several rows: the pieces of a row overlap, and the part of a piece that is still right shrinks by
// one cell at each end with each row. A piece has blockDim.x cells, and 2 * steps < blockDim.x.
#include "cuda_words.h"

__device__ static inline int least(int a, int b) { return a < b ? a : b; }

// Takes a piece of a row of sums through `steps` rows of costs, from `first_row` on, and stores its
// inner blockDim.x - 2 * steps cells.
extern "C" __global__ void dynproc(int steps, const int *__restrict__ costs,
                                   const int *__restrict__ before, int *__restrict__ after,
                                   int columns, int first_row) {
  extern __shared__ int above[];  // sums of the row above, then those of this row
  const int piece = blockDim.x;
  int *const sums = above + piece;

  const int cell = threadIdx.x;
  const int column = (piece - 2 * steps) * (int)blockIdx.x + cell - steps;
  const int left = column > 0 ? cell - 1 : cell;  // at the grid's border, the cell itself
  const int right = column < columns - 1 ? cell + 1 : cell;
  const bool in_grid = 0 <= column && column < columns;
  if (in_grid) {
    above[cell] = before[column];
  }
  __syncthreads();

  const int *cost = costs + first_row * columns + column;
  bool is_known = false;
  for (int row = 0; row < steps; ++row) {
    is_known = in_grid & (row < cell) & (cell < piece - 1 - row);
    if (is_known) {
      sums[cell] = *cost + least(above[cell], least(above[left], above[right]));
    }
    __syncthreads();  // none needs the row above any more
    if (is_known) {
      above[cell] = sums[cell];
    }
    __syncthreads();
    cost += columns;
  }
  if (is_known) {
    after[column] = sums[cell];
  }
}
