"""docs/workloads.md and its pictures, of what `benchmarks.workload_parts` measures."""
