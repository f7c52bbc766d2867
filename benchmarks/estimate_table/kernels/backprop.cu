// Training of a network with one hidden layer of blockDim.x units: a block is blockDim.y inputs by
// all units, for any number of inputs. Input 0 is the constant 1, with row 0 of the weights; their
// column 0 belongs to the constant of the hidden layer and is not in use.
#include "cuda_words.h"

#define RATE 0.3f
#define MOMENTUM 0.3f

// Sums input * weight over the block's inputs, for each hidden unit: partial[block][unit]. A tree
// of additions along y, whose rows need not be a power of two.
extern "C" __global__ void bpnn_layerforward(const float *__restrict__ inputs,
                                             float *__restrict__ weights,
                                             float *__restrict__ partial, int hidden) {
  extern __shared__ float shared[];  // the block's inputs, then the products, row by row
  float *const products = shared + blockDim.y;

  const int tx = threadIdx.x, ty = threadIdx.y;
  const int height = blockDim.y, width = blockDim.x;
  const int row = 1 + blockIdx.y * height + ty;
  const int place = row * (hidden + 1) + 1 + tx;
  const int own = ty * width + tx;

  if (tx == 0) {
    shared[ty] = inputs[row];
  }
  __syncthreads();
  products[own] = weights[place] * shared[ty];
  __syncthreads();

  for (int step = 1; step < height; step *= 2) {
    if (ty % (2 * step) == 0 && ty + step < height) {
      products[own] += products[own + step * width];
    }
    __syncthreads();  // the rows of this level are complete
  }

  weights[place] = products[own];
  if (ty == 0) {
    partial[blockIdx.y * hidden + tx] = products[tx];
  }
}

// Moves each weight by its gradient and by a part of its last change, and keeps the change. The
// first threads of the first block do the same for the weights of the constant.
extern "C" __global__ void bpnn_adjust_weights(const float *__restrict__ deltas,
                                               const float *__restrict__ inputs,
                                               float *__restrict__ weights,
                                               float *__restrict__ changes, int hidden) {
  const int unit = 1 + threadIdx.x;
  const int row = 1 + blockIdx.y * blockDim.y + threadIdx.y;
  const int place = row * (hidden + 1) + unit;

  const float change = RATE * deltas[unit] * inputs[row] + MOMENTUM * changes[place];
  weights[place] += change;
  changes[place] = change;
  __syncthreads();

  if (threadIdx.y == 0 && blockIdx.y == 0) {
    const float step = RATE * deltas[unit] + MOMENTUM * changes[unit];
    weights[unit] += step;
    changes[unit] = step;
  }
}
