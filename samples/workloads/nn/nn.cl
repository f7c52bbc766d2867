// Nearest neighbours: the distance of every record from a target. The host picks the nearest.

typedef struct {
  float latitude;
  float longitude;
} Place;

// The plane distance of one record from the target. A grid too wide for one row of groups has
// several, so that groups of the last row may lie past the records.
__kernel void nearest_neighbor(__global const Place *restrict places,
                               __global float *restrict distances, int count, float latitude,
                               float longitude) {
  const int group = get_group_id(1) * get_num_groups(0) + get_group_id(0);
  const int i = group * get_local_size(0) + get_local_id(0);
  if (i < count) {
    const Place place = places[i];
    const float north = latitude - place.latitude;
    const float east = longitude - place.longitude;
    distances[i] = sqrt(north * north + east * east);
  }
}
