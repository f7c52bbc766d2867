// The electric potential of atoms on a grid in space: energy[z][y][x] += sum of charge / distance.
//
// A thread makes Z_ITERATIONS points one above another, all sums in registers where the compiler
// can: INNER_UNROLL_FACTOR says how often the loop over them is unrolled, 0 leaves it to the
// compiler. With USE_SOA coordinates and charges are four arrays, else one of float4.
#if USE_SOA
#define ARRAYS float *atom_x, float *atom_y, float *atom_z, float *charge
#define ATOM(n) make_float4(atom_x[n], atom_y[n], atom_z[n], charge[n])
#else
#define ARRAYS float4 *atoms
#define ATOM(n) atoms[n]
#endif

#if INNER_UNROLL_FACTOR > 0
constexpr int UNROLL = INNER_UNROLL_FACTOR;  // in a pragma macros are not expanded
#endif

extern "C" __global__ void coulomb3d(ARRAYS, int count, float spacing, int points,
                                     float *energy) {
  const int column = blockIdx.x * WORK_GROUP_SIZE_X + threadIdx.x;
  const int row = blockIdx.y * WORK_GROUP_SIZE_Y + threadIdx.y;
  const int plane = blockIdx.z * Z_ITERATIONS;
  const float x = column * spacing, y = row * spacing, z = plane * spacing;

  float sum[Z_ITERATIONS] = {};
  for (int n = 0; n < count; ++n) {
    const float4 atom = ATOM(n);
    const float dx = x - atom.x, dy = y - atom.y;
    const float beside = dx * dx + dy * dy;
    float dz = z - atom.z;
#if INNER_UNROLL_FACTOR > 0
#pragma unroll UNROLL
#endif
    for (int i = 0; i < Z_ITERATIONS; ++i) {
      sum[i] += rsqrtf(beside + dz * dz) * atom.w;
      dz += spacing;
    }
  }

  for (int i = 0; i < Z_ITERATIONS; ++i) {
    energy[((plane + i) * points + row) * points + column] += sum[i];
  }
}
