"""Tuning: which block, which variant of a kernel is the fastest, and whether it is right."""
