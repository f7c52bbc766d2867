// Gaussian blur of images, along rows and then along columns. Images are read through textures,
// which give the edge's pixel for places beyond it, and written as surfaces. A pixel is four
// bytes: red, green, blue and how opaque it is; between the two passes it is four floats.
#ifndef TRIPS
#define TRIPS(n) (n)  // of the loop over weights
#endif
#define MOST_RADIUS 24

__constant__ float weights[2 * MOST_RADIUS + 1];

inline __device__ unsigned char rounded(float value) {
  return (unsigned char)min(max((int)(value + 0.5f), 0), 255);
}

// Blurs along rows, a pixel a thread.
extern "C" __global__ void gaussian_rows(cudaTextureObject_t image, cudaSurfaceObject_t blurred,
                                         int width, int height, int radius) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  float4 sum = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
  for (int i = 0; i < TRIPS(2 * radius + 1); ++i) {
    const uchar4 pixel = tex2D<uchar4>(image, x + i - radius + 0.5f, y + 0.5f);
    sum.x += weights[i] * pixel.x;
    sum.y += weights[i] * pixel.y;
    sum.z += weights[i] * pixel.z;
    sum.w += weights[i] * pixel.w;
  }
  surf2Dwrite(sum, blurred, x * (int)sizeof(float4), y);
}

// Blurs along columns what the first pass has left, and rounds to bytes.
extern "C" __global__ void gaussian_columns(cudaTextureObject_t blurred, cudaSurfaceObject_t result,
                                            int width, int height, int radius) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  float4 sum = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
  for (int i = 0; i < TRIPS(2 * radius + 1); ++i) {
    const float4 pixel = tex2D<float4>(blurred, x + 0.5f, y + i - radius + 0.5f);
    sum.x += weights[i] * pixel.x;
    sum.y += weights[i] * pixel.y;
    sum.z += weights[i] * pixel.z;
    sum.w += weights[i] * pixel.w;
  }
  const uchar4 bytes =
      make_uchar4(rounded(sum.x), rounded(sum.y), rounded(sum.z), rounded(sum.w));
  surf2Dwrite(bytes, result, x * (int)sizeof(uchar4), y);
}
