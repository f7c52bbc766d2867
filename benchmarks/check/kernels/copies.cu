// Tiles that are copied while others are worked on: cp.async in groups.
#define THREADS 128

__device__ inline unsigned shared_place(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }
__device__ inline void copy4(void *to, const void *from) {
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(shared_place(to)), "l"(from) : "memory");
}
__device__ inline void copy16(void *to, const void *from) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(shared_place(to)), "l"(from) : "memory");
}
__device__ inline void commit() { asm volatile("cp.async.commit_group;" ::: "memory"); }
#define WAIT(N) asm volatile("cp.async.wait_group %0;" ::"n"(N) : "memory")

// Sums of neighbours in each tile; the next tile is copied meanwhile.
extern "C" __global__ void neighbour_sums(const float *in, float *out, int tiles) {
  __shared__ float tile[2][THREADS];
  int t = threadIdx.x, first = blockIdx.x * tiles;
  copy4(&tile[0][t], in + first * THREADS + t);
  commit();
  for (int k = 0; k < tiles; ++k) {
    if (k + 1 < tiles) {
      copy4(&tile[(k + 1) & 1][t], in + (first + k + 1) * THREADS + t);
      commit();
      WAIT(1);
    } else {
      WAIT(0);
    }
    __syncthreads();
    out[(first + k) * THREADS + t] = tile[k & 1][t] + tile[k & 1][(t + 1) % THREADS];
    __syncthreads();
  }
}

// A matrix times a vector, three tiles of which are under way.
extern "C" __global__ void rows_times_vector(const float *a, const float *x, float *y, int columns) {
  __shared__ float part[3][THREADS], values[3][THREADS], sums[THREADS];
  int t = threadIdx.x, row = blockIdx.x, steps = columns / THREADS;
  for (int k = 0; k < 2; ++k) {
    copy4(&part[k][t], a + row * columns + k * THREADS + t);
    copy4(&values[k][t], x + k * THREADS + t);
    commit();
  }
  float sum = 0;
  for (int k = 0; k < steps; ++k) {
    WAIT(1);
    __syncthreads();
    int mirrored = THREADS - 1 - t;
    sum += part[k % 3][mirrored] * values[k % 3][mirrored];
    if (k + 2 < steps) {
      copy4(&part[(k + 2) % 3][t], a + row * columns + (k + 2) * THREADS + t);
      copy4(&values[(k + 2) % 3][t], x + (k + 2) * THREADS + t);
    }
    commit();
  }
  sums[t] = sum;
  __syncthreads();
  for (int half = THREADS / 2; half; half /= 2) {
    if (t < half) sums[t] += sums[t + half];
    __syncthreads();
  }
  if (t == 0) y[row] = sums[0];
}

// A window of nine over a row: one copy of the row and its edges, waited for as a whole.
extern "C" __global__ void window_means(const float *in, float *out, int n) {
  __shared__ float line[THREADS + 8];
  int t = threadIdx.x, begin = blockIdx.x * THREADS;
  copy4(&line[t], in + begin + t);
  if (t < 8) copy4(&line[THREADS + t], in + begin + THREADS + t);
  asm volatile("cp.async.wait_all;" ::: "memory");
  __syncthreads();
  float sum = 0;
  for (int k = 0; k < 9; ++k) sum += line[t + k];
  if (begin + t < n) out[begin + t] = sum / 9;
}

// Products of tiles of 16 by 16, both operands in two buffers.
extern "C" __global__ void tile_products(const float *a, const float *b, float *c, int n) {
  __shared__ __align__(16) float left[2][16][16], right[2][16][16];
  int t = threadIdx.x, row = t / 4, four = t % 4 * 4;
  const float *a_row = a + (blockIdx.y * 16 + row) * n + four, *b_row = b + row * n + blockIdx.x * 16 + four;
  float sums[4] = {0, 0, 0, 0};
  copy16(&left[0][row][four], a_row);
  copy16(&right[0][row][four], b_row);
  commit();
  for (int k = 0; k < n / 16; ++k) {
    int now = k & 1;
    WAIT(0);
    __syncthreads();
    if (k + 1 < n / 16) {
      copy16(&left[now ^ 1][row][four], a_row + (k + 1) * 16);
      copy16(&right[now ^ 1][row][four], b_row + (k + 1) * 16 * n);
      commit();
    }
    for (int i = 0; i < 16; ++i)
      for (int j = 0; j < 4; ++j) sums[j] += left[now][row][i] * right[now][i][four + j];
  }
  for (int j = 0; j < 4; ++j) c[(blockIdx.y * 16 + row) * n + blockIdx.x * 16 + four + j] = sums[j];
}

// Four tiles one after another, each in a group and a buffer of its own.
extern "C" __global__ void four_stages(const int *in, int *out) {
  __shared__ int tile[4][THREADS];
  int t = threadIdx.x;
  const int *own = in + blockIdx.x * 4 * THREADS;
  for (int k = 0; k < 4; ++k) {
    copy4(&tile[k][t], own + k * THREADS + t);
    commit();
  }
  int value = 0, other = t ^ 1;
  WAIT(3);
  __syncthreads();
  value += tile[0][other];
  WAIT(2);
  __syncthreads();
  value = value * 3 + tile[1][other];
  WAIT(1);
  __syncthreads();
  value = value * 3 + tile[2][other];
  WAIT(0);
  __syncthreads();
  out[blockIdx.x * THREADS + t] = value * 3 + tile[3][other];
}

// Rows that are exchanged through shared memory, each thread waiting for its own copies alone.
extern "C" __global__ void own_copies(const float *in, float *out, int n) {
  __shared__ float mine[2][THREADS];
  int t = threadIdx.x, stride = gridDim.x * THREADS, at = blockIdx.x * THREADS + t;
  copy4(&mine[0][t], in + at);
  commit();
  int k = 0;
  for (; at + stride < n; at += stride, k ^= 1) {
    copy4(&mine[k ^ 1][t], in + at + stride);
    commit();
    WAIT(1);
    out[at] = 2 * mine[k][t];
  }
  WAIT(0);
  out[at] = 2 * mine[k][t];
}
