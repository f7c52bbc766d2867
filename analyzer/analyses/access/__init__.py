"""Accesses to memory: addresses, strides over lanes and loops, alignment, cost and reuse."""
