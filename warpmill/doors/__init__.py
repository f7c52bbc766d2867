"""Doors for kernels that live in Python: Triton, numba, and CUDA sources in strings."""
