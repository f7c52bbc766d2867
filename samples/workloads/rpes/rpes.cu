// Electron repulsion integrals over contracted s shells: each is a sum over four Gaussians of four
// shells, two of which make a charge on either side. A CTA has one integral, its threads the terms
// of the sum.

#ifndef TRIPS
#define TRIPS(n) (n)
#endif

#define BLOCK 64
#define MOST_SHELLS 64
#define MOST_GAUSSIANS 384  // of all shells

__constant__ float4 centres[MOST_SHELLS];  // places of the shells; w is not used
__constant__ int gaussians[MOST_SHELLS + 1];  // where the Gaussians of each shell begin
__constant__ float exponents[MOST_GAUSSIANS];
__constant__ float coefficients[MOST_GAUSSIANS];  // of normalised Gaussians, in their contraction

// Makes the charge of each pair of Gaussians, a pair a thread: the product of two is a Gaussian
// between them (`places`, with its exponent as w), times a factor. `pair_of` names the pair of
// shells, whose terms begin at `terms`.
extern "C" __global__ void rpes_pairs(const int2 *__restrict__ shells_of,
                                      const int *__restrict__ pair_of,
                                      const int *__restrict__ terms, float4 *__restrict__ places,
                                      float *__restrict__ factors, int count) {
  const int term = blockIdx.x * blockDim.x + threadIdx.x;
  if (term >= count) {
    return;
  }
  const int pair = pair_of[term];
  const int2 shells = shells_of[pair];
  const int second = gaussians[shells.y + 1] - gaussians[shells.y];
  const int number = term - terms[pair];
  const int a = gaussians[shells.x] + number / second;
  const int b = gaussians[shells.y] + number % second;
  const float4 at_a = centres[shells.x];
  const float4 at_b = centres[shells.y];
  const float both = exponents[a] + exponents[b];
  const float share = exponents[a] / both;
  const float dx = at_a.x - at_b.x;
  const float dy = at_a.y - at_b.y;
  const float dz = at_a.z - at_b.z;
  const float apart = dx * dx + dy * dy + dz * dz;
  places[term] = make_float4(at_b.x + share * dx, at_b.y + share * dy, at_b.z + share * dz, both);
  factors[term] = coefficients[a] * coefficients[b] * expf(-share * exponents[b] * apart);
}

// Boys' function of order 0, the integral of exp(-t u^2) over u from 0 to 1, by ranges: polynomials
// around the middle of each, fitted at Chebyshev's nodes, and the limit for large t. The relative
// error is below 5e-7.
inline __device__ float boys(float t) {
  float x, sum;
  if (t < 1.0f) {
    x = t - 0.5f;
    sum = -0.000501082104f;
    sum = sum * x + 0.00311043602f;
    sum = sum * x - 0.0162032023f;
    sum = sum * x + 0.0703728124f;
    sum = sum * x - 0.249093741f;
    sum = sum * x + 0.855624437f;
  } else if (t < 3.0f) {
    x = t - 2.0f;
    sum = 1.99599126e-05f;
    sum = sum * x - 0.000149093248f;
    sum = sum * x + 0.000948409259f;
    sum = sum * x - 0.00538871624f;
    sum = sum * x + 0.0264714714f;
    sum = sum * x - 0.115702443f;
    sum = sum * x + 0.598143995f;
  } else if (t < 6.0f) {
    x = t - 4.5f;
    sum = 2.7115052e-06f;
    sum = sum * x - 2.22274411e-05f;
    sum = sum * x + 0.000156572205f;
    sum = sum * x - 0.00106939161f;
    sum = sum * x + 0.00689281756f;
    sum = sum * x - 0.0450597592f;
    sum = sum * x + 0.416643471f;
  } else if (t < 11.0f) {
    x = t - 8.5f;
    sum = -1.50140737e-08f;
    sum = sum * x + 1.61420081e-07f;
    sum = sum * x - 1.49697497e-06f;
    sum = sum * x + 1.50839809e-05f;
    sum = sum * x - 0.000151999678f;
    sum = sum * x + 0.00157069642f;
    sum = sum * x - 0.017868141f;
    sum = sum * x + 0.30396195f;
  } else if (t < 18.0f) {
    x = t - 14.5f;
    sum = -3.98089717e-10f;
    sum = sum * x + 6.204624e-09f;
    sum = sum * x - 8.87561699e-08f;
    sum = sum * x + 1.43404302e-06f;
    sum = sum * x - 2.3854426e-05f;
    sum = sum * x + 0.000415105191f;
    sum = sum * x - 0.00802531154f;
    sum = sum * x + 0.232734571f;
  } else {
    sum = 0.886226925f * rsqrtf(t);
  }
  return sum;
}

// Finds the integrals of a list of pairs of charges (x and y are pairs of shells). One whose bounds
// say that it is below the threshold is left out: it stays 0. The terms of the sum are dealt out to
// the threads, whose sums are added in shared memory.
extern "C" __global__ void rpes_integrals(const int2 *__restrict__ wanted,
                                          const int *__restrict__ terms,
                                          const float4 *__restrict__ places,
                                          const float *__restrict__ factors,
                                          const float *__restrict__ bounds, float threshold,
                                          float *__restrict__ integrals) {
  __shared__ float sums[BLOCK];
  const int2 pairs = wanted[blockIdx.x];
  if (bounds[pairs.x] * bounds[pairs.y] < threshold * threshold) {
    return;
  }
  const int t = threadIdx.x;
  const int first_x = terms[pairs.x];
  const int first_y = terms[pairs.y];
  const int inner = terms[pairs.y + 1] - first_y;
  const int count = (terms[pairs.x + 1] - first_x) * inner;
  const int turns = (count + BLOCK - 1) / BLOCK;
  float sum = 0.0f;
  for (int turn = 0; turn < TRIPS(turns); ++turn) {
    const int term = t + turn * BLOCK;
    if (term < count) {
      const int x = first_x + term / inner;
      const int y = first_y + term % inner;
      const float4 p = places[x];
      const float4 q = places[y];
      const float dx = p.x - q.x;
      const float dy = p.y - q.y;
      const float dz = p.z - q.z;
      const float product = p.w * q.w;
      const float together = p.w + q.w;
      const float reduced = __fdividef(product, together);
      const float scale = __fdividef(rsqrtf(together), product);
      sum += factors[x] * factors[y] * scale * boys(reduced * (dx * dx + dy * dy + dz * dz));
    }
  }
  sums[t] = sum;
  for (int half = BLOCK / 2; half > 0; half /= 2) {
    __syncthreads();
    if (t < half) {
      sums[t] += sums[t + half];
    }
  }
  if (t == 0) {
    integrals[blockIdx.x] = 34.9868367f * sums[0];  // 2 pi^(5/2)
  }
}
