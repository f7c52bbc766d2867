"""Workloads timed and counted on a GPU: ``python -m benchmarks.silicon`` (``__main__``)."""
