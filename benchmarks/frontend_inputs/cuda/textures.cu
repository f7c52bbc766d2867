// Texture and surface objects of every dimension, gathers, levels and gradients.
extern "C" __global__ void textures(cudaTextureObject_t t, float4 *out, float *values, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  float u = (x + 0.5f) / w, v = (y + 0.5f) / h;
  float4 sum = tex2D<float4>(t, u, v);
  float4 other = tex2DLod<float4>(t, u, v, 1.5f);
  float4 third = tex2DGrad<float4>(t, u, v, make_float2(0.1f, 0.f), make_float2(0.f, 0.2f));
  float4 fourth = tex2Dgather<float4>(t, u, v, 2);
  sum.x += other.x + third.y + fourth.z + tex1Dfetch<float>(t, x) + tex1D<float>(t, u);
  sum.y += tex3D<float>(t, u, v, 0.5f) + tex3DLod<float>(t, u, v, 0.5f, 2.f);
  sum.z += tex1DLayered<float>(t, u, 3) + tex2DLayered<float>(t, u, v, 5) + tex2DLayeredLod<float>(t, u, v, 5, 1.f);
  sum.w += texCubemap<float>(t, u, v, 1.f) + texCubemapLayered<float>(t, u, v, 1.f, 2);
  uchar4 bytes = tex2D<uchar4>(t, u, v);
  int2 ints = tex2D<int2>(t, u, v);
  values[y * w + x] = bytes.x + bytes.y * 2 + ints.x - ints.y;
  out[y * w + x] = sum;
}
extern "C" __global__ void surfaces(cudaSurfaceObject_t in, cudaSurfaceObject_t out, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  uchar4 a = surf2Dread<uchar4>(in, x * 4, y, cudaBoundaryModeClamp);
  float b = surf2Dread<float>(in, x * 4, y, cudaBoundaryModeZero);
  short2 c = surf2Dread<short2>(in, x * 4, y, cudaBoundaryModeTrap);
  float4 d = surf3Dread<float4>(in, x * 16, y, 3);
  int e = surf1Dread<int>(in, x * 4) + surf2DLayeredread<int>(in, x * 4, y, 1);
  surf2Dwrite(make_uchar4(a.y, a.x, a.w, a.z), out, x * 4, y, cudaBoundaryModeClamp);
  surf2Dwrite(b + c.x, out, x * 4, y, cudaBoundaryModeZero);
  surf3Dwrite(d, out, x * 16, y, 3);
  surf1Dwrite(e, out, x * 4);
  surf2DLayeredwrite(e, out, x * 4, y, 2);
}
template <int R> __global__ void bilateral(cudaTextureObject_t image, float *out, int w, int h, float s) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  float centre = tex2D<float>(image, x, y), sum = 0.f, weight = 0.f;
#pragma unroll
  for (int dy = -R; dy <= R; ++dy)
#pragma unroll
    for (int dx = -R; dx <= R; ++dx) {
      float value = tex2D<float>(image, x + dx, y + dy), d = value - centre;
      float g = __expf(-(dx * dx + dy * dy) * 0.1f - d * d * s);
      sum += g * value;
      weight += g;
    }
  if (x < w && y < h) out[y * w + x] = __fdividef(sum, weight);
}
template __global__ void bilateral<2>(cudaTextureObject_t, float *, int, int, float);
template __global__ void bilateral<5>(cudaTextureObject_t, float *, int, int, float);
