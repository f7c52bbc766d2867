// Triangular systems, one a work item. The first three kernels solve systems with one row-major
// n x n matrix and many right-hand sides: element i of side t is b[i * sides + t]. The other two
// work on many small matrices: element i, j of matrix t is at (i * n + j) * batch + t.

// L * x = b for a lower triangular L, from the first row down.
__kernel void trisolve_forward(__global const float *restrict l, __global const float *restrict b,
                               __global float *restrict x, int n, int sides) {
  const int t = get_global_id(0);
  if (t < sides) {
    for (int i = 0; i < n; ++i) {
      float sum = b[i * sides + t];
      for (int j = 0; j < i; ++j) {
        sum -= l[i * n + j] * x[j * sides + t];
      }
      x[i * sides + t] = sum / l[i * n + i];
    }
  }
}

// U * x = b for an upper triangular U, from the last row up.
__kernel void trisolve_backward(__global const float *restrict u, __global const float *restrict b,
                                __global float *restrict x, int n, int sides) {
  const int t = get_global_id(0);
  if (t < sides) {
    for (int i = n - 1; i >= 0; --i) {
      float sum = b[i * sides + t];
      for (int j = i + 1; j < n; ++j) {
        sum -= u[i * n + j] * x[j * sides + t];
      }
      x[i * sides + t] = sum / u[i * n + i];
    }
  }
}

// As trisolve_forward, with two sums: columns in pairs, so that two chains of additions overlap.
__kernel void trisolve_pairs(__global const float *restrict l, __global const float *restrict b,
                             __global float *restrict x, int n, int sides) {
  const int t = get_global_id(0);
  if (t < sides) {
    for (int i = 0; i < n; ++i) {
      float even = b[i * sides + t];
      float odd = 0.0f;
      for (int j = 0; j + 1 < i; j += 2) {
        even -= l[i * n + j] * x[j * sides + t];
        odd -= l[i * n + j + 1] * x[(j + 1) * sides + t];
      }
      if (i % 2 == 1) {
        even -= l[i * n + i - 1] * x[(i - 1) * sides + t];
      }
      x[i * sides + t] = (even + odd) / l[i * n + i];
    }
  }
}

// a = L * D * L^T for symmetric matrices, in place: D on the diagonal, L without its ones below.
__kernel void trisolve_factor(__global float *restrict a, int n, int batch) {
  const int t = get_global_id(0);
  if (t < batch) {
    for (int i = 0; i < n; ++i) {
      float pivot = a[(i * n + i) * batch + t];
      for (int j = 0; j < i; ++j) {
        float sum = a[(i * n + j) * batch + t];
        for (int k = 0; k < j; ++k) {
          sum -= a[(i * n + k) * batch + t] * a[(j * n + k) * batch + t];
        }
        a[(i * n + j) * batch + t] = sum;  // L * D so far
      }
      for (int k = 0; k < i; ++k) {
        const float scaled = a[(i * n + k) * batch + t];
        const float factor = scaled / a[(k * n + k) * batch + t];
        pivot -= scaled * factor;
        a[(i * n + k) * batch + t] = factor;
      }
      a[(i * n + i) * batch + t] = pivot;
    }
  }
}

// x = inverse of L for lower triangular matrices; what is above the diagonal is left alone.
__kernel void trisolve_inverse(__global const float *restrict l, __global float *restrict x, int n,
                               int batch) {
  const int t = get_global_id(0);
  if (t < batch) {
    for (int i = 0; i < n; ++i) {
      const float scale = 1.0f / l[(i * n + i) * batch + t];
      for (int j = 0; j < i; ++j) {
        float sum = 0.0f;
        for (int k = j; k < i; ++k) {
          sum -= l[(i * n + k) * batch + t] * x[(k * n + j) * batch + t];
        }
        x[(i * n + j) * batch + t] = sum * scale;
      }
      x[(i * n + i) * batch + t] = scale;
    }
  }
}
