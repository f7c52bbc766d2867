"""Kernels that the executor is timed on, and those whose counts another simulator gives."""
