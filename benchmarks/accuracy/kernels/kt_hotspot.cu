// Temperatures on a chip: a grid of cells, each heated by its own power, that exchange heat with
// their four neighbours and with the surroundings. One launch advances STEPS steps: a block loads
// its tile with STEPS cells more on each side, and what is right of it shrinks by one cell a step.
#define STEPS TEMPORAL_TILING_FACTOR
#ifndef GRID
#define GRID 4096  // cells a side
#endif
#define HALO 10  // cells around the grid, as many as the most steps
#define PITCH (GRID + 2 * HALO)
#define SURROUNDINGS 80.0f  // temperature of what lies around the chip
#define TILE_WIDTH (BLOCK_SIZE_X * TILE_SIZE_X + 2 * STEPS)
#define TILE_HEIGHT (BLOCK_SIZE_Y * TILE_SIZE_Y + 2 * STEPS)

#if BLOCKS_PER_SM > 0
#define BOUNDS __launch_bounds__(BLOCK_SIZE_X *BLOCK_SIZE_Y, BLOCKS_PER_SM)
#else
#define BOUNDS
#endif
constexpr int UNROLL = LOOP_UNROLL_FACTOR_T;  // in a pragma macros are not expanded

// `power` and `before` are PITCH x PITCH, `after` is GRID x GRID. `across`, `along` and `out` are
// the conductances to the neighbours left and right, to those above and below, and to the
// surroundings; `rate` is the time of a step by the capacity of a cell.
extern "C" __global__ void BOUNDS hotspot(float *power, float *before, float *after, float across,
                                          float along, float out, float rate) {
  __shared__ float cell[2][TILE_HEIGHT][TILE_WIDTH];
#if SH_POWER
  __shared__ float heating[TILE_HEIGHT][TILE_WIDTH];
#endif
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int left = blockIdx.x * BLOCK_SIZE_X * TILE_SIZE_X + HALO - STEPS;  // of the tile, with halo
  const int top = blockIdx.y * BLOCK_SIZE_Y * TILE_SIZE_Y + HALO - STEPS;

  for (int i = ty; i < TILE_HEIGHT; i += BLOCK_SIZE_Y) {
    for (int j = tx; j < TILE_WIDTH; j += BLOCK_SIZE_X) {
      const int y = top + i, x = left + j;
      const bool inside = y < PITCH && x < PITCH;
      cell[0][i][j] = inside ? before[y * PITCH + x] : 0.0f;
#if SH_POWER
      heating[i][j] = inside ? power[y * PITCH + x] : 0.0f;
#endif
    }
  }
  __syncthreads();

  int now = 0;
#pragma unroll UNROLL
  for (int step = 1; step <= STEPS; ++step) {
    for (int i = ty + step; i < TILE_HEIGHT - step; i += BLOCK_SIZE_Y) {
      for (int j = tx + step; j < TILE_WIDTH - step; j += BLOCK_SIZE_X) {
#if SH_POWER
        const float heat = heating[i][j];
#else
        const int y = top + i, x = left + j;
        const float heat = y < PITCH && x < PITCH ? power[y * PITCH + x] : 0.0f;
#endif
        const float here = cell[now][i][j];
        const float south = cell[now][i + 1][j], north = cell[now][i - 1][j];
        const float east = cell[now][i][j + 1], west = cell[now][i][j - 1];
        // 2.0 is a double, and what it meets becomes one: the measured kernel has it so
        cell[1 - now][i][j] =
            here + rate * (heat + (south + north - 2.0 * here) * along +
                           (east + west - 2.0 * here) * across + (SURROUNDINGS - here) * out);
      }
    }
    __syncthreads();
    now = 1 - now;
  }

  for (int yi = 0; yi < TILE_SIZE_Y; ++yi) {
    for (int xi = 0; xi < TILE_SIZE_X; ++xi) {
      const int i = ty + yi * BLOCK_SIZE_Y, j = tx + xi * BLOCK_SIZE_X;
      const int y = blockIdx.y * BLOCK_SIZE_Y * TILE_SIZE_Y + i;
      const int x = blockIdx.x * BLOCK_SIZE_X * TILE_SIZE_X + j;
      if (y < GRID && x < GRID) after[y * GRID + x] = cell[now][STEPS + i][STEPS + j];
    }
  }
}
