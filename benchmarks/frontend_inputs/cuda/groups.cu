// Cooperative groups: tiles, coalesced threads, the grid, reductions and asynchronous copies.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;

template <int TILE> __global__ void tile_sums(const int *in, int *out, int n) {
  auto block = cg::this_thread_block();
  auto tile = cg::tiled_partition<TILE>(block);
  int i = block.group_index().x * block.size() + block.thread_rank();
  int value = i < n ? in[i] : 0;
  int sum = cg::reduce(tile, value, cg::plus<int>());
  int most = cg::reduce(tile, value, cg::greater<int>());
  int before = cg::exclusive_scan(tile, value, cg::plus<int>());
  if (tile.any(value > 3)) before += tile.shfl_down(sum, 1) + tile.ballot(value & 1);
  if (tile.thread_rank() == 0) out[i / TILE] = sum + most;
  block.sync();
  if (i < n) out[n + i] = before;
}
template __global__ void tile_sums<4>(const int *, int *, int);
template __global__ void tile_sums<16>(const int *, int *, int);
template __global__ void tile_sums<32>(const int *, int *, int);

extern "C" __global__ void filter(const int *in, int *out, int *count, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && in[i] > 0) {
    auto active = cg::coalesced_threads();
    int base = 0;
    if (active.thread_rank() == 0) base = atomicAdd(count, active.size());
    out[active.shfl(base, 0) + active.thread_rank()] = in[i];
  }
}
extern "C" __global__ void whole_grid(float *a, float *b, int n, int steps) {
  auto grid = cg::this_grid();
  for (int s = 0; s < steps; ++s) {
    for (int i = grid.thread_rank() + 1; i < n - 1; i += grid.size()) b[i] = 0.25f * (a[i - 1] + 2.f * a[i] + a[i + 1]);
    grid.sync();
    float *t = a; a = b; b = t;
  }
}
extern "C" __global__ void copies(const float4 *in, float *out, int n) {
  extern __shared__ float4 staged[];
  auto block = cg::this_thread_block();
  for (int at = 0; at < n; at += 256) {
    cg::memcpy_async(block, staged, in + at, sizeof(float4) * 256);
    cg::wait(block);
    float4 v = staged[block.thread_rank()];
    out[at + block.thread_rank()] = v.x + v.y * v.z - v.w;
    block.sync();
  }
}
