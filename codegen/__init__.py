"""Emission of miniature clones as PTX and CUDA. The room stands empty until the clones move in."""
