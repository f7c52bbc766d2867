// The surface of an ocean over time: waves of many lengths and directions, each of which turns at
// its own speed, are summed by an inverse Fourier transform in two dimensions. A row is transformed
// within a CTA; the matrix is transposed, and its rows are transformed again. Heights and the
// shifts that make crests sharp then give normals and how much the surface is folded.
#ifndef TRIPS
#define TRIPS(n) (n)
#endif
#define MOST 256  // points a side
#define TILE 16
#define PRESSED 0.7f  // to this part of its area or less: foam
#define GRAVITY 9.81f
#define TURN 6.2831853071795865f

// The first amplitudes are those of waves that run along their vector; the ones that run against it
// are conjugates of those at the mirrored vector. Both together give real heights. `shift` gets the
// two horizontal shifts as the real and the imaginary part of one transform: they are real as well.
// Waves that are too short, or that run across the wind, have no energy: there is nothing to turn.
extern "C" __global__ void ocean_spectrum(const float2 *__restrict__ first, float2 *height,
                                          float2 *shift, int side, float length, float time) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= side || y >= side) return;
  const int place = y * side + x;
  const int mirrored = ((side - y) & (side - 1)) * side + ((side - x) & (side - 1));
  const float2 along = first[place];
  const float2 against = first[mirrored];
  float2 h = make_float2(0.0f, 0.0f);
  float2 d = make_float2(0.0f, 0.0f);
  if (along.x != 0.0f || along.y != 0.0f || against.x != 0.0f || against.y != 0.0f) {
    const float kx = (x < side / 2 ? x : x - side) * (TURN / length);
    const float ky = (y < side / 2 ? y : y - side) * (TURN / length);
    const float k = sqrtf(kx * kx + ky * ky);
    // whole turns are taken off before the fast sine, which is exact for small angles only
    const float turns = sqrtf(GRAVITY * k) * time * (1.0f / TURN);
    const float angle = (turns - rintf(turns)) * TURN;
    const float c = __cosf(angle);
    const float s = __sinf(angle);
    h.x = along.x * c - along.y * s + against.x * c - against.y * s;
    h.y = along.x * s + along.y * c - against.x * s - against.y * c;
    // -i kx/k h, and i times -i ky/k h
    const float ux = kx / k;
    const float uy = ky / k;
    d.x = ux * h.y + uy * h.x;
    d.y = uy * h.y - ux * h.x;
  }
  height[place] = h;
  shift[place] = d;
}

inline __device__ float2 turned(float2 a, float2 by) {
  return make_float2(a.x * by.x - a.y * by.y, a.x * by.y + a.y * by.x);
}

// The inverse transform of a row a CTA, without its factor, by halves (Stockham's order, which
// needs no bit reversal): side / 2 threads, two points each. Turns are a table of side / 2 roots of
// one.
extern "C" __global__ void ocean_rows(float2 *rows, const float2 *__restrict__ roots, int side,
                                      int levels) {
  __shared__ float2 line[2][MOST];
  const int t = threadIdx.x;
  const int pairs = side / 2;
  float2 *row = rows + blockIdx.x * side;
  line[0][t] = row[t];
  line[0][t + pairs] = row[t + pairs];  // level 0 reads just what the same thread has stored
  for (int level = 0; level < TRIPS(levels); ++level) {
    const float2 *from = line[level & 1];
    float2 *to = line[~level & 1];
    const int done = 1 << level;        // points of the transforms that there are
    const int in_one = t & (done - 1);  // which of them
    const float2 a = from[t];
    const float2 b = turned(from[t + pairs], roots[in_one * (pairs >> level)]);
    const int at = 2 * t - in_one;
    to[at] = make_float2(a.x + b.x, a.y + b.y);
    to[at + done] = make_float2(a.x - b.x, a.y - b.y);
    __syncthreads();
  }
  row[t] = line[levels & 1][t];
  row[t + pairs] = line[levels & 1][t + pairs];
}

// Tiles are padded by a column, so that reading them across meets all banks.
extern "C" __global__ void ocean_transpose(float2 *__restrict__ to, const float2 *__restrict__ from,
                                           int side) {
  __shared__ float2 tile[TILE][TILE + 1];
  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  tile[ty][tx] = from[(blockIdx.y * TILE + ty) * side + blockIdx.x * TILE + tx];
  __syncthreads();
  to[(blockIdx.x * TILE + ty) * side + blockIdx.y * TILE + tx] = tile[tx][ty];
}

// The surface from the two transforms, which are transposed: x runs down. Normals come from
// differences between neighbours, all around the patch, which repeats; the fourth part is by how
// much the shifts press the surface together. Where that is much there is foam, which lasts for
// some frames; points without foam are most, and end early.
extern "C" __global__ void ocean_surface(float4 *__restrict__ normals, float *__restrict__ heights,
                                         float *__restrict__ foam,
                                         const float2 *__restrict__ height,
                                         const float2 *__restrict__ shift, int side, float length,
                                         float choppiness) {
  const int y = blockIdx.x * blockDim.x + threadIdx.x;
  const int x = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= side || y >= side) return;
  const int mask = side - 1;
  const int here = x * side + y;
  const int east = ((x + 1) & mask) * side + y;
  const int west = ((x - 1) & mask) * side + y;
  const int north = x * side + ((y + 1) & mask);
  const int south = x * side + ((y - 1) & mask);
  const float per_step = side / (2.0f * length);
  const float rise_x = (height[east].x - height[west].x) * per_step;
  const float rise_y = (height[north].x - height[south].x) * per_step;
  const float scale = rsqrtf(rise_x * rise_x + rise_y * rise_y + 1.0f);
  const float pressed = choppiness * per_step;
  const float xx = 1.0f + (shift[east].x - shift[west].x) * pressed;
  const float yy = 1.0f + (shift[north].y - shift[south].y) * pressed;
  const float xy = (shift[north].x - shift[south].x) * pressed;
  const float yx = (shift[east].y - shift[west].y) * pressed;
  const float folded = xx * yy - xy * yx;
  heights[here] = height[here].x;
  normals[here] = make_float4(-rise_x * scale, -rise_y * scale, scale, folded);
  const float before = foam[here];
  if (folded >= PRESSED && before == 0.0f) return;
  float now = before > 0.01f ? before * 0.9f : 0.0f;
  if (folded < PRESSED) now = fmaxf(now, 1.0f - __expf(2.0f * (folded - PRESSED)));
  foam[here] = now;
}
