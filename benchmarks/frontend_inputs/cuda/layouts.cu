// Memory of all kinds: vectors, cache hints, structs, unions, initialised variables, constants.
#ifdef __clang__ // which lacks some of the hints
#define __ldlu __ldg
#define __ldca __ldg
#define __ldcs __ldg
#define __ldcg __ldg
#define __stcs(place, value) (*(place) = (value))
#define __stwt(place, value) (*(place) = (value))
#define __managed__ __device__
#endif

struct __align__(16) Packet { int id; short kind; char bytes[6]; float payload[3]; };
struct Node { Node *next; int value; };
union Word { unsigned u; float f; unsigned char b[4]; };
struct Big { int values[50]; double scale; };

__device__ int plain = 7;
__device__ float series[5] = {1.f, -2.5f, 3e8f, 0.f, 1e-30f};
__device__ double2 pairs[2] = {{1.0, 2.0}, {-3.5, 0.25}};
__device__ Node second = {nullptr, 2}, first = {&second, 1};
__device__ Packet defaults = {3, -4, "abcde", {1.f, 2.f, 3.f}};
__device__ const char *words[3] = {"one", "two", "three \"quoted\"\n"};
__device__ int *inside = &plain;
__constant__ int lookup[16] = {1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144};
__managed__ int managed_value = 5;
__shared__ int module_shared[32];
__device__ long long bigs[3] = {-1, 1ll << 62, 0x7fffffffffffffff};
__device__ unsigned short shorts[6] = {1, 2, 65535, 4};
__device__ bool flags[3] = {true, false, true};

extern "C" __global__ void vectors(const float4 *a, double2 *b, const int4 *__restrict__ c, uchar4 *d, short2 *e, longlong2 *f, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float4 x = __ldcs(a + i), y = __ldcg(a + i + n), z = __ldlu(a + 2 * i), w = __ldca(a + 3 * i);
  int4 q = __ldg(c + i);
  __stcs(b + i, make_double2(x.x + y.y, z.z * w.w));
  __stwt(b + i + n, make_double2(q.x, q.y));
  d[i] = make_uchar4(q.x, q.y, q.z, q.w);
  e[i] = make_short2(q.x * 3, -q.y);
  f[i] = make_longlong2((long long)q.x * q.y, (unsigned)q.z);
}
extern "C" __global__ void structures(Packet *packets, Big big, const Node *list, float *out, volatile int *flag) {
  Packet p = packets[threadIdx.x];
  Word w;
  w.f = p.payload[1];
  w.b[2] ^= 0x80;
  int sum = 0;
  for (const Node *n = list; n; n = n->next) sum += n->value;
  for (int i = 0; i < 50; ++i) sum += big.values[(i + threadIdx.x) % 50];
  while (*flag == 0) {}
  p.id += sum + lookup[threadIdx.x & 15] + *inside + first.next->value + words[threadIdx.x % 3][1] + managed_value;
  p.bytes[3] = defaults.bytes[threadIdx.x % 6] + flags[threadIdx.x % 3] + shorts[threadIdx.x % 6];
  module_shared[threadIdx.x] = p.kind;
  __syncthreads();
  packets[threadIdx.x] = p;
  out[threadIdx.x] = w.f + series[threadIdx.x % 5] + pairs[threadIdx.x & 1].y * big.scale + module_shared[31 - threadIdx.x] + bigs[threadIdx.x % 3];
}
extern "C" __global__ void __launch_bounds__(256, 2) spaces_of(float *generic, int which) {
  __shared__ float s[64];
  float l[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  float *p = which == 0 ? s : which == 1 ? l : generic;
  p[threadIdx.x & 7] += 1.f;
  if (__isShared(p)) p[1] = 2.f; else if (__isLocal(p)) p[2] = 3.f; else if (__isGlobal(p)) p[3] = 4.f;
  __syncthreads();
  generic[threadIdx.x] = s[threadIdx.x & 63] + l[threadIdx.x & 7];
}
extern "C" __global__ void transpose_dynamic(const float *__restrict__ in, float *__restrict__ out, int w, int h) {
  extern __shared__ float tile[];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  if (x < w && y < h) tile[threadIdx.y * 33 + threadIdx.x] = in[y * w + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
  if (x < h && y < w) out[y * h + x] = tile[threadIdx.x * 33 + threadIdx.y];
}
