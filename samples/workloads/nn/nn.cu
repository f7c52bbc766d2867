// Nearest neighbours: the distance of every record from a target. The host picks the nearest.

struct Place {
  float latitude;
  float longitude;
};

// The plane distance of one record from the target. A grid too wide for one row of CTAs has
// several, so that CTAs of the last row may lie past the records.
extern "C" __global__ void nearest_neighbor(const Place *__restrict__ places,
                                            float *__restrict__ distances, int count,
                                            float latitude, float longitude) {
  const int cta = blockIdx.y * gridDim.x + blockIdx.x;
  const int i = cta * blockDim.x + threadIdx.x;
  if (i < count) {
    const Place place = places[i];
    const float north = latitude - place.latitude;
    const float east = longitude - place.longitude;
    distances[i] = sqrtf(north * north + east * east);
  }
}
