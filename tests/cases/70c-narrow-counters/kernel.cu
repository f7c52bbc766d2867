// clang-19 -O0 --cuda-gpu-arch=sm_80 -S, without optimisation: counters stay in the depot
extern "C" __attribute__((global)) void bytes(int *out, int n) {
  for (unsigned char i = 0; i < (unsigned char)n; i++) out[i & 63] += i;
  int done = 0, i = 0;
  while (!done) {
    out[i & 63] += 1;
    if (++i >= n) done = 1;
  }
  int few[8];
  for (int k = 0; k < 8; k++) few[k] = k * n;
  for (int k = 0; k < n; k++) out[k & 63] += few[k & 7];
}
