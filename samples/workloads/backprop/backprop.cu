// Training of a network with one hidden layer of WIDTH units, between many inputs and the hidden
// layer: its weighted sums on the way forward, its weights on the way back. A block is WIDTH x
// HEIGHT threads, for HEIGHT inputs: a power of two, at least WIDTH. Input 0 is the constant 1,
// with row 0 of the weights; their column 0 belongs to the constant of the hidden layer and is not
// in use.
#ifndef HEIGHT
#define HEIGHT 16
#endif
#define WIDTH 16
#define RATE 0.3  // in double precision, and what is multiplied by it
#define MOMENTUM 0.3

// Sums input * weight over the block's inputs, for each hidden unit: partial[block][unit]. A tree
// of additions along y: each level keeps half of the rows that the level before had, and takes the
// power of two from the special function unit. What the tree has made of the products is left in
// the place of the weights.
extern "C" __global__ void layerforward(const float *__restrict__ inputs,
                                        float *__restrict__ weights, float *__restrict__ partial,
                                        int hidden) {
  __shared__ float input[HEIGHT];
  __shared__ float products[HEIGHT][WIDTH];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = 1 + blockIdx.y * HEIGHT + ty;
  const int place = row * (hidden + 1) + 1 + tx;

  if (tx == 0) {
    input[ty] = inputs[row];
  }
  __syncthreads();
  products[ty][tx] = weights[place];
  __syncthreads();
  products[ty][tx] *= input[ty];
  __syncthreads();

#pragma unroll 1
  for (int level = 1; (1 << level) <= HEIGHT; ++level) {
    const int step = __float2int_rn(exp2f(level));
    if (ty % step == 0) {
      products[ty][tx] += products[ty + step / 2][tx];
    }
    __syncthreads();  // the rows of this level are complete
  }

  weights[place] = products[ty][tx];
  __syncthreads();
  // the first thread of a row stores the sum of the unit with the row's number
  if (tx == 0 && (HEIGHT == WIDTH || ty < WIDTH)) {
    partial[blockIdx.y * hidden + ty] = products[tx][ty];
  }
}

// Moves each weight by its gradient and by a part of its last change, and keeps the change. The
// first threads of the first block do the same for the weights of the constant.
extern "C" __global__ void adjust_weights(const float *__restrict__ deltas,
                                          const float *__restrict__ inputs,
                                          float *__restrict__ weights, float *__restrict__ changes,
                                          int hidden) {
  const int unit = 1 + threadIdx.x;
  const int row = 1 + blockIdx.y * HEIGHT + threadIdx.y;
  const int place = row * (hidden + 1) + unit;

  const double change = RATE * deltas[unit] * inputs[row] + MOMENTUM * changes[place];
  weights[place] += change;
  changes[place] = change;
  __syncthreads();

  if (threadIdx.y == 0 && blockIdx.y == 0) {
    const double step = RATE * deltas[unit] + MOMENTUM * changes[unit];
    weights[unit] += step;
    changes[unit] = step;
  }
}
