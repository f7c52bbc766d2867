// Clustering of a stream of points around medians: what it would change if one more point, the
// candidate, were a centre. Each point moves to the candidate where that lowers its cost; of the
// others it is written down what they would lose if their own centre were closed.

#ifndef TRIPS
#define TRIPS(n) (n) // trip counts of main loops
#endif

struct Point {
  float weight;
  float cost; // distance to its centre, times the weight
  int centre; // the number of a point
};

// Copies the coordinates of a point, `pitch` apart, side by side.
inline __device__ void gather(float *to, const float *__restrict__ from, int pitch,
                              int dimensions) {
  for (int d = 0; d < dimensions; ++d)
    to[d] = from[d * pitch];
}

// Gives the squared distance of a point, its coordinates `pitch` apart, from another.
inline __device__ float squared_distance(const float *__restrict__ point, int pitch,
                                         const float *other, int dimensions) {
  float sum = 0.0f;
  for (int d = 0; d < TRIPS(dimensions); ++d) {
    const float apart = other[d] - point[d * pitch];
    sum += apart * apart;
  }
  return sum;
}

// One point a thread. Thread 0 of a CTA copies the candidate's coordinates to shared memory, from
// which all threads read the same word at a time; those of the points lie dimension by dimension.
// A thread writes one entry of its point's row of the work memory, which has a column for each
// open centre and a last one for the candidate; the host adds up the columns.
extern "C" __global__ void pgain_cost(int count, int dimensions, int candidate,
                                      const Point *__restrict__ points, int centres,
                                      const float *__restrict__ coordinates, float *work,
                                      const int *__restrict__ columns, bool *moves) {
  extern __shared__ float of_candidate[];
  if (threadIdx.x == 0)
    gather(of_candidate, coordinates + candidate, count, dimensions);
  __syncthreads();

  const int own = (gridDim.x * blockIdx.y + blockIdx.x) * blockDim.x + threadIdx.x;
  if (own >= count)
    return;
  const Point &point = points[own];
  const float distance = squared_distance(coordinates + own, count, of_candidate, dimensions);
  const float offered = distance * point.weight;
  float *const row = work + own * (centres + 1);
  if (offered >= point.cost) {  // the point stays
    row[columns[point.centre]] += point.cost - offered;
    return;
  }
  row[centres] = offered - point.cost;
  moves[own] = true;
}
