// Resampling of a particle filter: new particles are copies of old ones, which are drawn by their
// weights from the cumulative distribution.
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

// Gives the first place at which a distribution reaches a draw, the last place where rounding has
// left the distribution's end below the draw. The search goes along the distribution from its
// beginning, and is as long as the place that it finds.
static inline int first_reaching(__global const double *restrict distribution, int places,
                                 double draw) {
  for (int place = 0; place < places; ++place) {
    if (draw <= distribution[place])
      return place;
  }
  return places - 1;
}

// Copies one particle a work item, the one that its draw falls to.
__kernel void particle_naive(__global const double *restrict from_x,
                             __global const double *restrict from_y,
                             __global const double *restrict distribution,
                             __global const double *restrict draws, __global double *restrict to_x,
                             __global double *restrict to_y, int particles) {
  const int own = get_global_id(0);
  if (own >= particles)
    return;
  const int drawn = first_reaching(distribution, particles, draws[own]);
  to_y[own] = from_y[drawn];
  to_x[own] = from_x[drawn];
}
