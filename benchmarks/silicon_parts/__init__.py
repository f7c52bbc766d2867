"""Parts of ``benchmarks.silicon``: workloads timed and counted on a GPU."""
