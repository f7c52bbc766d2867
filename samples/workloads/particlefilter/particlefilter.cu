// Resampling of a particle filter: new particles are copies of old ones, which are drawn by their
// weights from the cumulative distribution.

// Copies one particle a thread: the first whose share of the distribution reaches the thread's
// draw, the last one where rounding has left the distribution's end below the draw. The search goes
// along the distribution from its beginning, and is as long as the place that it finds.
extern "C" __global__ void particle_naive(const double *__restrict__ from_x,
                                          const double *__restrict__ from_y,
                                          const double *__restrict__ distribution,
                                          const double *__restrict__ draws,
                                          double *__restrict__ to_x, double *__restrict__ to_y,
                                          int particles) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < particles) {
    int found = -1;
    for (int k = 0; k < particles; ++k) {
      if (distribution[k] >= draws[i]) {
        found = k;
        break;
      }
    }
    if (found == -1) {
      found = particles - 1;
    }
    to_x[i] = from_x[found];
    to_y[i] = from_y[found];
  }
}
