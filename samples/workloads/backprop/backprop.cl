// Training of a network with one hidden layer of WIDTH units, between many inputs and the hidden
// layer: its weighted sums on the way forward, its weights on the way back. A block is WIDTH x
// HEIGHT threads, for HEIGHT inputs: a power of two, at least WIDTH. Input 0 is the constant 1,
// with row 0 of the weights; their column 0 belongs to the constant of the hidden layer and is not
// in use.
#ifndef HEIGHT
#define HEIGHT 16
#endif
#define WIDTH 16
#define RATE 0.3f
#define MOMENTUM 0.3f

// Sums input * weight over the block's inputs, for each hidden unit: partial[block][unit]. A tree
// of additions along y: each level keeps half of the rows that the level before had. What the tree
// has made of the products is left in the place of the weights.
__kernel void layerforward(__global const float *restrict inputs, __global float *restrict weights,
                           __global float *restrict partial, int hidden) {
  __local float input[HEIGHT];
  __local float products[HEIGHT][WIDTH];

  const int tx = get_local_id(0);
  const int ty = get_local_id(1);
  const int row = 1 + get_group_id(1) * HEIGHT + ty;
  const int place = row * (hidden + 1) + 1 + tx;

  if (tx == 0) {
    input[ty] = inputs[row];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  products[ty][tx] = weights[place];
  barrier(CLK_LOCAL_MEM_FENCE);
  products[ty][tx] *= input[ty];
  barrier(CLK_LOCAL_MEM_FENCE);

  for (int step = 2; step <= HEIGHT; step *= 2) {
    if (ty % step == 0) {
      products[ty][tx] += products[ty + step / 2][tx];
    }
    barrier(CLK_LOCAL_MEM_FENCE);  // the rows of this level are complete
  }

  weights[place] = products[ty][tx];
  barrier(CLK_LOCAL_MEM_FENCE);
  // the first thread of a row stores the sum of the unit with the row's number
  if (tx == 0 && (HEIGHT == WIDTH || ty < WIDTH)) {
    partial[get_group_id(1) * hidden + ty] = products[tx][ty];
  }
}

// Moves each weight by its gradient and by a part of its last change, and keeps the change. The
// first threads of the first block do the same for the weights of the constant.
__kernel void adjust_weights(__global const float *restrict deltas,
                             __global const float *restrict inputs,
                             __global float *restrict weights, __global float *restrict changes,
                             int hidden) {
  const int unit = 1 + get_local_id(0);
  const int row = 1 + get_group_id(1) * HEIGHT + get_local_id(1);
  const int place = row * (hidden + 1) + unit;

  const float change = RATE * deltas[unit] * inputs[row] + MOMENTUM * changes[place];
  weights[place] += change;
  changes[place] = change;
  barrier(CLK_LOCAL_MEM_FENCE);

  if (get_local_id(1) == 0 && get_group_id(1) == 0) {
    const float step = RATE * deltas[unit] + MOMENTUM * changes[unit];
    weights[unit] += step;
    changes[unit] = step;
  }
}
