"""What benchmarks.workloads measures."""
