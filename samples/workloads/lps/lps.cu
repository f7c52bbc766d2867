// Laplace's equation in three dimensions: one Jacobi iteration, which replaces each inner point of
// a grid by the mean of its six neighbours; points on the grid's surface keep their value. A block
// of TILE_X x TILE_Y threads has a tile of x and y and marches through it along z. Rows are `pitch`
// apart in memory.
#ifndef TRIPS
#define TRIPS(n) (n)
#endif
#ifndef TILE_X
#define TILE_X 32
#endif
#ifndef TILE_Y
#define TILE_Y 4
#endif
#ifndef UNROLL
#define UNROLL 1
#endif
#define RIM (2 * (TILE_X + TILE_Y))  // points around a tile, without corners: at most one a thread

enum { BEHIND, HERE, AHEAD, PLANES };

// Moves a point's values one plane on in the tile and loads the new one ahead, if there is one.
inline __device__ void march(float plane[PLANES][TILE_Y + 2][TILE_X + 2], int ty, int tx,
                             const float *values, unsigned ahead, bool any_ahead) {
  plane[BEHIND][ty][tx] = plane[HERE][ty][tx];
  plane[HERE][ty][tx] = plane[AHEAD][ty][tx];
  if (any_ahead) {
    plane[AHEAD][ty][tx] = values[ahead];
  }
}

// Keeps three planes of a tile and of its rim in shared memory. Each thread looks after one point
// of the tile, and the first RIM threads after one of the rim as well: first the rows above and
// below, whose loads are coalesced, then the columns left and right.
extern "C" __global__ void lps(const float *before, float *after, int width, int height, int depth,
                               int pitch) {
  __shared__ float plane[PLANES][TILE_Y + 2][TILE_X + 2];

  const int left = blockIdx.x * TILE_X;
  const int top = blockIdx.y * TILE_Y;
  const int tx = threadIdx.x + 1;
  const int ty = threadIdx.y + 1;
  const int x = left + threadIdx.x;
  const int y = top + threadIdx.y;
  const bool in_grid = x < width && y < height;

  const int t = threadIdx.y * TILE_X + threadIdx.x;
  int rim_tx = 0;
  int rim_ty = 0;
  int rim_x = -1;
  int rim_y = -1;
  if (t < RIM) {
    if (t < 2 * TILE_X) {
      rim_tx = tx;
      rim_ty = t < TILE_X ? 0 : TILE_Y + 1;
    } else {
      rim_tx = t % 2 == 0 ? 0 : TILE_X + 1;
      rim_ty = t / 2 - TILE_X + 1;
    }
    rim_x = left + rim_tx - 1;
    rim_y = top + rim_ty - 1;
  }
  const bool has_rim = rim_x >= 0 && rim_x < width && rim_y >= 0 && rim_y < height;

  const int planes_a_turn = UNROLL;
  const unsigned to_next_plane = pitch * height;
  unsigned place = y * pitch + x;
  unsigned rim_place = rim_y * pitch + rim_x;
  // the first turn moves what is HERE on to BEHIND, where nothing uses it
  if (in_grid) {
    plane[HERE][ty][tx] = 0.0f;
    plane[AHEAD][ty][tx] = before[place];
  }
  if (has_rim) {
    plane[HERE][rim_ty][rim_tx] = 0.0f;
    plane[AHEAD][rim_ty][rim_tx] = before[rim_place];
  }

#pragma unroll planes_a_turn
  for (int z = 0; z < TRIPS(depth); ++z) {
    const bool any_ahead = z < depth - 1;
    if (in_grid) {
      march(plane, ty, tx, before, place + to_next_plane, any_ahead);
    }
    if (has_rim) {
      march(plane, rim_ty, rim_tx, before, rim_place + to_next_plane, any_ahead);
    }
    __syncthreads();

    if (in_grid) {
      float value;
      if (x == 0 || x == width - 1 || y == 0 || y == height - 1 || z == 0 || z == depth - 1) {
        value = plane[HERE][ty][tx];
      } else {
        value = (plane[HERE][ty][tx - 1] + plane[HERE][ty][tx + 1] + plane[HERE][ty - 1][tx] +
                 plane[HERE][ty + 1][tx] + plane[BEHIND][ty][tx] + plane[AHEAD][ty][tx]) *
                (1.0f / 6.0f);
      }
      after[place] = value;
    }
    place += to_next_plane;
    rim_place += to_next_plane;
    __syncthreads();
  }
}
