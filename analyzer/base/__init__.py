"""Foundations that know nothing of kernels: diagnostics, TOML, names, whole files, jit."""
