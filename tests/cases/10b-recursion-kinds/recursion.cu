extern "C" {
__device__ __noinline__ int fib(int n) { return n < 2 ? n : fib(n-1) + fib(n-2); }
__device__ __noinline__ int ack(int m, int n) { if (m==0) return n+1; if (n==0) return ack(m-1,1); return ack(m-1, ack(m,n-1)); }
__device__ __noinline__ bool odd(int n);
__device__ __noinline__ bool even(int n) { return n==0 ? true : odd(n-1); }
__device__ __noinline__ bool odd(int n) { return n==0 ? false : even(n-1); }
__device__ __noinline__ void hanoi(int n, int a, int b, int c, int *moves, long long *sum) {
  if (n==0) return; hanoi(n-1,a,c,b,moves,sum); *moves += 1; *sum = *sum*3 + a*10+b; hanoi(n-1,c,b,a,moves,sum); }
__device__ __noinline__ float sums(const float *x, int n) { if (n==1) return x[0]; int h=n/2; return sums(x,h)+sums(x+h,n-h); }
__device__ __noinline__ int perms(int *a, int k, int n) { int t[4]; for(int i=0;i<4;i++) t[i]=a[i]*(k+1);
  if (k==n) return t[0]*1000+t[1]*100+t[2]*10+t[3]; int s=0; for (int i=k;i<n;i++){int x=a[k];a[k]=a[i];a[i]=x; s+= perms(a,k+1,n)*(i+1) + t[i&3]; x=a[k];a[k]=a[i];a[i]=x;} return s; }
__global__ void k(int *out, float *x, int n) {
  int t = blockIdx.x*blockDim.x+threadIdx.x; int *o = out + 8*t;
  o[0]=fib(t%12); o[1]=ack(t%3, t%5); o[2]= even(t)?1:0; int m=0; long long s=0; hanoi(t%7,1,2,3,&m,&s); o[3]=m; o[4]=(int)s;
  o[5]=(int)(sums(x, t+1)*4); int a[4]={1,2,3,4+t%3}; o[6]=perms(a,0,t%4); if (t&1) o[7]=fib(t%9); else o[7]=ack(1,t%4);
}
}
