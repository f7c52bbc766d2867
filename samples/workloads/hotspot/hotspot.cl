// Temperatures on a chip over time: a grid of cells, each heated by its own power, that exchange
// heat with their four neighbours and with the surroundings. One launch advances several time
// steps (the pyramid, or ghost zone, method): tiles overlap, and the part of a tile that is still
// right shrinks by one cell on each side with each step. A group is TILE x TILE work items,
// and 2 * steps < TILE.
#ifndef TILE
#define TILE 16
#endif
#define SURROUNDINGS 80.0f  // temperature of what lies around the chip

// Advances a tile by `steps` time steps and stores its inner TILE - 2 * steps cells a side.
// `across`, `along` and `out` are the thermal resistances to the neighbours left and right, to
// those above and below, and to the surroundings. Beyond the grid's edge, a cell is its own
// neighbour.
__kernel void hotspot(int steps, __global const float *power, __global const float *before,
                      __global float *after, int columns, int rows, float capacity, float across,
                      float along, float out, float seconds) {
  __local float cell[TILE][TILE];
  __local float heating[TILE][TILE];
  __local float next[TILE][TILE];

  const float rate = seconds / capacity;
  const float flow_across = 1 / across;
  const float flow_along = 1 / along;
  const float flow_out = 1 / out;

  const int tx = get_local_id(0);
  const int ty = get_local_id(1);
  const int inner = TILE - 2 * steps;
  const int first_column = inner * (int)get_group_id(0) - steps;
  const int first_row = inner * (int)get_group_id(1) - steps;
  const int column = first_column + tx;
  const int row = first_row + ty;
  const bool on_chip = column >= 0 && column < columns && row >= 0 && row < rows;
  const int place = row * columns + column;
  if (on_chip) {
    cell[ty][tx] = before[place];
    heating[ty][tx] = power[place];
  }
  barrier(CLK_LOCAL_MEM_FENCE);

  // the tile's own indices of the neighbours, clamped to the part of it that lies on the chip
  const int north = max(ty - 1, max(-first_row, 0));
  const int south = min(ty + 1, min(rows - first_row, TILE) - 1);
  const int west = max(tx - 1, max(-first_column, 0));
  const int east = min(tx + 1, min(columns - first_column, TILE) - 1);

  bool advanced = false;
  for (int done = 1; done <= steps; ++done) {
    advanced = on_chip && tx >= done && tx < TILE - done && ty >= done && ty < TILE - done;
    if (advanced) {
      const float here = cell[ty][tx];
      const float from_along = (cell[south][tx] + cell[north][tx] - 2 * here) * flow_along;
      const float from_across = (cell[ty][east] + cell[ty][west] - 2 * here) * flow_across;
      const float from_out = (SURROUNDINGS - here) * flow_out;
      next[ty][tx] = here + rate * (heating[ty][tx] + from_along + from_across + from_out);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (done == steps) {
      break;
    }
    if (advanced) {
      cell[ty][tx] = next[ty][tx];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }

  if (advanced) {
    after[place] = next[ty][tx];
  }
}
