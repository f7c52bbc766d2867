"""Kernels for the benchmark of the front-ends: their sources, and what makes files of them."""
