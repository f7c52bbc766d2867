// Needleman-Wunsch: scores of the best alignments of two sequences of n symbols, in tiles of
// blockDim.x by blockDim.x, one block a tile. scores is (n + 1) x (n + 1), its first row and column
// are given; similarity is n x n; n is a multiple of the tile. A tile needs the ones left of it and
// above it, so that one launch fills an anti-diagonal of tiles.
#include "cuda_words.h"

__device__ static inline int greater(int a, int b) { return a > b ? a : b; }

// Fills one cell of a tile, whose row 0 and column 0 are those of its neighbours.
__device__ static inline void fill_cell(int *score, const int *match, int tile, int x, int y,
                                        int penalty) {
  const int pitch = tile + 1;
  const int place = y * pitch + x;
  const int gap = greater(score[place - 1], score[place - pitch]) - penalty;
  score[place] = greater(score[place - pitch - 1] + match[(y - 1) * tile + x - 1], gap);
}

// Loads a tile with its upper and left border, fills it by its own anti-diagonals, first those that
// grow and then those that shrink, and stores it.
__device__ static inline void align_tile(int *scores, const int *similarity, int n, int penalty,
                                         int tile_row, int tile_column) {
  extern __shared__ int score[];  // the tile with its border, then the similarities
  const int tile = blockDim.x;
  const int pitch = tile + 1;
  int *const match = score + pitch * pitch;

  const int tid = threadIdx.x;
  const int row = tile_row * tile;
  const int column = tile_column * tile;
  const int width = n + 1;
  if (tid == 0) {
    score[0] = scores[row * width + column];
  }
  score[tid + 1] = scores[row * width + column + tid + 1];
  score[(tid + 1) * pitch] = scores[(row + tid + 1) * width + column];
  for (int i = 0; i < tile; ++i) {
    match[i * tile + tid] = similarity[(row + i) * n + column + tid];
  }
  __syncthreads();

  for (int m = 0; m < tile; ++m) {
    if (tid <= m) {
      fill_cell(score, match, tile, tid + 1, m - tid + 1, penalty);
    }
    __syncthreads();
  }
  for (int m = tile - 2; m >= 0; --m) {
    if (tid <= m) {
      fill_cell(score, match, tile, tile - m + tid, tile - tid, penalty);
    }
    __syncthreads();
  }

  for (int i = 0; i < tile; ++i) {
    scores[(row + i + 1) * width + column + tid + 1] = score[(i + 1) * pitch + tid + 1];
  }
}

// An anti-diagonal of diagonal + 1 tiles, from the lower left to the upper right.
extern "C" __global__ void nw_kernel1(int *scores, const int *__restrict__ similarity, int n,
                                      int penalty, int diagonal) {
  const int b = blockIdx.x;
  align_tile(scores, similarity, n, penalty, diagonal - b, b);
}

// An anti-diagonal of n / tile - diagonal tiles, which starts at the lowest row of tiles.
extern "C" __global__ void nw_kernel2(int *scores, const int *__restrict__ similarity, int n,
                                      int penalty, int diagonal) {
  const int b = blockIdx.x;
  align_tile(scores, similarity, n, penalty, n / (int)blockDim.x - 1 - b, diagonal + b);
}
