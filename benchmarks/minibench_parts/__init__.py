"""What benchmarks.minibench measures."""
