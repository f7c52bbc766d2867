// Clustering by k-means: the device looks for the centre that is nearest to each point, the host
// makes the centres anew. Features and centres are in global memory.

// Turns features that are stored point by point to features that are stored feature by feature, so
// that the threads of a warp find theirs side by side: what it reads is scattered.
__kernel void kmeans_swap(__global const float *restrict by_point,
                          __global float *restrict by_feature, int points, int features) {
  const int point = get_global_id(0);
  if (point < points) {
    for (int f = 0; f < features; ++f) {
      by_feature[f * points + point] = by_point[point * features + f];
    }
  }
}

// Finds the nearest centre of a point a thread; the first of several that are as near.
__kernel void kmeans_c(__global const float *restrict by_feature, __global int *restrict membership,
                       int points, int clusters, int features,
                       __global const float *restrict centres) {
  const int block = get_group_id(1) * get_num_groups(0) + get_group_id(0);
  const int point = block * get_local_size(0) + get_local_id(0);
  if (point < points) {
    int nearest = -1;
    float least = 3.402823466e+38f;
    for (int c = 0; c < clusters; ++c) {
      float distance = 0.0f;
      for (int f = 0; f < features; ++f) {
        const float off = by_feature[f * points + point] - centres[c * features + f];
        distance += off * off;
      }
      if (distance < least) {
        least = distance;
        nearest = c;
      }
    }
    membership[point] = nearest;
  }
}
