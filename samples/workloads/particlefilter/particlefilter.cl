// Resampling of a particle filter: new particles are copies of old ones, which are drawn by their
// weights from the cumulative distribution.
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

// Copies one particle a thread: the first whose share of the distribution reaches the thread's
// draw, the last one where rounding has left the distribution's end below the draw. The search goes
// along the distribution from its beginning, and is as long as the place that it finds.
__kernel void particle_naive(__global const double *restrict from_x,
                             __global const double *restrict from_y,
                             __global const double *restrict distribution,
                             __global const double *restrict draws, __global double *restrict to_x,
                             __global double *restrict to_y, int particles) {
  const int i = get_global_id(0);
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
