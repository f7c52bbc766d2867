// out = transpose of in, through a TILE x TILE tile in local memory; in has rows x columns.
// A work group is TILE x STEP work items, each of which moves TILE / STEP elements.
// The tile has one column too many, so that reading down a column touches every bank once.
#define TILE 32
#define STEP 8

__kernel void transpose(__global const float *restrict in, __global float *restrict out,
                        int rows, int columns) {
  __local float tile[TILE][TILE + 1];

  const int tx = get_local_id(0);
  const int ty = get_local_id(1);
  const int row0 = get_group_id(1) * TILE;
  const int column0 = get_group_id(0) * TILE;

  for (int j = 0; j < TILE; j += STEP) {
    const int row = row0 + ty + j;
    const int column = column0 + tx;
    if (row < rows && column < columns) {
      tile[ty + j][tx] = in[row * columns + column];
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);

  for (int j = 0; j < TILE; j += STEP) {
    const int row = row0 + tx;
    const int column = column0 + ty + j;
    if (row < rows && column < columns) {
      out[column * rows + row] = tile[tx][ty + j];
    }
  }
}
