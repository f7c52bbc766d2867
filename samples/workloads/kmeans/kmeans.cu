// Clustering by k-means: the device looks for the centre that is nearest to each point, the host
// makes the centres anew. Features are read through a texture, centres from constant memory.
#ifndef TRIPS
#define TRIPS(n) (n)  // of main loops, which a build may shorten
#endif
#define MOST_CENTRES 32
#define MOST_FEATURES 34

__constant__ float centres[MOST_CENTRES * MOST_FEATURES];

// Turns features that are stored point by point to features that are stored feature by feature, so
// that the threads of a warp find theirs side by side: what it reads is scattered.
extern "C" __global__ void kmeans_swap(const float *__restrict__ by_point,
                                       float *__restrict__ by_feature, int points, int features) {
  const int point = blockIdx.x * blockDim.x + threadIdx.x;
  if (point < points) {
    for (int f = 0; f < TRIPS(features); ++f) {
      by_feature[f * points + point] = by_point[point * features + f];
    }
  }
}

// Finds the nearest centre of a point a thread; the first of several that are as near.
extern "C" __global__ void kmeans_c(cudaTextureObject_t by_feature, int *__restrict__ membership,
                                    int points, int clusters, int features) {
  const int block = blockIdx.y * gridDim.x + blockIdx.x;
  const int point = block * blockDim.x + threadIdx.x;
  if (point < points) {
    int nearest = -1;
    float least = 3.402823466e+38f;
    for (int c = 0; c < TRIPS(clusters); ++c) {
      float distance = 0.0f;
      for (int f = 0; f < TRIPS(features); ++f) {
        const float off = tex1Dfetch<float>(by_feature, f * points + point) -
                          centres[c * features + f];
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
