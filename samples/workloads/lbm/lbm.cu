// Lattice Boltzmann with 19 directions in three dimensions. A cell has a population for each
// direction and a word of flags, twenty fields that lie one after another (structure of arrays).
// Two lattices take turns: a step reads one and writes the other.

// Relaxation rate: at 2 nothing is damped.
#ifndef OMEGA
#define OMEGA 1.95f
#endif

// Velocity of the cells that drive the flow.
#ifndef LID_X
#define LID_X 0.005f
#endif
#ifndef LID_Y
#define LID_Y 0.002f
#endif

constexpr int DIRECTIONS = 19;
constexpr int FLAGS = DIRECTIONS;
constexpr int OBSTACLE = 1;
constexpr int LID = 2;

// Adds a population to a component of the momentum, without a product: the step is a constant.
inline __device__ float along(float sum, int step, float population) {
  return step > 0 ? sum + population : step < 0 ? sum - population : sum;
}

// Collides the populations of one cell and sends each on to the neighbour in its direction. An
// obstacle sends them back to where they came from. A CTA is a row of cells; rows are padded to
// `row` cells and the lattice has a margin before and behind it, for what its border sends out.
extern "C" __global__ void lbm_step(const float *__restrict__ source, float *__restrict__ target,
                                    int row, int plane, int field) {
  // by z, then y, then x: direction 18 - i is the opposite of direction i
  constexpr int STEP_X[] = {0, -1, 0, 1, 0, -1, 0, 1, -1, 0, 1, -1, 0, 1, 0, -1, 0, 1, 0};
  constexpr int STEP_Y[] = {-1, 0, 0, 0, 1, -1, -1, -1, 0, 0, 0, 1, 1, 1, -1, 0, 0, 0, 1};
  constexpr int STEP_Z[] = {-1, -1, -1, -1, -1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1};
  const int cell = (blockIdx.y + 2) * plane + blockIdx.x * row + threadIdx.x;

  float in[DIRECTIONS], out[DIRECTIONS];
#pragma unroll
  for (int i = 0; i < DIRECTIONS; ++i) {
    in[i] = source[i * field + cell];
  }
  const int flags = __float_as_int(source[FLAGS * field + cell]);

  if (flags & OBSTACLE) {
#pragma unroll
    for (int i = 0; i < DIRECTIONS; ++i) {
      out[i] = in[DIRECTIONS - 1 - i];
    }
  } else {
    float density = 0.0f, x = 0.0f, y = 0.0f, z = 0.0f;
#pragma unroll
    for (int i = 0; i < DIRECTIONS; ++i) {
      density += in[i];
      x = along(x, STEP_X[i], in[i]);
      y = along(y, STEP_Y[i], in[i]);
      z = along(z, STEP_Z[i], in[i]);
    }
    x /= density;
    y /= density;
    z /= density;
    if (flags & LID) {
      x = LID_X;
      y = LID_Y;
      z = 0.0f;
    }
    const float energy = 1.0f - 1.5f * (x * x + y * y + z * z);
#pragma unroll
    for (int i = 0; i < DIRECTIONS; ++i) {
      const int length = STEP_X[i] * STEP_X[i] + STEP_Y[i] * STEP_Y[i] + STEP_Z[i] * STEP_Z[i];
      const float weight = length == 0 ? 1.0f / 3.0f : length == 1 ? 1.0f / 18.0f : 1.0f / 36.0f;
      const float speed = along(along(along(0.0f, STEP_X[i], x), STEP_Y[i], y), STEP_Z[i], z);
      const float settled = weight * density * (energy + speed * (3.0f + 4.5f * speed));
      out[i] = (1.0f - OMEGA) * in[i] + OMEGA * settled;
    }
  }

#pragma unroll
  for (int i = 0; i < DIRECTIONS; ++i) {
    target[i * field + cell + STEP_X[i] + STEP_Y[i] * row + STEP_Z[i] * plane] = out[i];
  }
}
