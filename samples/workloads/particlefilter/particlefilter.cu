// Resampling of a particle filter: new particles are copies of old ones, which are drawn by their
// weights from the cumulative distribution.

// Gives the first place at which a distribution reaches a draw, the last place where rounding has
// left the distribution's end below the draw. The search goes along the distribution from its
// beginning, and is as long as the place that it finds.
inline __device__ int first_reaching(const double *__restrict__ distribution, int places,
                                     double draw) {
  for (int place = 0; place < places; ++place) {
    if (draw <= distribution[place])
      return place;
  }
  return places - 1;
}

// Copies one particle a thread, the one that the thread's draw falls to.
extern "C" __global__ void particle_naive(const double *__restrict__ from_x,
                                          const double *__restrict__ from_y,
                                          const double *__restrict__ distribution,
                                          const double *__restrict__ draws,
                                          double *__restrict__ to_x, double *__restrict__ to_y,
                                          int particles) {
  const int own = blockIdx.x * blockDim.x + threadIdx.x;
  if (own >= particles)
    return;
  const int drawn = first_reaching(distribution, particles, draws[own]);
  to_y[own] = from_y[drawn];
  to_x[own] = from_x[drawn];
}
