// Temperatures on a chip over time: a grid of cells, each heated by its own power, that exchange
// heat with their four neighbours and with the surroundings. One launch advances several time
// steps (the pyramid, or ghost zone, method): tiles overlap, and the part of a tile that is still
// right shrinks by one cell on each side with each step. A block is TILE x TILE threads, and
// 2 * steps < TILE.
#ifndef TRIPS
#define TRIPS(n) (n)  // of main loops, which a build may shorten
#endif
#ifndef TILE
#define TILE 16
#endif
#define SURROUNDINGS 80.0f  // temperature of what lies around the chip

// Advances a tile by `steps` time steps and stores its inner TILE - 2 * steps cells a side.
// `across`, `along` and `out` are the thermal resistances to the neighbours left and right, to
// those above and below, and to the surroundings. Beyond the grid's edge, a cell is its own
// neighbour.
extern "C" __global__ void hotspot(int steps, const float *power, const float *before,
                                   float *after, int columns, int rows, float capacity,
                                   float across, float along, float out, float seconds) {
  __shared__ float cell[TILE][TILE];
  __shared__ float heating[TILE][TILE];
  __shared__ float next[TILE][TILE];

  const float rate = seconds / capacity;
  const float flow_across = 1 / across;
  const float flow_along = 1 / along;
  const float flow_out = 1 / out;

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int inner = TILE - 2 * steps;
  const int first_column = inner * (int)blockIdx.x - steps;
  const int first_row = inner * (int)blockIdx.y - steps;
  const int column = first_column + tx;
  const int row = first_row + ty;
  const bool on_chip = column >= 0 && column < columns && row >= 0 && row < rows;
  const int place = row * columns + column;
  if (on_chip) {
    cell[ty][tx] = before[place];
    heating[ty][tx] = power[place];
  }
  __syncthreads();

  // the tile's own indices of the neighbours, clamped to the part of it that lies on the chip
  const int north = max(ty - 1, max(-first_row, 0));
  const int south = min(ty + 1, min(rows - first_row, TILE) - 1);
  const int west = max(tx - 1, max(-first_column, 0));
  const int east = min(tx + 1, min(columns - first_column, TILE) - 1);

  bool advanced = false;
  for (int done = 1; done <= TRIPS(steps); ++done) {
    advanced = on_chip && tx >= done && tx < TILE - done && ty >= done && ty < TILE - done;
    if (advanced) {
      const float here = cell[ty][tx];
      const float from_along = (cell[south][tx] + cell[north][tx] - 2 * here) * flow_along;
      const float from_across = (cell[ty][east] + cell[ty][west] - 2 * here) * flow_across;
      const float from_out = (SURROUNDINGS - here) * flow_out;
      next[ty][tx] = here + rate * (heating[ty][tx] + from_along + from_across + from_out);
    }
    __syncthreads();
    if (done == TRIPS(steps)) {
      break;
    }
    if (advanced) {
      cell[ty][tx] = next[ty][tx];
    }
    __syncthreads();
  }

  if (advanced) {
    after[place] = next[ty][tx];
  }
}
