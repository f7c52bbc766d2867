// One step of a 5-point stencil: out = centre * in + neighbour * (north + south + west + east).
// A point beyond the grid has the value of the nearest point on its edge.
// A work group of BLOCK_X x BLOCK_Y items keeps its tile and a halo of one point in local memory.
#define BLOCK_X 32
#define BLOCK_Y 8

__kernel void stencil5(__global const float *restrict in, __global float *restrict out,
                       int width, int height, float centre, float neighbour) {
  __local float tile[BLOCK_Y + 2][BLOCK_X + 2];  // the corners stay unused

  const int x = get_group_id(0) * BLOCK_X + get_local_id(0);
  const int y = get_group_id(1) * BLOCK_Y + get_local_id(1);
  const int tx = get_local_id(0) + 1;
  const int ty = get_local_id(1) + 1;
  const int column = clamp(x, 0, width - 1);
  const int row = clamp(y, 0, height - 1);

  tile[ty][tx] = in[row * width + column];
  if (tx == 1) {  // west
    tile[ty][0] = in[row * width + clamp(x - 1, 0, width - 1)];
  }
  if (tx == BLOCK_X) {  // east
    tile[ty][BLOCK_X + 1] = in[row * width + clamp(x + 1, 0, width - 1)];
  }
  if (ty == 1) {  // north
    tile[0][tx] = in[clamp(y - 1, 0, height - 1) * width + column];
  }
  if (ty == BLOCK_Y) {  // south
    tile[BLOCK_Y + 1][tx] = in[clamp(y + 1, 0, height - 1) * width + column];
  }
  barrier(CLK_LOCAL_MEM_FENCE);

  if (x < width && y < height) {
    const float around = tile[ty - 1][tx] + tile[ty + 1][tx] + tile[ty][tx - 1] + tile[ty][tx + 1];
    out[y * width + x] = centre * tile[ty][tx] + neighbour * around;
  }
}
