// Control flow: nested loops, switches, goto, early returns, conditions with side effects.
__kernel void jumps(__global const int *in, __global int *out, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  int x = in[i], y = 0;
  for (int round = 0; round < 6; ++round) {
    switch ((x >> round * 3) & 7) {
    case 0: y += x; break;
    case 1: y ^= x; break;
    case 2: continue;
    case 3: y = y * 3;
    case 4: y -= 5; break;
    case 5: if (y > 100) goto done; y <<= 1; break;
    default: y = -y;
    }
  }
  do { y -= x & 3; if (y & 1 && x > 2 || y < -50) break; x >>= 1; } while (x > 0);
done:
  out[i] = y;
}
__kernel void collatz(__global const ulong *in, __global uint *out) {
  ulong v = in[get_global_id(0)];
  uint steps = 0;
  while (v != 1 && steps < 10000) { v = v & 1 ? 3 * v + 1 : v / 2; ++steps; }
  out[get_global_id(0)] = steps;
}
__kernel void triangles(__global const float *a, __global float *b, int n) {
  for (int i = get_group_id(0); i < n; i += get_num_groups(0))
    for (int j = get_local_id(0); j <= i; j += get_local_size(0)) {
      float s = 0;
      for (int k = j; k <= i; ++k) { if (a[i * n + k] == 0) continue; s += a[i * n + k] * a[k * n + j]; }
      b[i * n + j] = s;
    }
}
__kernel void mandelbrot(__global uchar *out, int w, double x0, double y0, double step, int most) {
  int x = get_global_id(0), y = get_global_id(1), i = 0;
  double cr = x0 + x * step, ci = y0 + y * step, zr = 0, zi = 0;
  for (; i < most; ++i) { double t = zr * zr - zi * zi + cr; zi = 2 * zr * zi + ci; zr = t; if (zr * zr + zi * zi > 4) break; }
  out[y * w + x] = i;
}
