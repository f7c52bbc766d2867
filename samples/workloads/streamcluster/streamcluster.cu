// Clustering of a stream of points around medians: what it would change if one more point, the
// candidate, were a centre. Each point moves to the candidate where that lowers its cost; of the
// others it is written down what they would lose if their own centre were closed.

struct Point {
  float weight;
  float cost; // distance to its centre, times the weight
  int centre; // the number of a point
};

// One point a thread. Thread 0 of a CTA copies the candidate's coordinates to shared memory, from
// which all threads read the same word at a time; those of the points lie dimension by dimension.
// A thread writes one entry of its point's row of the work memory, which has a column for each
// open centre and a last one for the candidate; the host adds up the columns.
extern "C" __global__ void pgain_cost(int count, int dimensions, int candidate,
                                      const Point *__restrict__ points, int centres,
                                      const float *__restrict__ coordinates, float *work,
                                      const int *__restrict__ columns, bool *moves) {
  extern __shared__ float of_candidate[];
  const int cta = blockIdx.y * gridDim.x + blockIdx.x;
  const int i = cta * blockDim.x + threadIdx.x;
  if (threadIdx.x == 0) {
    for (int d = 0; d < dimensions; ++d) {
      of_candidate[d] = coordinates[d * count + candidate];
    }
  }
  __syncthreads();
  if (i < count) {
    float distance = 0.0f;
    for (int d = 0; d < dimensions; ++d) {
      const float apart = coordinates[d * count + i] - of_candidate[d];
      distance += apart * apart;
    }
    const float cost = distance * points[i].weight;
    const float now = points[i].cost;
    float *row = &work[i * (centres + 1)];
    if (cost < now) {
      moves[i] = true;
      row[centres] = cost - now;
    } else {
      row[columns[points[i].centre]] += now - cost;
    }
  }
}
