// LU decomposition of a square row-major matrix in place, without pivoting, in tiles of TILE x
// TILE. U has the diagonal; that of L is ones and is not stored. A step takes three launches: the
// tile on the diagonal at `first`, the tiles right of it and below it, and all tiles beyond.
#ifndef TRIPS
#define TRIPS(n) (n)  // of main loops, which a build may shorten
#endif
#ifndef TILE
#define TILE 16
#endif

// Copies rows begin .. end - 1 of a tile to shared memory, each thread one column of them.
inline __device__ void load_rows(float (*tile)[TILE], const float *from, int pitch, int column,
                                 int begin, int end) {
  for (int row = begin; row < end; ++row)
    tile[row][column] = from[row * pitch + column];
}

// Copies the rows of a tile from `begin` on back to the matrix.
inline __device__ void store_rows(float *to, const float (*tile)[TILE], int pitch, int column,
                                  int begin) {
  for (int row = begin; row < TILE; ++row)
    to[row * pitch + column] = tile[row][column];
}

// Takes the products of the first `terms` elements of a row and of a column off one element. The
// sum is not kept in a register: each product changes the element in shared memory.
inline __device__ void eliminate(float *element, const float *row, const float *column, int terms) {
  for (int k = 0; k < TRIPS(terms); ++k)
    *element -= row[k] * column[k * TILE];
}

// Solves for column `t` of a tile of U, downwards; `factored` is the tile on the diagonal.
inline __device__ void solve_column(float (*upper)[TILE], const float (*factored)[TILE], int t) {
  for (int row = 1; row < 1 + TRIPS(TILE - 1); ++row)
    eliminate(&upper[row][t], factored[row], &upper[0][t], row);
}

// Solves for row `t` of a tile of L, to the right.
inline __device__ void solve_row(float (*lower)[TILE], const float (*factored)[TILE], int t) {
  for (int column = 0; column < TRIPS(TILE); ++column) {
    eliminate(&lower[t][column], lower[t], &factored[0][column], column);
    lower[t][column] /= factored[column][column];
  }
}

// Factors the tile on the diagonal, alternating between a column of L and the next row of U: TILE
// threads, of which those beyond the step work, each along a sum that grows with the steps. Rows
// of the tile are not padded, threads that go down a column of it meet in few banks.
extern "C" __global__ void lud_diagonal(float *matrix, int size, int first) {
  __shared__ float tile[TILE][TILE];

  const int t = threadIdx.x;
  float *const corner = matrix + first * (size + 1);
  load_rows(tile, corner, size, t, 0, TILE);
  __syncthreads();

  for (int row = 1; row < 1 + TRIPS(TILE - 1); ++row) {
    const int column = row - 1;
    const bool is_beyond = t >= row;
    if (is_beyond) {
      eliminate(&tile[t][column], tile[t], &tile[0][column], column);
      tile[t][column] /= tile[column][column];
    }
    __syncthreads();  // the column of L is final
    if (is_beyond)
      eliminate(&tile[row][t], tile[row], &tile[0][t], row);
    __syncthreads();  // the row of U is final
  }

  store_rows(corner, tile, size, t, 1);  // row 0 is as it was
}

// Solves for a tile of U right of the diagonal and for the tile of L that is as far below it: 2 *
// TILE threads, of which the first half takes a column of U each and the second half a row of L.
// Each half loads a half of the tile on the diagonal for both. With 32 threads the halves are the
// two sides of a branch in one warp.
extern "C" __global__ void lud_perimeter(float *matrix, int size, int first) {
  __shared__ float factored[TILE][TILE];
  __shared__ float upper[TILE][TILE];
  __shared__ float lower[TILE][TILE];

  const bool solves_upper = threadIdx.x < TILE;
  const int t = threadIdx.x % TILE;
  const int away = TILE * (blockIdx.x + 1);
  float *const corner = matrix + first * (size + 1);
  float *const right = corner + away;
  float *const below = corner + away * size;

  if (solves_upper) {
    load_rows(factored, corner, size, t, 0, TILE / 2);
    load_rows(upper, right, size, t, 0, TILE);
  } else {
    load_rows(factored, corner, size, t, TILE / 2, TILE);
    load_rows(lower, below, size, t, 0, TILE);
  }
  __syncthreads();

  if (solves_upper)
    solve_column(upper, factored, t);
  else
    solve_row(lower, factored, t);
  __syncthreads();  // rows of L are stored by columns

  if (solves_upper)
    store_rows(right, upper, size, t, 1);  // row 0 is as it was
  else
    store_rows(below, lower, size, t, 0);
}

// Takes the product of two tiles of the perimeter off a tile beyond: TILE x TILE threads, one
// element a thread, whose sum is in a register.
extern "C" __global__ void lud_internal(float *matrix, int size, int first) {
  __shared__ float upper[TILE][TILE];
  __shared__ float lower[TILE][TILE];

  const int tx = threadIdx.x, ty = threadIdx.y;
  const int column = TILE * (blockIdx.x + 1) + tx;
  float *const corner = matrix + first * (size + 1);
  float *const own_row = corner + (TILE * (blockIdx.y + 1) + ty) * size;
  upper[ty][tx] = corner[ty * size + column];
  lower[ty][tx] = own_row[tx];
  __syncthreads();

  float product = 0.0f;
  for (int k = 0; k < TRIPS(TILE); ++k)
    product += lower[ty][k] * upper[k][tx];
  own_row[column] -= product;
}
