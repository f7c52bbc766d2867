// LU decomposition of a square row-major matrix in place, without pivoting, in tiles of TILE x
// TILE. U has the diagonal; that of L is ones and is not stored. A step takes three launches: the
// tile on the diagonal at `first`, the tiles right of it and below it, and all tiles beyond.
#ifndef TILE
#define TILE 16
#endif

// Copies rows begin .. end - 1 of a tile to shared memory, each thread one column of them.
static inline void load_rows(__local float (*tile)[TILE], __global const float *from, int pitch,
                             int column, int begin, int end) {
  for (int row = begin; row < end; ++row)
    tile[row][column] = from[row * pitch + column];
}

// Copies the rows of a tile from `begin` on back to the matrix.
static inline void store_rows(__global float *to, __local const float (*tile)[TILE], int pitch,
                              int column, int begin) {
  for (int row = begin; row < TILE; ++row)
    to[row * pitch + column] = tile[row][column];
}

// Takes the products of the first `terms` elements of a row and of a column off one element. The
// sum is not kept in a register: each product changes the element in shared memory.
static inline void eliminate(__local float *element, __local const float *row,
                             __local const float *column, int terms) {
  for (int k = 0; k < terms; ++k)
    *element -= row[k] * column[k * TILE];
}

// Solves for column `t` of a tile of U, downwards; `factored` is the tile on the diagonal.
static inline void solve_column(__local float (*upper)[TILE],
                                __local const float (*factored)[TILE], int t) {
  for (int row = 1; row < TILE; ++row)
    eliminate(&upper[row][t], factored[row], &upper[0][t], row);
}

// Solves for row `t` of a tile of L, to the right.
static inline void solve_row(__local float (*lower)[TILE], __local const float (*factored)[TILE],
                             int t) {
  for (int column = 0; column < TILE; ++column) {
    eliminate(&lower[t][column], lower[t], &factored[0][column], column);
    lower[t][column] /= factored[column][column];
  }
}

// Factors the tile on the diagonal, alternating between a column of L and the next row of U: TILE
// threads, of which those beyond the step work, each along a sum that grows with the steps. Rows
// of the tile are not padded, threads that go down a column of it meet in few banks.
__kernel void lud_diagonal(__global float *matrix, int size, int first) {
  __local float tile[TILE][TILE];

  const int t = get_local_id(0);
  __global float *const corner = matrix + first * (size + 1);
  load_rows(tile, corner, size, t, 0, TILE);
  barrier(CLK_LOCAL_MEM_FENCE);

  for (int row = 1; row < TILE; ++row) {
    const int column = row - 1;
    const bool is_beyond = t >= row;
    if (is_beyond) {
      eliminate(&tile[t][column], tile[t], &tile[0][column], column);
      tile[t][column] /= tile[column][column];
    }
    barrier(CLK_LOCAL_MEM_FENCE);  // the column of L is final
    if (is_beyond)
      eliminate(&tile[row][t], tile[row], &tile[0][t], row);
    barrier(CLK_LOCAL_MEM_FENCE);  // the row of U is final
  }

  store_rows(corner, tile, size, t, 1);  // row 0 is as it was
}

// Solves for a tile of U right of the diagonal and for the tile of L that is as far below it: 2 *
// TILE threads, of which the first half takes a column of U each and the second half a row of L.
// Each half loads a half of the tile on the diagonal for both. With 32 threads the halves are the
// two sides of a branch in one warp.
__kernel void lud_perimeter(__global float *matrix, int size, int first) {
  __local float factored[TILE][TILE];
  __local float upper[TILE][TILE];
  __local float lower[TILE][TILE];

  const bool solves_upper = get_local_id(0) < TILE;
  const int t = get_local_id(0) % TILE;
  const int away = TILE * ((int)get_group_id(0) + 1);
  __global float *const corner = matrix + first * (size + 1);
  __global float *const right = corner + away;
  __global float *const below = corner + away * size;

  if (solves_upper) {
    load_rows(factored, corner, size, t, 0, TILE / 2);
    load_rows(upper, right, size, t, 0, TILE);
  } else {
    load_rows(factored, corner, size, t, TILE / 2, TILE);
    load_rows(lower, below, size, t, 0, TILE);
  }
  barrier(CLK_LOCAL_MEM_FENCE);

  if (solves_upper)
    solve_column(upper, factored, t);
  else
    solve_row(lower, factored, t);
  barrier(CLK_LOCAL_MEM_FENCE);  // rows of L are stored by columns

  if (solves_upper)
    store_rows(right, upper, size, t, 1);  // row 0 is as it was
  else
    store_rows(below, lower, size, t, 0);
}

// Takes the product of two tiles of the perimeter off a tile beyond: TILE x TILE threads, one
// element a thread, whose sum is in a register.
__kernel void lud_internal(__global float *matrix, int size, int first) {
  __local float upper[TILE][TILE];
  __local float lower[TILE][TILE];

  const int tx = get_local_id(0), ty = get_local_id(1);
  const int column = TILE * ((int)get_group_id(0) + 1) + tx;
  __global float *const corner = matrix + first * (size + 1);
  __global float *const own_row = corner + (TILE * ((int)get_group_id(1) + 1) + ty) * size;
  upper[ty][tx] = corner[ty * size + column];
  lower[ty][tx] = own_row[tx];
  barrier(CLK_LOCAL_MEM_FENCE);

  float product = 0.0f;
  for (int k = 0; k < TILE; ++k)
    product += lower[ty][k] * upper[k][tx];
  own_row[column] -= product;
}
