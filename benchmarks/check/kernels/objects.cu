// Barrier objects in shared memory and bulk copies: what came with sm_80 and sm_90.
typedef unsigned long long u64;

__device__ inline unsigned shared_place(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }
__device__ inline void make(u64 *bar, unsigned count) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_place(bar)), "r"(count) : "memory");
}
__device__ inline void arrive(u64 *bar) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(shared_place(bar)) : "memory");
}
__device__ inline void expect(u64 *bar, unsigned bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_place(bar)), "r"(bytes) : "memory");
}
__device__ inline void wait(u64 *bar, unsigned phase) {
  asm volatile("{\n\t.reg .pred done;\nWAIT_%=:\n\tmbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n\t"
               "@done bra.uni DONE_%=;\n\tbra.uni WAIT_%=;\nDONE_%=:\n\t}"
               ::"r"(shared_place(bar)), "r"(phase) : "memory");
}
__device__ inline void load(void *to, const void *from, unsigned bytes, u64 *bar) {
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];"
               ::"r"(shared_place(to)), "l"(from), "r"(bytes), "r"(shared_place(bar)) : "memory");
}
__device__ inline void store(void *to, const void *from, unsigned bytes) {
  asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;"
               ::"l"(to), "r"(shared_place(from)), "r"(bytes) : "memory");
}
__device__ inline void proxy_fence() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }
#define THREADS 64
#define BYTES (THREADS * 4)

// Each thread copies its part and arrives as its copies do.
extern "C" __global__ void copies_arrive(const int *in, int *out, int tiles) {
  __shared__ int tile[THREADS];
  __shared__ u64 full;
  int t = threadIdx.x;
  if (t == 0) make(&full, THREADS);
  __syncthreads();
  for (int k = 0; k < tiles; ++k) {
    int at = (blockIdx.x * tiles + k) * THREADS;
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(shared_place(&tile[t])), "l"(in + at + t) : "memory");
    asm volatile("cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%0];" ::"r"(shared_place(&full)) : "memory");
    wait(&full, k & 1);
    out[at + t] = tile[t ^ 3] * 2;
    __syncthreads();
  }
}

// One bulk copy a tile, which all threads wait for.
extern "C" __global__ void bulk_tiles(const int *in, int *out, int tiles) {
  __shared__ __align__(128) int tile[THREADS];
  __shared__ u64 full;
  int t = threadIdx.x;
  if (t == 0) {
    make(&full, 1);
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  }
  __syncthreads();
  for (int k = 0; k < tiles; ++k) {
    int at = (blockIdx.x * tiles + k) * THREADS;
    if (t == 0) {
      expect(&full, BYTES);
      load(tile, in + at, BYTES, &full);
    }
    wait(&full, k & 1);
    out[at + t] = tile[THREADS - 1 - t] + 1;
    __syncthreads();
  }
}

// A warp that copies and one that works, over two buffers: full and empty.
extern "C" __global__ void copying_warp(const int *in, int *out, int tiles) {
  __shared__ __align__(128) int tile[2][32];
  __shared__ u64 full[2], empty[2];
  int t = threadIdx.x, lane = t & 31;
  if (t == 0)
    for (int b = 0; b < 2; ++b) make(&full[b], 1), make(&empty[b], 32);
  __syncthreads();
  if (t < 32) {
    for (int k = 0; k < tiles; ++k) {
      if (k >= 2) wait(&empty[k & 1], ((k >> 1) + 1) & 1);
      if (lane == 0) {
        expect(&full[k & 1], 128);
        load(tile[k & 1], in + (blockIdx.x * tiles + k) * 32, 128, &full[k & 1]);
      }
    }
  } else {
    for (int k = 0; k < tiles; ++k) {
      wait(&full[k & 1], (k >> 1) & 1);
      out[(blockIdx.x * tiles + k) * 32 + lane] = tile[k & 1][31 - lane];
      arrive(&empty[k & 1]);
    }
  }
}

// A warp that computes and one that writes down, with plain stores between them.
extern "C" __global__ void handed_over(const int *in, int *out, int steps) {
  __shared__ int slot[2][32];
  __shared__ u64 full[2], empty[2];
  int t = threadIdx.x, lane = t & 31;
  if (t == 0)
    for (int b = 0; b < 2; ++b) make(&full[b], 32), make(&empty[b], 32);
  __syncthreads();
  if (t < 32) {
    for (int k = 0; k < steps; ++k) {
      if (k >= 2) wait(&empty[k & 1], ((k >> 1) + 1) & 1);
      slot[k & 1][lane] = in[k * 32 + lane] * 3;
      arrive(&full[k & 1]);
    }
  } else {
    for (int k = 0; k < steps; ++k) {
      wait(&full[k & 1], (k >> 1) & 1);
      out[k * 32 + lane] = slot[k & 1][lane ^ 5];
      arrive(&empty[k & 1]);
    }
  }
}

// Tiles that come and go in bulk; the buffer is taken again when its store has read it.
extern "C" __global__ void bulk_both_ways(const int *in, int *out, int tiles) {
  __shared__ __align__(128) int tile[THREADS], result[THREADS];
  __shared__ u64 full;
  int t = threadIdx.x;
  if (t == 0) make(&full, 1);
  __syncthreads();
  for (int k = 0; k < tiles; ++k) {
    int at = (blockIdx.x * tiles + k) * THREADS;
    if (t == 0) {
      expect(&full, BYTES);
      load(tile, in + at, BYTES, &full);
    }
    wait(&full, k & 1);
    result[t] = tile[t] ^ 0x55;
    proxy_fence();
    __syncthreads();
    if (t == 0) {
      store(out + at, result, BYTES);
      asm volatile("cp.async.bulk.commit_group;" ::: "memory");
      asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
    }
    __syncthreads();
  }
}

// Results that are written in bulk and read again by the same thread.
extern "C" __global__ void written_and_read(int *out, int *sums) {
  __shared__ __align__(128) int tile[2][THREADS];
  int t = threadIdx.x;
  for (int k = 0; k < 2; ++k) {
    tile[k][t] = t + k + blockIdx.x;
    proxy_fence();
    __syncthreads();
    if (t == 0) {
      store(out + (2 * blockIdx.x + k) * THREADS, tile[k], BYTES);
      asm volatile("cp.async.bulk.commit_group;" ::: "memory");
    }
  }
  if (t == 0) {
    asm volatile("cp.async.bulk.wait_group 1;" ::: "memory");
    int sum = out[2 * blockIdx.x * THREADS + 5];
    asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
    sums[blockIdx.x] = sum + out[(2 * blockIdx.x + 1) * THREADS + 7];
  }
}
