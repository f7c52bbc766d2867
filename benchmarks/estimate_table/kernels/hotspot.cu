// Temperatures on a chip over time: a grid of cells, each heated by its own power, that exchange
// heat with their four neighbours and with the surroundings. A block advances a tile of blockDim.x
// by blockDim.y cells through many time steps, with the cells around it as they were before the
// launch: what crosses a tile's border does so once a launch.
#include "cuda_words.h"

#define SURROUNDINGS 80.0f  // temperature of what lies around the chip

// `rate` is a time step over the capacity of a cell; the flows are one over the thermal resistances
// to the neighbours left and right, to those above and below, and to the surroundings. Beyond the
// chip's edge, a cell is its own neighbour.
extern "C" __global__ void hotspot(int steps, const float *__restrict__ power,
                                   const float *__restrict__ before, float *__restrict__ after,
                                   int columns, int rows, float rate, float flow_across,
                                   float flow_along, float flow_out) {
  extern __shared__ float cell[];  // the tile with a border of one cell, row by row

  const int tx = threadIdx.x, ty = threadIdx.y;
  const int pitch = blockDim.x + 2;
  const int own = (ty + 1) * pitch + tx + 1;
  const int column = blockIdx.x * blockDim.x + tx;
  const int row = blockIdx.y * blockDim.y + ty;
  const int place = row * columns + column;
  const bool on_chip = column < columns && row < rows;

  const int north = row > 0 ? own - pitch : own;
  const int south = row < rows - 1 ? own + pitch : own;
  const int west = column > 0 ? own - 1 : own;
  const int east = column < columns - 1 ? own + 1 : own;

  float heating = 0.0f;
  if (on_chip) {
    cell[own] = before[place];
    heating = power[place];
    if (ty == 0 && row > 0) {
      cell[north] = before[place - columns];
    }
    if (ty == blockDim.y - 1 && row < rows - 1) {
      cell[south] = before[place + columns];
    }
    if (tx == 0 && column > 0) {
      cell[west] = before[place - 1];
    }
    if (tx == blockDim.x - 1 && column < columns - 1) {
      cell[east] = before[place + 1];
    }
  }
  __syncthreads();

  for (int done = 0; done < steps; ++done) {
    const float here = cell[own];
    const float along = (cell[south] + cell[north] - 2 * here) * flow_along;
    const float across = (cell[east] + cell[west] - 2 * here) * flow_across;
    const float out = (SURROUNDINGS - here) * flow_out;
    const float next = here + rate * (heating + along + across + out);
    __syncthreads();  // all have read their neighbours
    cell[own] = next;
    __syncthreads();
  }

  if (on_chip) {
    after[place] = cell[own];
  }
}
