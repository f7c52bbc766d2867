// Two-point angular correlation of points on the sky: histograms of the angles between all pairs of
// a catalogue of galaxies, between the galaxies and random catalogues, and within the latter. A CTA
// has one pair of catalogues. Points are unit vectors, so that the dot product of two is the cosine
// of the angle between them.

#ifndef TRIPS
#define TRIPS(n) (n)
#endif

#define BLOCK 256   // threads of a CTA, and points of a tile
#define BINS 20     // between the edges; what lies below and above them has a bin each
#define COPIES 128  // of the histogram in shared memory: two threads of a warp share one
#define WARPS (BLOCK / 32)

// Cosines of the angles at the edges of the bins, falling.
__constant__ float edges[BINS + 1];

// Finds the bin of a cosine by bisection: bin b has edges[b - 1] >= cosine > edges[b], bin 0 has
// what is above the first edge (the smallest angles), bin BINS + 1 what is not above the last one.
inline __device__ unsigned int bin_of(float cosine) {
  unsigned int low = 0;          // of the edges, this many at least are not below the cosine
  unsigned int high = BINS + 1;  // and this many at most
  while (low < high) {
    const unsigned int middle = (low + high) / 2;
    if (cosine > edges[middle]) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

// Counts the pairs of one CTA's two catalogues. Catalogue 0 has the galaxies, catalogues from 1 to
// `sets` are random. CTA 0 takes the galaxies with themselves, CTAs 1 to `sets` a random catalogue
// with itself, the others the galaxies with a random catalogue. A pair within a catalogue counts
// once.
extern "C" __global__ void tpacf_histograms(const float *__restrict__ x,
                                            const float *__restrict__ y,
                                            const float *__restrict__ z,
                                            unsigned int *__restrict__ histograms, int sets,
                                            int points) {
  __shared__ float tile_x[BLOCK], tile_y[BLOCK], tile_z[BLOCK];
  __shared__ unsigned int counts[BINS + 2][COPIES];

  const int t = threadIdx.x;
  const unsigned int copy = threadIdx.x / 2;
  const int job = blockIdx.x;
  const bool within = job <= sets;
  const int of_tile = within ? job * points : 0;
  const int of_thread = (within ? job : job - sets) * points;

  for (int i = t; i < (BINS + 2) * COPIES; i += BLOCK) {
    counts[i / COPIES][i % COPIES] = 0;
  }

  const int tiles = (points + BLOCK - 1) / BLOCK;
  for (int tile = 0; tile < TRIPS(tiles); ++tile) {
    const int first = tile * BLOCK;
    __syncthreads();
    if (first + t < points) {
      tile_x[t] = x[of_tile + first + t];
      tile_y[t] = y[of_tile + first + t];
      tile_z[t] = z[of_tile + first + t];
    }
    __syncthreads();

    const int in_tile = min(BLOCK, points - first);
    const int turns = within ? tiles - tile : tiles;  // tiles before this one had their turn
    for (int turn = 0; turn < TRIPS(turns); ++turn) {
      const int own = (within ? first : 0) + turn * BLOCK + t;
      if (own < points) {
        const float own_x = x[of_thread + own];
        const float own_y = y[of_thread + own];
        const float own_z = z[of_thread + own];
        const int partners = within ? min(in_tile, own - first) : in_tile;
        for (int k = 0; k < TRIPS(partners); ++k) {
          const unsigned int bin =
              bin_of(own_x * tile_x[k] + own_y * tile_y[k] + own_z * tile_z[k]);
          atomicAdd(&counts[bin][copy], 1u);
        }
      }
    }
  }
  __syncthreads();

  // a warp sums up the copies of a bin, then goes on by the number of warps
  for (int bin = t / 32; bin < BINS + 2; bin += WARPS) {
    unsigned int *const row = counts[bin];
    const int lane = t % 32;
    for (int next = lane + 32; next < COPIES; next += 32) {
      row[lane] += row[next];
    }
    for (int half = 16; half > 0; half /= 2) {
      __syncwarp();
      if (lane < half) {
        row[lane] += row[lane + half];
      }
    }
  }
  __syncthreads();
  if (t < BINS + 2) {
    histograms[job * (BINS + 2) + t] = counts[t][0];
  }
}
