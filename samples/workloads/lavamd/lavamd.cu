// Potentials and forces between particles in a large box that is cut into small ones. Particles act
// on those of their own small box and of the neighbours around it. A CTA has a small box.

#ifndef TRIPS
#define TRIPS(n) (n)
#endif

#define PARTICLES 100  // of a small box
#define BLOCK 128
#define MOST_NEIGHBOURS 26

// A particle: its place and half of the square of that, which shortens the distance of two. What
// acts on a particle: its potential and the force.
struct Particle {
  double v, x, y, z;
};

// A small box: where its particles begin, and which boxes are around it.
struct Box {
  int first;
  int neighbours;
  int neighbour[MOST_NEIGHBOURS];
};

// Adds to each particle of a small box what those of the box itself and of its neighbours do to it:
// charge times exp(-alpha^2 r^2), and its force. The neighbours' particles go through shared
// memory, box after box. Sums are in global memory; threads from PARTICLES on have no particle.
extern "C" __global__ void lavamd_forces(const Box *boxes, const Particle *particles,
                                         const double *charges, Particle *sums, double alpha) {
  __shared__ Particle own[PARTICLES];
  __shared__ Particle other[PARTICLES];
  __shared__ double other_charge[PARTICLES];

  const Box *const home = &boxes[blockIdx.x];
  const double factor = 2.0 * alpha * alpha;
  const int t = threadIdx.x;
  Particle *const sum = &sums[home->first];

  for (int i = t; i < PARTICLES; i += BLOCK) {
    own[i] = particles[home->first + i];
  }
  __syncthreads();

  const int around = 1 + home->neighbours;
  for (int k = 0; k < TRIPS(around); ++k) {
    const int from = k == 0 ? (int)blockIdx.x : home->neighbour[k - 1];
    const int first = boxes[from].first;
    for (int i = t; i < PARTICLES; i += BLOCK) {
      other[i] = particles[first + i];
      other_charge[i] = charges[first + i];
    }
    __syncthreads();

    for (int i = t; i < PARTICLES; i += BLOCK) {
      for (int j = 0; j < TRIPS(PARTICLES); ++j) {
        const double product =
            own[i].x * other[j].x + own[i].y * other[j].y + own[i].z * other[j].z;
        const double potential = exp(-factor * (own[i].v + other[j].v - product));
        const double strength = 2.0 * potential;
        sum[i].v += other_charge[j] * potential;
        sum[i].x += other_charge[j] * strength * (own[i].x - other[j].x);
        sum[i].y += other_charge[j] * strength * (own[i].y - other[j].y);
        sum[i].z += other_charge[j] * strength * (own[i].z - other[j].z);
      }
    }
    __syncthreads();  // before the next box's particles take the places of these
  }
}
