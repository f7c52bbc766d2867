// Device functions that stay functions: structs by value, pointers to functions, virtual calls,
// printf, assert, device heap, and tables of jumps.
#include <assert.h>
#include <stdio.h>

struct Vec3 { float x, y, z; };
struct Ray { Vec3 origin, direction; double far; char tag; };

__device__ __noinline__ Vec3 add(Vec3 a, Vec3 b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
__device__ __noinline__ float dot(const Vec3 &a, const Vec3 &b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
__device__ __noinline__ Ray advance(Ray r, float t) {
  r.origin = add(r.origin, {r.direction.x * t, r.direction.y * t, r.direction.z * t});
  r.far -= t;
  r.tag++;
  return r;
}
__device__ __noinline__ bool inside(Ray r, float radius) { return dot(r.origin, r.origin) < radius * radius; }

extern "C" __global__ void march(Ray start, float *out, int steps) {
  Ray r = start;
  r.direction.x += threadIdx.x * 0.01f;
  int i = 0;
  for (; i < steps && !inside(r, 1.f); ++i) r = advance(r, 0.1f);
  out[threadIdx.x] = i + (float)r.far + r.tag;
}

__device__ __noinline__ float twice(float x) { return x + x; }
__device__ __noinline__ float square(float x) { return x * x; }
__device__ __noinline__ float invert(float x) { return 1.f / x; }
typedef float (*Function)(float);
__device__ Function table[3] = {twice, square, invert};
extern "C" __global__ void by_pointer(const int *which, float *data, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] = table[which[i] % 3](data[i]);
}

struct Shape { __device__ virtual float area() const = 0; __device__ virtual void grow(float f) = 0; };
struct Circle : Shape { float r; __device__ Circle(float r) : r(r) {} __device__ float area() const override { return 3.14159f * r * r; } __device__ void grow(float f) override { r *= f; } };
struct Box : Shape { float w, h; __device__ Box(float w, float h) : w(w), h(h) {} __device__ float area() const override { return w * h; } __device__ void grow(float f) override { w *= f; h *= f; } };
extern "C" __global__ void shapes(float *out, int n) {
  Shape *s = threadIdx.x & 1 ? (Shape *)new Circle(threadIdx.x) : (Shape *)new Box(threadIdx.x, 2.f);
  for (int i = 0; i < n; ++i) s->grow(1.1f);
  out[threadIdx.x] = s->area();
  delete s;
}

extern "C" __global__ void talk(const int *in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  assert(i < 1 << 20);
  if (i < n && in[i] < 0) printf("thread %d: %d, %f and \"%s\"\n", i, in[i], in[i] * 0.5, "text; with { marks } // in it");
  if (i == n) __trap();
}

extern "C" __global__ void jumps(const int *in, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int x = in[i], y = out[i];
  for (int round = 0; round < 4; ++round) {
    switch ((x >> (round * 4)) & 15) {
    case 0: y += x; break;
    case 1: y -= x * 3; break;
    case 2: y ^= x; break;
    case 3: y = y * x + 1; break;
    case 4: y = __popc(y) + x; break;
    case 5: y = y / (x | 1); break;
    case 6: y = y % (x | 1); break;
    case 7: y = out[y & 7]; break;
    case 8: y = ~y; break;
    case 9: y = max(x, y); // goes on
    case 10: y = __brev(y); break;
    case 11: goto done;
    default: y++;
    }
  }
done:
  out[i] = y;
}
extern "C" __global__ void local_arrays(const int *order, float *out, int n) {
  float work[64];
  int stack[32], top = 0;
  for (int i = 0; i < 64; ++i) work[i] = i * 0.5f;
  stack[top++] = threadIdx.x;
  while (top > 0) {
    int at = stack[--top];
    work[at & 63] += order[at & 1023];
    if (at * 2 < n && top < 30) { stack[top++] = at * 2; stack[top++] = at * 2 + 1; }
  }
  float *heap = (float *)malloc(64 * sizeof(float));
  for (int i = 0; i < 64; ++i) heap[i] = work[order[i] & 63];
  out[threadIdx.x] = heap[n & 63];
  free(heap);
  __shared__ volatile int flag;
  if (threadIdx.x == 0) flag = n;
  __syncthreads();
  float *dynamic = (float *)__builtin_alloca(flag * 4);
  for (int i = 0; i < flag; ++i) dynamic[i] = out[i];
  out[threadIdx.x] += dynamic[threadIdx.x % flag];
}
