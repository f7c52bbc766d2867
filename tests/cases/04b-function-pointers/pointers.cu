struct Shape { __device__ virtual float area(float) const = 0; __device__ virtual int kind() const { return 0; } };
struct Sq : Shape { float s; __device__ Sq(float s):s(s){} __device__ float area(float k) const override { return s*s*k; } };
struct Ci : Shape { float r; __device__ Ci(float r):r(r){} __device__ float area(float k) const override { return 3*r*r+k; } __device__ int kind() const override {return 7;} };
typedef int (*op)(int,int);
extern "C" {
__device__ int addi(int a,int b){return a+b;} __device__ int subi(int a,int b){return a-b;} __device__ int muli(int a,int b){return a*b;}
__device__ op table[3] = { addi, subi, muli };
__global__ void k(int *out, float *f, int sel) {
  int t = threadIdx.x;
  out[t] = table[(t+sel)%3](t, 5);
  op p = (t & 4) ? addi : muli; 
  out[t+32] = p(t, sel);
  Sq a(t); Ci b(t+1); Shape *s = (t%3==1) ? (Shape*)&a : (Shape*)&b;
  f[t] = s->area(sel) + s->kind();
}
}
