// Product of matrices of halves on the tensor cores. A CTA multiplies one tile of rows by one tile
// of columns over a slice of the inner side. While it computes with one pair of tiles in shared
// memory, the next pair is copied asynchronously into the other. Slices are added by a kernel of
// its own.
#include <cuda_fp16.h>

#ifndef TRIPS
#define TRIPS(n) (n)
#endif

#define TALL 64   // rows of a tile of a and of c
#define WIDE 64   // columns of a tile of b and of c
#define DEEP 32   // of the inner side at a time
#define PAD 8     // halves behind each row, so that eight rows of 16 bytes lie in different banks
#define CHUNK 8   // halves that one thread copies at a time
#define THREADS 128

struct Tiles {
  __half a[TALL][DEEP + PAD];
  __half b[DEEP][WIDE + PAD];
};

inline __device__ unsigned shared_address(const void *place) {
  return (unsigned)__cvta_generic_to_shared(place);
}

// Copies 16 bytes into shared memory in the background; zeros where there is nothing to copy.
inline __device__ void copy_chunk(__half *to, const __half *from, bool there) {
  const int bytes = there ? 16 : 0;
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;"
               :: "r"(shared_address(to)), "l"(from), "r"(bytes) : "memory");
}

inline __device__ void end_group() { asm volatile("cp.async.commit_group;" ::: "memory"); }

// Waits until at most one group of copies, or none, is on its way.
inline __device__ void wait_but_one() { asm volatile("cp.async.wait_group 1;" ::: "memory"); }
inline __device__ void wait_for_all() { asm volatile("cp.async.wait_group 0;" ::: "memory"); }

// Loads four matrices of 8 x 8 halves; lane i says where row i % 8 of matrix i / 8 begins.
inline __device__ void load_matrices(unsigned *to, const __half *row) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
               : "r"(shared_address(row)) : "memory");
}

inline __device__ void load_transposed(unsigned *to, const __half *row) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
               : "r"(shared_address(row)) : "memory");
}

// c += a * b, of 16 x 16 and 16 x 8 halves.
inline __device__ void multiply(float *c, const unsigned *a, const unsigned *b) {
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
               "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
               : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

// Begins to copy the tiles whose inner side starts at `deep`.
inline __device__ void copy_tiles(Tiles *tiles, const __half *a, const __half *b, int height,
                                  int width, int inner, int deep) {
  for (int round = 0; round < TALL * DEEP / CHUNK / THREADS; ++round) {
    const int chunk = round * THREADS + threadIdx.x;
    const int row = chunk / (DEEP / CHUNK);
    const int column = chunk % (DEEP / CHUNK) * CHUNK;
    const int from_row = blockIdx.y * TALL + row;
    const bool there = from_row < height && deep + column < inner;
    const __half *from = there ? a + (size_t)from_row * inner + deep + column : a;
    copy_chunk(&tiles->a[row][column], from, there);
  }
  for (int round = 0; round < DEEP * WIDE / CHUNK / THREADS; ++round) {
    const int chunk = round * THREADS + threadIdx.x;
    const int row = chunk / (WIDE / CHUNK);
    const int column = chunk % (WIDE / CHUNK) * CHUNK;
    const int from_column = blockIdx.x * WIDE + column;
    const bool there = from_column < width && deep + row < inner;
    const __half *from = there ? b + (size_t)(deep + row) * width + from_column : b;
    copy_chunk(&tiles->b[row][column], from, there);
  }
  end_group();
}

// Multiplies slice blockIdx.z, `slice` values of the inner side, into its part. The four warps
// have 32 x 32 of the tile each. All three sizes are multiples of 8, `slice` one of DEEP.
extern "C" __global__ void __launch_bounds__(THREADS)
    matmul_async(const __half *a, const __half *b, float *parts, int height, int width, int inner,
                 int slice) {
  __shared__ __align__(16) Tiles tiles[2];
  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;
  const int top = warp / 2 * 32;
  const int left = warp % 2 * 32;
  const int first = blockIdx.z * slice;
  const int last = min(first + slice, inner);
  const int steps = (last - first + DEEP - 1) / DEEP;

  float c[2][4][4] = {};
  copy_tiles(&tiles[0], a, b, height, width, inner, first);
  for (int step = 0; step < TRIPS(steps); ++step) {
    if (step + 1 < steps) {
      const int deep = first + (step + 1) * DEEP;
      copy_tiles(&tiles[(step + 1) % 2], a, b, height, width, inner, deep);
      wait_but_one();
    } else {
      wait_for_all();
    }
    __syncthreads();
    const Tiles *now = &tiles[step % 2];
    for (int deep = 0; deep < DEEP; deep += 16) {
      unsigned of_a[2][4], of_b[2][4];
      for (int m = 0; m < 2; ++m) {
        load_matrices(of_a[m], &now->a[top + m * 16 + lane % 16][deep + lane / 16 * 8]);
      }
      for (int n = 0; n < 2; ++n) {
        load_transposed(of_b[n], &now->b[deep + lane % 16][left + n * 16 + lane / 16 * 8]);
      }
      for (int m = 0; m < 2; ++m) {
        for (int n = 0; n < 4; ++n) {
          multiply(c[m][n], of_a[m], &of_b[n / 2][n % 2 * 2]);
        }
      }
    }
    __syncthreads();  // the next copies go where this step has read
  }

  float *part = parts + (size_t)blockIdx.z * height * width;
  for (int m = 0; m < 2; ++m) {
    for (int n = 0; n < 4; ++n) {
      const int column = blockIdx.x * WIDE + left + n * 8 + lane % 4 * 2;
      for (int half = 0; half < 2; ++half) {
        const int row = blockIdx.y * TALL + top + m * 16 + half * 8 + lane / 4;
        if (row < height && column < width) {
          const float2 pair = make_float2(c[m][n][2 * half], c[m][n][2 * half + 1]);
          *(float2 *)&part[(size_t)row * width + column] = pair;
        }
      }
    }
  }
}

// Adds the slices' parts, always in the same order, and rounds; two elements a thread.
extern "C" __global__ void matmul_async_sum(const float2 *parts, __half2 *c, int pairs,
                                            int slices) {
  const int place = blockIdx.x * blockDim.x + threadIdx.x;
  if (place >= pairs) {
    return;
  }
  float2 total = make_float2(0, 0);
  for (int slice = 0; slice < TRIPS(slices); ++slice) {
    const float2 part = parts[(size_t)slice * pairs + place];
    total.x += part.x;
    total.y += part.y;
  }
  c[place] = __floats2half2_rn(total.x, total.y);
}
