// Attention in single precision with an online softmax, layer normalisation, gated activations.
template <int HEAD, int ROWS, int COLS> __global__ void attention(const float *q, const float *k, const float *v, float *o, int n, float scale, bool causal) {
  __shared__ float tile_k[COLS][HEAD], tile_v[COLS][HEAD];
  const int row = blockIdx.x * ROWS + threadIdx.x;
  const long long head = (long long)blockIdx.y * n * HEAD;
  float own[HEAD], sum[HEAD], most = -1e30f, norm = 0.f;
#pragma unroll
  for (int d = 0; d < HEAD; ++d) { own[d] = row < n ? q[head + row * HEAD + d] * scale : 0.f; sum[d] = 0.f; }
  for (int start = 0; start < n; start += COLS) {
    for (int i = threadIdx.x; i < COLS * HEAD / 4; i += ROWS) {
      reinterpret_cast<float4 *>(tile_k)[i] = reinterpret_cast<const float4 *>(k + head + start * HEAD)[i];
      reinterpret_cast<float4 *>(tile_v)[i] = reinterpret_cast<const float4 *>(v + head + start * HEAD)[i];
    }
    __syncthreads();
#pragma unroll 4
    for (int c = 0; c < COLS; ++c) {
      if (causal && start + c > row) break;
      float score = 0.f;
#pragma unroll
      for (int d = 0; d < HEAD; ++d) score += own[d] * tile_k[c][d];
      float higher = fmaxf(most, score), old = __expf(most - higher), w = __expf(score - higher);
      norm = norm * old + w;
#pragma unroll
      for (int d = 0; d < HEAD; ++d) sum[d] = sum[d] * old + w * tile_v[c][d];
      most = higher;
    }
    __syncthreads();
  }
  if (row < n)
#pragma unroll
    for (int d = 0; d < HEAD; ++d) o[head + row * HEAD + d] = sum[d] / norm;
}
template __global__ void attention<32, 64, 32>(const float *, const float *, const float *, float *, int, float, bool);
template __global__ void attention<64, 128, 32>(const float *, const float *, const float *, float *, int, float, bool);
template __global__ void attention<128, 64, 16>(const float *, const float *, const float *, float *, int, float, bool);

template <int THREADS, int ITEMS> __global__ void layer_norm(const float *x, const float *g, const float *b, float *y, int width, float eps) {
  __shared__ float shared[2][THREADS / 32];
  float own[ITEMS], sum = 0.f, squares = 0.f;
#pragma unroll
  for (int i = 0; i < ITEMS; ++i) {
    int c = threadIdx.x + i * THREADS;
    own[i] = c < width ? x[blockIdx.x * width + c] : 0.f;
    sum += own[i]; squares += own[i] * own[i];
  }
#pragma unroll
  for (int s = 16; s; s /= 2) { sum += __shfl_xor_sync(~0u, sum, s); squares += __shfl_xor_sync(~0u, squares, s); }
  if (threadIdx.x % 32 == 0) { shared[0][threadIdx.x / 32] = sum; shared[1][threadIdx.x / 32] = squares; }
  __syncthreads();
  sum = squares = 0.f;
#pragma unroll
  for (int w = 0; w < THREADS / 32; ++w) { sum += shared[0][w]; squares += shared[1][w]; }
  float mean = sum / width, scale = rsqrtf(squares / width - mean * mean + eps);
#pragma unroll
  for (int i = 0; i < ITEMS; ++i) {
    int c = threadIdx.x + i * THREADS;
    if (c < width) { float z = (own[i] - mean) * scale * g[c] + b[c]; y[blockIdx.x * width + c] = z / (1.f + __expf(-z)) * tanhf(z); }
  }
}
template __global__ void layer_norm<128, 8>(const float *, const float *, const float *, float *, int, float);
template __global__ void layer_norm<256, 16>(const float *, const float *, const float *, float *, int, float);
template __global__ void layer_norm<1024, 4>(const float *, const float *, const float *, float *, int, float);
