// Electrostatic potential of point charges on a slice of a grid, by direct summation. The host
// places atoms in constant memory, as many as it likes at a time, and launches once for each such
// chunk; the sums stay in global memory between launches.

#ifndef TRIPS
#define TRIPS(n) (n)
#endif
#ifndef POINTS
#define POINTS 2  // grid points of a thread
#endif
#define CAPACITY 4000  // atoms in constant memory: 62.5 of its 64 KiB

// Position in the plane, squared distance from it, charge.
__constant__ float4 atoms[CAPACITY];

// Adds what the atoms in constant memory contribute. A thread has POINTS points of a row, a CTA's
// width apart, so that a warp's stores are of neighbours; what depends on y and z is computed once
// for all of them. All threads read the same atom at the same time: a broadcast.
extern "C" __global__ void cp_potential(int atom_count, float spacing, float *potential,
                                        int width) {
  const int column = blockIdx.x * blockDim.x * POINTS + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const float y = spacing * row;
  float x[POINTS];
  float sum[POINTS];
#pragma unroll
  for (int p = 0; p < POINTS; ++p) {
    x[p] = spacing * (column + p * (int)blockDim.x);
    sum[p] = 0.0f;
  }
  for (int a = 0; a < TRIPS(atom_count); ++a) {
    const float4 atom = atoms[a];
    const float dy = y - atom.y;
    const float across = dy * dy + atom.z;
#pragma unroll
    for (int p = 0; p < POINTS; ++p) {
      const float dx = x[p] - atom.x;
      sum[p] += atom.w * rsqrtf(dx * dx + across);
    }
  }
  float *const first = potential + row * width + column;
#pragma unroll
  for (int p = 0; p < POINTS; ++p) first[p * blockDim.x] += sum[p];
}
