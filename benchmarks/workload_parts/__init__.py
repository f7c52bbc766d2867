"""What benchmarks.workloads measures and draws."""
