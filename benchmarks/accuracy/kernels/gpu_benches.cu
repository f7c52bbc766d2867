// Kernels that models are calibrated with, written from a description of them: streams of doubles,
// an element a thread. n is the number of elements; dynamic shared memory, which none uses, limits
// how many CTAs an SM holds.

#define ELEMENT                                        \
  const int i = blockIdx.x * blockDim.x + threadIdx.x; \
  if (i >= n) return

extern "C" __global__ void init(double *a, double c, int n) {
  ELEMENT;
  a[i] = c;
}

// What is read is compared, and never stored. The measured kernel branches on the comparison; here an
// argument decides, so that gigabytes of data need not be made to know that nothing is stored.
extern "C" __global__ void read(double *a, const double *b, int stored, int n) {
  ELEMENT;
  double sum;
  asm volatile("ld.global.f64 %0, [%1];" : "=d"(sum) : "l"(b + i));
  asm volatile("{ .reg .pred same; setp.eq.f64 same, %0, %1; }" : : "d"(sum), "d"(1.5));
  if (stored) a[i] = sum;
}

extern "C" __global__ void scale(double *a, const double *b, int n) {
  ELEMENT;
  a[i] = 1.2 * b[i];
}

extern "C" __global__ void triad(double *a, const double *b, const double *c, const double *d,
                                 int n) {
  ELEMENT;
  a[i] = b[i] * d[i] + c[i];
}

extern "C" __global__ void stencil3(double *a, const double *b, int n) {
  ELEMENT;
  if (i < 1 || i >= n - 1) return;
  a[i] = 0.5 * (b[i - 1] + b[i + 1]) + b[i];
}

extern "C" __global__ void stencil5(double *a, const double *b, int n) {
  ELEMENT;
  if (i < 2 || i >= n - 2) return;
  a[i] = 0.25 * (b[i - 2] + b[i - 1] + b[i + 1] + b[i + 2]) + b[i];
}

// The kernel of which many small ones are launched.
extern "C" __global__ void quarter(double *a, const double *b, int n) {
  ELEMENT;
  a[i] = 0.25 * b[i];
}
