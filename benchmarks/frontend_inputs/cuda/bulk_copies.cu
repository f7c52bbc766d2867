// What came with sm_90: barriers in shared memory, bulk copies, clusters, dependent launches.
extern "C" __global__ void __launch_bounds__(128) bulk_copy(const char *in, char *out, const void *map, int n) {
#if __CUDA_ARCH__ >= 900
  extern __shared__ __align__(128) char buffer[];
  __shared__ __align__(8) unsigned long long barrier;
  unsigned bar = (unsigned)__cvta_generic_to_shared(&barrier), to = (unsigned)__cvta_generic_to_shared(buffer);
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(bar), "r"(1));
    asm volatile("fence.mbarrier_init.release.cluster;");
    asm volatile("fence.proxy.async.shared::cta;");
  }
  __syncthreads();
  asm volatile("griddepcontrol.wait;" ::: "memory");
  for (int phase = 0, at = 0; at < n; at += 4096, phase ^= 1) {
    if (threadIdx.x == 0) {
      asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(bar), "r"(4096));
      asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];"
                   ::"r"(to), "l"(in + at), "r"(4096), "r"(bar) : "memory");
    }
    asm volatile("{\n\t.reg .pred done;\nWAIT_%=:\n\tmbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n\t@done bra.uni DONE_%=;\n\tbra.uni WAIT_%=;\nDONE_%=:\n\t}"
                 ::"r"(bar), "r"(phase) : "memory");
    for (int i = threadIdx.x; i < 4096; i += blockDim.x) buffer[i] ^= 0x55;
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    if (threadIdx.x == 0) {
      asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(out + at), "r"(to), "r"(4096) : "memory");
      asm volatile("cp.async.bulk.commit_group;");
      asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
    }
    __syncthreads();
  }
  if (threadIdx.x == 0) {
    asm volatile("prefetch.tensormap [%0];" ::"l"(map));
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];"
                 ::"r"(to), "l"(map), "r"(0), "r"(8), "r"(bar) : "memory");
    asm volatile("cp.async.bulk.tensor.3d.global.shared::cta.bulk_group [%0, {%1, %2, %3}], [%4];"
                 ::"l"(map), "r"(0), "r"(1), "r"(2), "r"(to) : "memory");
    asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%0], [%1], %2;" ::"l"(out), "r"(to), "r"(64) : "memory");
  }
  asm volatile("griddepcontrol.launch_dependents;");
  asm volatile("mbarrier.inval.shared::cta.b64 [%0];" ::"r"(bar));
#else
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i] ^ 0x55 ^ (map != nullptr);
#endif
}

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
extern "C" __global__ void __cluster_dims__(2, 1, 1) cluster_sum(const int *in, int *out) {
  __shared__ int mine;
  unsigned rank, size, peer, local = (unsigned)__cvta_generic_to_shared(&mine);
  asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  asm("mov.u32 %0, %%cluster_nctarank;" : "=r"(size));
  if (threadIdx.x == 0) mine = in[blockIdx.x];
  asm volatile("barrier.cluster.arrive.release.aligned;\n\tbarrier.cluster.wait.acquire.aligned;" ::: "memory");
  int sum = 0, got;
  for (unsigned r = 0; r < size; ++r) {
    asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(peer) : "r"(local), "r"(r));
    asm volatile("ld.shared::cluster.s32 %0, [%1];" : "=r"(got) : "r"(peer));
    sum += got;
  }
  unsigned elected = 0;
  asm volatile("{\n\t.reg .pred p;\n\telect.sync _|p, 0xffffffff;\n\tselp.u32 %0, 1, 0, p;\n\t}" : "=r"(elected));
  asm volatile("barrier.cluster.arrive.relaxed;\n\tbarrier.cluster.wait;");
  if (elected) out[blockIdx.x] = sum + rank;
}
#endif
