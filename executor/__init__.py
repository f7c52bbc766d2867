"""Runs kernels on the CPU, exactly: every lane of every warp of every CTA."""
