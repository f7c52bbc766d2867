"""Samples and workloads of warpmill, with the modules that compilers make of them."""
