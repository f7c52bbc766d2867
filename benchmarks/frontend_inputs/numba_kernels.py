"""Kernels in Python for numba-cuda, with the types of their arguments.

This module needs numba-cuda, and is loaded by ``numba_build`` alone.
"""

from __future__ import annotations

import math

from numba import complex64, complex128, cuda, float32, float64, int32, int64, uint8, uint32

TILE = 16


def matmul(a, b, c):
    left = cuda.shared.array((TILE, TILE), float32)
    right = cuda.shared.array((TILE, TILE), float32)
    x, y = cuda.grid(2)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    total = float32(0.0)
    for step in range((a.shape[1] + TILE - 1) // TILE):
        left[ty, tx] = 0
        right[ty, tx] = 0
        if y < a.shape[0] and tx + step * TILE < a.shape[1]:
            left[ty, tx] = a[y, tx + step * TILE]
        if x < b.shape[1] and ty + step * TILE < b.shape[0]:
            right[ty, tx] = b[ty + step * TILE, x]
        cuda.syncthreads()
        for k in range(TILE):
            total += left[ty, k] * right[k, tx]
        cuda.syncthreads()
    if y < c.shape[0] and x < c.shape[1]:
        c[y, x] = total


def reduction(values, out):
    part = cuda.shared.array(256, float64)
    i, t = cuda.grid(1), cuda.threadIdx.x
    total = 0.0
    for j in range(i, values.size, cuda.gridsize(1)):
        total += values[j]
    part[t] = total
    step = 128
    while step > 0:
        cuda.syncthreads()
        if t < step:
            part[t] += part[t + step]
        step //= 2
    if t == 0:
        cuda.atomic.add(out, 0, part[0])


def mandelbrot(image, low, high, most):
    y, x = cuda.grid(2)
    if y >= image.shape[0] or x >= image.shape[1]:
        return
    real = low.real + x * (high.real - low.real) / image.shape[1]
    c = complex(real, low.imag + y * (high.imag - low.imag) / image.shape[0])
    z = 0j
    for i in range(most):
        z = z * z + c
        if z.real * z.real + z.imag * z.imag > 4:
            image[y, x] = i
            return
    image[y, x] = 0


def bodies(position, velocity, dt):
    i = cuda.grid(1)
    if i >= position.shape[0]:
        return
    fx = fy = fz = 0.0
    for j in range(position.shape[0]):
        dx = position[j, 0] - position[i, 0]
        dy = position[j, 1] - position[i, 1]
        dz = position[j, 2] - position[i, 2]
        r = 1.0 / math.sqrt(dx * dx + dy * dy + dz * dz + 1e-6)
        w = position[j, 3] * r * r * r
        fx += w * dx
        fy += w * dy
        fz += w * dz
    velocity[i, 0] += fx * dt
    velocity[i, 1] += fy * dt
    velocity[i, 2] += fz * dt


def histogram(values, bins, low, width):
    for i in range(cuda.grid(1), values.size, cuda.gridsize(1)):
        at = int((values[i] - low) / width)
        if 0 <= at < bins.size:
            cuda.atomic.add(bins, at, 1)
    cuda.atomic.max(bins, 0, bins[1])


def waves(z, out):
    i = cuda.grid(1)
    if i < z.size:
        v = z[i]
        w = v * v / (v + 1j) - v.conjugate()
        r = math.exp(w.real)
        out[i] = complex(r * math.cos(w.imag), r * math.sin(w.imag)) * math.hypot(v.real, v.imag)


def special(x, out):
    i = cuda.grid(1)
    if i < x.size:
        v = x[i]
        total = math.erf(v) + math.lgamma(v) + math.pow(v, 1.7) + math.atan2(v, 2.0) + math.log1p(v)
        out[i] = total + math.fmod(v, 3.0) + math.sinh(v) * math.cos(v) + round(v) + v // 3 + v % 5


def scan(values, out):
    t = cuda.threadIdx.x
    lane = t & 31
    v = values[cuda.grid(1)]
    step = 1
    while step < 32:
        below = cuda.shfl_up_sync(0xFFFFFFFF, v, step)
        if lane >= step:
            v += below
        step *= 2
    if cuda.any_sync(0xFFFFFFFF, v > 100):
        v += cuda.popc(cuda.ballot_sync(0xFFFFFFFF, v & 1))
    out[cuda.grid(1)] = v


def blur(image, out, radius):
    y, x = cuda.grid(2)
    if radius <= x < image.shape[1] - radius and radius <= y < image.shape[0] - radius:
        total = 0
        for dy in range(-radius, radius + 1):
            for dx in range(-radius, radius + 1):
                total += image[y + dy, x + dx]
        out[y, x] = total // ((2 * radius + 1) * (2 * radius + 1))


def words(values, out, n):
    own = cuda.local.array(64, int64)
    i = cuda.grid(1)
    if i >= n:
        raise ValueError("beyond the end")
    for j in range(64):
        own[j] = values[(i * 17 + j) % n] ^ (values[i] << (j & 7))
    best = own[0]
    for j in range(1, 64):
        best = max(best, own[(j * best) & 63])
        if best < 0:
            break
    out[i] = best
    if best == 42:
        print("found", i, best)


KERNELS = (
    (matmul, (float32[:, ::1], float32[:, ::1], float32[:, ::1])),
    (matmul, (float64[:, :], float64[:, :], float64[:, :])),
    (reduction, (float64[::1], float64[::1])),
    (mandelbrot, (uint8[:, ::1], complex128, complex128, int32)),
    (mandelbrot, (int32[:, :], complex64, complex64, int64)),
    (bodies, (float32[:, ::1], float32[:, ::1], float32)),
    (bodies, (float64[:, :], float64[:, :], float64)),
    (histogram, (float32[::1], int32[::1], float32, float32)),
    (histogram, (float64[:], uint32[:], float64, float64)),
    (waves, (complex128[::1], complex128[::1])),
    (waves, (complex64[:], complex64[:])),
    (special, (float64[::1], float64[::1])),
    (special, (float32[:], float32[:])),
    (scan, (int32[::1], int32[::1])),
    (blur, (uint8[:, :], uint8[:, :], int32)),
    (words, (int64[::1], int64[::1], int64)),
)
