// How many steps each point of a window of the plane takes to leave the circle of radius 2.
extern "C" __global__ void mandelbrot(int *steps, int width, int height, float left, float top,
                                      float pitch, int most) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  const float real = left + pitch * x, imaginary = top + pitch * y;
  float a = 0.0f, b = 0.0f;
  int count = 0;
  while (count < most && a * a + b * b <= 4.0f) {
    const float next = a * a - b * b + real;
    b = 2.0f * a * b + imaginary;
    a = next;
    count++;
  }
  steps[y * width + x] = count;
}
