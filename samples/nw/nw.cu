// Needleman-Wunsch: scores of the best alignments of two sequences of n symbols, in tiles of
// TILE x TILE. scores is (n + 1) x (n + 1), its first row and column are given; similarity is
// n x n; n is a multiple of TILE. A tile needs the ones left of it and above it, so that one
// launch fills an anti-diagonal of tiles: nw_upper_left numbers 0 .. n / TILE - 1, the last of
// which is the longest, then nw_lower_right numbers 1 .. n / TILE - 1. A block is TILE threads.
#include "../common/cuda_words.h"

#ifndef TRIPS
#define TRIPS(n) (n)  // of main loops, which a build may shorten
#endif
#define TILE 16

inline __device__ int larger(int a, int b) { return a > b ? a : b; }

// Fills a tile of scores, whose row 0 and column 0 are those of its neighbours, by anti-diagonals:
// first those that grow, then those that shrink.
inline __device__ void fill_tile(int score[TILE + 1][TILE + 1], int match[TILE][TILE], int tid,
                                 int penalty) {
  for (int m = 0; m < TRIPS(TILE); ++m) {
    if (tid <= m) {
      const int x = tid + 1;
      const int y = m - tid + 1;
      const int gap = larger(score[y][x - 1], score[y - 1][x]) - penalty;
      score[y][x] = larger(score[y - 1][x - 1] + match[y - 1][x - 1], gap);
    }
    __syncthreads();
  }
  for (int m = TILE - 2; m >= TILE - 1 - TRIPS(TILE - 1); --m) {
    if (tid <= m) {
      const int x = TILE - m + tid;
      const int y = TILE - tid;
      const int gap = larger(score[y][x - 1], score[y - 1][x]) - penalty;
      score[y][x] = larger(score[y - 1][x - 1] + match[y - 1][x - 1], gap);
    }
    __syncthreads();
  }
}

// Loads a tile with its upper and left border, fills it and stores it.
inline __device__ void align_tile(int *scores, const int *similarity, int n, int penalty,
                                  int tile_row, int tile_column, int score[TILE + 1][TILE + 1],
                                  int match[TILE][TILE]) {
  const int tid = threadIdx.x;
  const int row = tile_row * TILE;
  const int column = tile_column * TILE;
  const int width = n + 1;
  if (tid == 0) {
    score[0][0] = scores[row * width + column];
  }
  score[0][tid + 1] = scores[row * width + column + tid + 1];
  score[tid + 1][0] = scores[(row + tid + 1) * width + column];
  for (int i = 0; i < TILE; ++i) {
    match[i][tid] = similarity[(row + i) * n + column + tid];
  }
  __syncthreads();

  fill_tile(score, match, tid, penalty);

  for (int i = 0; i < TILE; ++i) {
    scores[(row + i + 1) * width + column + tid + 1] = score[i + 1][tid + 1];
  }
}

// An anti-diagonal of diagonal + 1 tiles, from the lower left to the upper right.
extern "C" __global__ void nw_upper_left(int *__restrict__ scores,
                                         const int *__restrict__ similarity, int n, int penalty,
                                         int diagonal) {
  __shared__ int score[TILE + 1][TILE + 1];
  __shared__ int match[TILE][TILE];
  const int b = blockIdx.x;
  align_tile(scores, similarity, n, penalty, diagonal - b, b, score, match);
}

// An anti-diagonal of n / TILE - diagonal tiles, which starts at the lowest row of tiles.
extern "C" __global__ void nw_lower_right(int *__restrict__ scores,
                                          const int *__restrict__ similarity, int n, int penalty,
                                          int diagonal) {
  __shared__ int score[TILE + 1][TILE + 1];
  __shared__ int match[TILE][TILE];
  const int b = blockIdx.x;
  align_tile(scores, similarity, n, penalty, n / TILE - 1 - b, diagonal + b, score, match);
}
