// Gaussian blur of images, along rows and then along columns. Images are read through a sampler
// of the host's, which gives the edge's pixel for places beyond it. A pixel is four bytes: red,
// green, blue and how opaque it is; between the two passes it is four floats.

// Blurs along rows, a pixel a work item.
__kernel void gaussian_rows(__read_only image2d_t image, __write_only image2d_t blurred, int width,
                            int height, int radius, __constant float *weights,
                            sampler_t at_edges) {
  const int x = get_global_id(0);
  const int y = get_global_id(1);
  if (x >= width || y >= height) {
    return;
  }
  float4 sum = (float4)(0.0f);
  for (int i = 0; i < 2 * radius + 1; ++i) {
    sum += weights[i] * convert_float4(read_imageui(image, at_edges, (int2)(x + i - radius, y)));
  }
  write_imagef(blurred, (int2)(x, y), sum);
}

// Blurs along columns what the first pass has left, and rounds to bytes.
__kernel void gaussian_columns(__read_only image2d_t blurred, __write_only image2d_t result,
                               int width, int height, int radius, __constant float *weights,
                               sampler_t at_edges) {
  const int x = get_global_id(0);
  const int y = get_global_id(1);
  if (x >= width || y >= height) {
    return;
  }
  float4 sum = (float4)(0.0f);
  for (int i = 0; i < 2 * radius + 1; ++i) {
    sum += weights[i] * read_imagef(blurred, at_edges, (int2)(x, y + i - radius));
  }
  write_imageui(result, (int2)(x, y), convert_uint4(clamp(sum + 0.5f, 0.0f, 255.0f)));
}
